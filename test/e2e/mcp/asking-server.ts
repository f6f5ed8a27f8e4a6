import { randomUUID } from 'node:crypto';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  type ClientCapabilities,
  CreateMessageResultSchema,
  ElicitResultSchema,
  ListRootsResultSchema,
  SubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import {
  acceptedContent,
  createMcpHandler,
  inputRequired,
  McpServer as ModernServer,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type RealServer, type RequestHandler, started } from './real-servers.js';

/** A server of the revisions with a handshake that asks its clients, made with an official library. */
export interface AskingServer extends RealServer {
  /** What each client has announced, in the order of the sessions. */
  readonly announced: ClientCapabilities[];
  /** How many sessions there are, and how many clients have ended. */
  readonly sessions: { readonly open: number; readonly ended: number };
  /** How many streams of sessions were opened. */
  readonly streams: number;
  /** What has become of calls of the tool that waits until it is cancelled. */
  readonly waits: ('begun' | 'cancelled')[];
  /** Forgets all sessions. */
  readonly forget: () => void;
}

const text = (said: unknown): { content: { type: 'text'; text: string }[] } => ({
  content: [{ type: 'text', text: typeof said === 'string' ? said : JSON.stringify(said) }],
});

const COLOR = { type: 'object' as const, properties: { color: { type: 'string' as const } } };

/**
 * Starts it. Tools ask with the answer to their call (`ask_...`), and on the stream of the session (`later_...`).
 *
 * @param besides answers requests of the newest revision, for a server of both kinds
 */
export async function startAskingServer(besides?: RequestHandler): Promise<AskingServer> {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const announced: ClientCapabilities[] = [];
  const waits: AskingServer['waits'] = [];
  let ended = 0;
  let streams = 0;
  const server = await started(() => async (request, response) => {
    if (besides !== undefined && request.headers['mcp-protocol-version'] === '2026-07-28') {
      await besides(request, response);
      return;
    }
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? transports.get(id) : undefined;
    if (known !== undefined) {
      const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => typeof response;
      response.writeHead = (...head: unknown[]) => {
        if (request.method === 'GET') streams += 1;
        return writeHead(...head);
      };
      await known.handleRequest(request, response);
      return;
    }
    if (id !== undefined) {
      response.writeHead(404).end();
      return;
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (made) => void transports.set(made, transport),
      onsessionclosed: (gone) => {
        ended += 1;
        transports.delete(gone);
      },
    });
    const mcp = askingServer(waits);
    mcp.server.oninitialized = () => void announced.push(mcp.server.getClientCapabilities() ?? {});
    await mcp.connect(transport);
    await transport.handleRequest(request, response);
  });
  return {
    ...server,
    announced,
    waits,
    get streams() {
      return streams;
    },
    get sessions() {
      return { open: transports.size, ended };
    },
    forget: () => transports.clear(),
  };
}

/** Starts one of both kinds of revisions, whose answer to `server/discover` names the newest alone, and whose `ask_elicitation` asks in either. */
export function startServerOfBothKinds(): Promise<AskingServer> {
  const handler = createMcpHandler(
    () => {
      const mcp = new ModernServer({ name: 'both', version: '1.0.0' });
      const inputSchema = z.object({ text: z.string() });
      mcp.registerTool('ask_elicitation', { inputSchema }, (values, context) => {
        const given = acceptedContent<{ color: string }>(context.mcpReq.inputResponses, 'color');
        if (given !== undefined) return text(given);
        return inputRequired({
          inputRequests: { color: inputRequired.elicit({ message: values.text, requestedSchema: COLOR }) },
        });
      });
      mcp.registerTool('log', { inputSchema }, () => text('logged'));
      return mcp;
    },
    { legacy: 'reject' },
  );
  return startAskingServer(toNodeHandler(handler));
}

function askingServer(waits: AskingServer['waits']): McpServer {
  const mcp = new McpServer(
    { name: 'asking', version: '1.0.0' },
    { capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } } },
  );
  const { server } = mcp;
  const sampling = (said: string): { maxTokens: number; messages: never[] } => ({
    maxTokens: 10,
    messages: [{ role: 'user', content: { type: 'text', text: said } }] as never[],
  });
  const said = { inputSchema: { text: z.string() } };
  mcp.registerTool('ask_sampling', said, async (values, { sendRequest }) =>
    text(
      (
        await sendRequest(
          { method: 'sampling/createMessage', params: sampling(values.text) },
          CreateMessageResultSchema,
        )
      ).content,
    ),
  );
  mcp.registerTool('ask_elicitation', said, async (values, { sendRequest }) =>
    text(
      await sendRequest(
        { method: 'elicitation/create', params: { message: values.text, requestedSchema: COLOR } },
        ElicitResultSchema,
      ),
    ),
  );
  mcp.registerTool('ask_roots', {}, async ({ sendRequest }) =>
    text((await sendRequest({ method: 'roots/list' }, ListRootsResultSchema)).roots),
  );
  mcp.registerTool('later_sampling', said, async (values) =>
    text((await server.createMessage(sampling(values.text))).content),
  );
  mcp.registerTool('later_elicitation', said, async (values) =>
    text(await server.elicitInput({ message: values.text, requestedSchema: COLOR })),
  );
  mcp.registerTool('log', said, async (values, { sendNotification, sessionId }) => {
    await sendNotification({ method: 'notifications/message', params: { level: 'error', data: values.text } });
    await server.sendLoggingMessage({ level: 'error', logger: 'later', data: values.text }, sessionId);
    await server.sendLoggingMessage({ level: 'debug', logger: 'later', data: 'too low' }, sessionId);
    return text('logged');
  });
  mcp.registerTool('change', {}, async () => {
    await server.sendResourceUpdated({ uri: 'note://1' });
    mcp.sendResourceListChanged();
    mcp.sendToolListChanged();
    return text('changed');
  });
  mcp.registerTool('wait', {}, async ({ signal }) => {
    waits.push('begun');
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    waits.push('cancelled');
    return text('over');
  });
  mcp.registerResource('note', 'note://1', {}, (uri) => ({ contents: [{ uri: uri.href, text: 'A note' }] }));
  server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  return mcp;
}
