// The client of the official TypeScript SDK, version 1: node sdk_v1.mjs http URL | stdio PROGRAM ARGUMENT…
// Prints one line of JSON.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const [kind, target, ...rest] = process.argv.slice(2);
const transport = () => kind === 'http' ? new StreamableHTTPClientTransport(new URL(target))
	: new StdioClientTransport({ command: target, args: rest, env: process.env });

for (const mode of ['legacy']) {
	const client = new Client({ name: 'driver', version: '1' });
	await client.connect(transport());
	const { tools } = await client.listTools();
	const found = await client.callTool({ name: 'search_airports', arguments: { query: 'EGTF' } });
	const wrong = await client.callTool({ name: 'search_airports', arguments: {} });
	const progress = [];
	const asked = await client.callTool({ name: 'ask_aviation_agent', arguments: { question: 'airports near Lyon' } }, undefined,
		{ onprogress: p => progress.push(p.message) });
	const again = await client.callTool({ name: 'ask_aviation_agent', arguments: { question: 'and with AVGAS?',
		thread: asked.structuredContent.thread } });
	const shapes = [];
	for (const [name, args] of Object.entries(JSON.parse(process.env.CALLS)))
		shapes.push([name, (await client.callTool({ name, arguments: args })).isError ?? false]);
	const { prompts } = await client.listPrompts();
	const { resources } = await client.listResources();
	const read = await client.readResource({ uri: 'airport://EGTF' });
	const completed = await client.complete({ ref: { type: 'ref/resource', uri: 'airport://{icao}' },
		argument: { name: 'icao', value: 'EGT' } });
	console.log(JSON.stringify({ mode, era: client.getProtocolEra?.(), tools: tools.map(t => t.name),
		airport: found.structuredContent.airports[0].ident, wrong: wrong.isError, answer: asked.structuredContent.answer,
		again: again.structuredContent.answer, progress, shapes, prompts: prompts.length, resources: resources.length,
		read: JSON.parse(read.contents[0].text).airport.ident, completed: completed.completion.values }));
	await client.close();
}
