import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { completable as legacyCompletable } from '@modelcontextprotocol/sdk/server/completable.js';
import { McpServer as LegacyServer, ResourceTemplate as LegacyTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import {
  acceptedContent,
  completable,
  createMcpHandler,
  inputRequired,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** A server of MCP on the loopback, made with an official library. */
export interface RealServer {
  readonly url: string;
  /** What it has been asked: the headers of each message. */
  readonly headers: http.IncomingHttpHeaders[];
  /** What its tools say of themselves; a test may change it. */
  description: string;
  stop(): Promise<void>;
}

/** What a tool gets of the library: a way to tell of its progress. */
interface ToolContext {
  readonly progress: (progress: number, total: number) => Promise<void>;
}

interface ToolResult {
  content: { type: 'text'; text: string }[];
  isError?: boolean;
}

/** The tools of the servers: by their names what they take and give. */
const TOOLS = {
  echo: {
    schema: { text: z.string() },
    run: ({ text }: { text: string }): ToolResult => ({ content: [{ type: 'text', text: `You said: ${text}` }] }),
  },
  fail: {
    schema: {},
    run: (): ToolResult => ({ content: [{ type: 'text', text: 'It did not work.' }], isError: true }),
  },
  leak: {
    schema: {},
    run: (): ToolResult => ({ content: [{ type: 'text', text: 'Write to jane@example.com today.' }] }),
  },
  work: {
    schema: {},
    run: async (_: object, { progress }: ToolContext): Promise<ToolResult> => {
      await progress(1, 2);
      return { content: [{ type: 'text', text: 'done' }] };
    },
  },
} as const;

interface Greeting {
  [name: string]: unknown;
  messages: { role: 'user'; content: { type: 'text'; text: string } }[];
}

function greeting(name: string): Greeting {
  return { messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}, jane@example.com` } }] };
}

function noteAt(uri: URL): { contents: { uri: string; text: string }[] } {
  return { contents: [{ uri: uri.href, text: 'Call jane@example.com' }] };
}

/** What the names of people are completed to. */
function namesLike(start: string | undefined): string[] {
  return ['Ada', 'Alan', 'Grace'].filter((name) => name.startsWith(start ?? ''));
}

/** The notes that a template finds, of which none is listed. */
const NOTES = { list: undefined, complete: { id: (start: string) => [`${start}1`, `${start}2`] } };

/** Starts a server of the newest revision. @param legacy whether it answers a handshake as well (`stateless`) */
export async function startModernServer(legacy: 'reject' | 'stateless' = 'reject'): Promise<RealServer> {
  return started((server) => {
    const handler = createMcpHandler(
      () => {
        const mcp = new McpServer({ name: 'modern', version: '1.0.0' });
        for (const [name, { schema, run }] of Object.entries(TOOLS)) {
          const described = { description: `${name}: ${server.description}`, inputSchema: z.object(schema) };
          mcp.registerTool(
            name,
            described as never,
            (async (values: never, context: never) => {
              const { mcpReq } = context as unknown as {
                mcpReq: { _meta?: { progressToken?: string }; notify: (message: object) => Promise<void> };
              };
              const progress = async (done: number, total: number): Promise<void> => {
                const progressToken = mcpReq._meta?.progressToken;
                if (progressToken === undefined) return;
                await mcpReq.notify({
                  method: 'notifications/progress',
                  params: { progressToken, progress: done, total },
                });
              };
              return run(values, { progress });
            }) as never,
          );
        }
        const argsSchema = z.object({ name: completable(z.string(), namesLike) });
        mcp.registerPrompt('greet', { argsSchema }, ({ name }) => greeting(name));
        mcp.registerResource('note', 'note://1', {}, (uri) => noteAt(uri));
        mcp.registerResource('notes', new ResourceTemplate('notes://{id}', NOTES), {}, (uri) => noteAt(uri));
        const asking = { description: 'asks', inputSchema: z.object({}) };
        mcp.registerTool('ask', asking, (_, context) => {
          const given = acceptedContent<{ color: string }>(context.mcpReq.inputResponses, 'color');
          if (given !== undefined) return { content: [{ type: 'text', text: `It is ${given.color}.` }] };
          const requestedSchema = { type: 'object' as const, properties: { color: { type: 'string' as const } } };
          const inputRequests = { color: inputRequired.elicit({ message: 'Which color?', requestedSchema }) };
          return inputRequired({ inputRequests, requestState: 'the state of the server' });
        });
        return mcp;
      },
      { legacy },
    );
    return toNodeHandler(handler);
  });
}

/** Starts a server of the revisions with a handshake, which keeps sessions. */
export async function startLegacyServer(): Promise<RealServer> {
  return started((server) =>
    inSessions(async (options) => {
      const transport = new StreamableHTTPServerTransport(options);
      const mcp = new LegacyServer({ name: 'legacy', version: '1.0.0' });
      for (const [name, { schema, run }] of Object.entries(TOOLS)) {
        mcp.registerTool(name, { description: `${name}: ${server.description}`, inputSchema: schema }, (async (
          values: never,
          context: { _meta?: { progressToken?: string }; sendNotification: (message: object) => Promise<void> },
        ) => {
          const progress = async (done: number, total: number): Promise<void> => {
            const progressToken = context._meta?.progressToken;
            if (progressToken === undefined) return;
            await context.sendNotification({
              method: 'notifications/progress',
              params: { progressToken, progress: done, total },
            });
          };
          return run(values, { progress });
        }) as never);
      }
      const argsSchema = { name: legacyCompletable(z.string(), namesLike) };
      mcp.registerPrompt('greet', { argsSchema }, ({ name }) => greeting(name));
      mcp.registerResource('note', 'note://1', {}, (uri) => noteAt(uri));
      mcp.registerResource('notes', new LegacyTemplate('notes://{id}', NOTES), {}, (uri) => noteAt(uri));
      // As the revision has it, and not as the library answers by itself.
      mcp.registerResource('missing', new LegacyTemplate('note://{id}', { list: undefined }), {}, ({ href }) => {
        throw new McpError(-32002, `Resource ${href} not found`, { uri: href, secret: 'of the server' });
      });
      await mcp.connect(transport);
      return transport;
    }),
  );
}

/** What either library needs to know to keep a session. */
interface SessionOptions {
  readonly sessionIdGenerator: () => string;
  readonly onsessioninitialized: (id: string) => void;
}

interface Transport {
  handleRequest: (request: http.IncomingMessage, response: http.ServerResponse) => Promise<void>;
}

/** Answers requests of sessions, each by a transport of its own. @param open makes that of a new session */
export function inSessions(open: (options: SessionOptions) => Promise<Transport>): RequestHandler {
  const transports = new Map<string, Transport>();
  return async (request, response) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? transports.get(id) : undefined;
    if (known !== undefined) {
      await known.handleRequest(request, response);
      return;
    }
    if (id !== undefined) {
      response.writeHead(404).end();
      return;
    }
    const transport = await open({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (made) => void transports.set(made, transport),
    });
    await transport.handleRequest(request, response);
  };
}

/** Answers a request over HTTP. */
export type RequestHandler = (request: http.IncomingMessage, response: http.ServerResponse) => unknown;

/** Starts a server on the loopback. @param handlerOf what answers its requests */
export async function started(handlerOf: (server: RealServer) => RequestHandler): Promise<RealServer> {
  const listening = http.createServer();
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const server: RealServer = {
    url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}/mcp`,
    headers: [],
    description: 'a tool',
    stop: async () => {
      listening.closeAllConnections();
      await new Promise((resolve) => listening.close(resolve));
    },
  };
  const handler = handlerOf(server);
  listening.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
    server.headers.push(request.headers);
    void handler(request, response);
  });
  return server;
}
