// A weather server made with the official SDK, version 1: server_v1.mjs FOLDER http|stdio. FOLDER holds the packages.
// Over HTTP it prints its port.
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';

const [folder, transport] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(`${folder}/node_modules/@modelcontextprotocol/sdk/dist/esm/${path}`).href);
const { z } = await import(pathToFileURL(`${folder}/node_modules/zod/index.js`).href);
const { McpServer } = await load('server/mcp.js');

function weather() {
    const server = new McpServer({ name: 'weather', version: '1.0.0' });
    server.registerTool('get_weather_report', {
        title: 'Weather report', description: 'The latest weather report (METAR) of an airport.',
        inputSchema: { station: z.string().describe('ICAO code of the airport') },
        outputSchema: { station: z.string(), wind: z.string(), clouds: z.array(z.string()) },
    }, async ({ station }) => {
        const data = { station, wind: '240/12 kt', clouds: ['few 3000 ft', 'broken 8000 ft'] };
        return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
    });
    return server;
}

if (transport === 'stdio') {
    const { StdioServerTransport } = await load('server/stdio.js');
    await weather().connect(new StdioServerTransport());
} else {
    const { StreamableHTTPServerTransport } = await load('server/streamableHttp.js');
    const { randomUUID } = await import('node:crypto');
    const sessions = new Map();
    const http = createServer(async (req, res) => {
        let session = sessions.get(req.headers['mcp-session-id']);
        if (session === undefined) {
            session = new StreamableHTTPServerTransport({
                sessionIdGenerator: randomUUID, onsessioninitialized: (id) => sessions.set(id, session),
            });
            await weather().connect(session);
        }
        await session.handleRequest(req, res);
    });
    http.listen(0, '127.0.0.1', () => console.log(http.address().port));
}
