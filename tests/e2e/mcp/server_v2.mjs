// A weather server made with the official SDK, version 2, which speaks both eras: server_v2.mjs FOLDER http|stdio.
// FOLDER holds the packages. Over HTTP it prints its port.
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';

const [folder, transport] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(`${folder}/node_modules/${path}`).href);
const { McpServer, createMcpHandler, fromJsonSchema } = await load('@modelcontextprotocol/server/dist/index.mjs');

function weather() {
    const server = new McpServer({ name: 'weather', version: '1.0.0' });
    server.registerTool('get_weather_report', {
        title: 'Weather report', description: 'The latest weather report (METAR) of an airport.',
        inputSchema: fromJsonSchema({
            type: 'object', required: ['station'], additionalProperties: false,
            properties: { station: { type: 'string', description: 'ICAO code of the airport' } },
        }),
    }, async ({ station }) => {
        const data = { station, wind: '240/12 kt', clouds: ['few 3000 ft', 'broken 8000 ft'] };
        return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
    });
    return server;
}

if (transport === 'stdio') {
    const { serveStdio } = await load('@modelcontextprotocol/server/dist/stdio.mjs');
    await serveStdio(weather);
} else {
    const { toNodeHandler } = await load('@modelcontextprotocol/node/dist/index.mjs');
    const http = createServer(toNodeHandler(createMcpHandler(weather)));
    http.listen(0, '127.0.0.1', () => console.log(http.address().port));
}
