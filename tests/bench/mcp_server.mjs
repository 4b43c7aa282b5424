// The official TypeScript SDK's server with the tools of ours, for scripts/bench: node mcp_server.mjs OUR_URL DATABASE
// It is stateless as its documentation says: a server for each request. It finds airports in the same database.
// Prints the port that it listens on.
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { McpServer, fromJsonSchema } from '@modelcontextprotocol/server';

const [ours, database] = process.argv.slice(2);
const listed = await (await fetch(ours, { method: 'POST',
	headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
	body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) })).json();
const tools = listed.result.tools.map(t => ({ ...t, inputSchema: fromJsonSchema(t.inputSchema),
	outputSchema: t.outputSchema && fromJsonSchema(t.outputSchema) }));

const search = new DatabaseSync(database, { readOnly: true }).prepare(
	`SELECT icao_code AS ident, name, municipality, iso_country AS country, latitude_deg, longitude_deg FROM airports
	 WHERE icao_code = ?1 OR iata_code = ?1 OR name LIKE '%' || ?1 || '%' OR municipality LIKE '%' || ?1 || '%' LIMIT ?2`);

function answer(args) {
	const airports = search.all(args.query, args.max_results ?? 5);
	const found = { count: airports.length, airports };
	return { content: [{ type: 'text', text: JSON.stringify(found) }], structuredContent: found };
}

const server = createServer(async (req, res) => {
	const mcp = new McpServer({ name: 'bench', version: '1' });
	for (const { name, title, description, inputSchema, outputSchema, annotations } of tools)
		mcp.registerTool(name, { title, description, inputSchema, outputSchema, annotations }, answer);
	const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
	await mcp.connect(transport);
	await transport.handleRequest(req, res);
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
