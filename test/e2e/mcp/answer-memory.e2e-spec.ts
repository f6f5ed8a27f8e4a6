import type { ServerResponse } from 'node:http';
import { filledBefore } from '../../support/application/filled-before.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { mcpGateway } from './mcp-gateway.js';

const HEADS = { document: { 'content-type': 'application/json' }, stream: { 'content-type': 'text/event-stream' } };

type Form = keyof typeof HEADS;

describe('answers of MCP servers that there is no memory for', () => {
  const gateway = mcpGateway({ INFERENCE_BODY_LIMIT: '100KiB', INFERENCE_MEMORY_PER_ORGANIZATION: '1MiB' });
  const large = filledBefore(beforeAll, async () => ({ server: await ProviderServer.start() }));
  afterAll(() => large.server.stop());

  const say = (response: ServerResponse, form: Form, message: object): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    response.writeHead(200, HEADS[form]).end(form === 'stream' ? `data: ${text}\n\n` : text);
  };

  it.each<Form>(['document', 'stream'])(
    'end their calls, which answer 200 with an error, are recorded as a 503 and charged, and leave room for others (%s)',
    async (form) => {
      large.server.answerWith((response, { body }) => {
        const { id, method, params } = body as { id: number; method: string; params: { name: string } };
        const tools = ['large', 'small'].map((name) => ({ name, inputSchema: { type: 'object' } }));
        if (method === 'server/discover') {
          say(response, 'document', { id, result: { supportedVersions: ['2026-07-28'], capabilities: {} } });
        } else if (method === 'tools/list') say(response, 'document', { id, result: { tools } });
        else {
          const text = 'x'.repeat(params.name === 'large' ? 2_000_000 : 200_000);
          say(response, form, { id, result: { content: [{ type: 'text', text }] } });
        }
      });
      await gateway.added('docs', large.server.baseUrl, { price_per_call: 0.5 });
      const key = await gateway.guarded({ allowed_mcp_tools: ['docs/*'] });
      const call = async (name: string) => (await gateway.send(key, 'tools/call', { name: `docs__${name}` })).body;
      expect(await call('large')).toMatchObject({
        error: { code: -32000, data: { reason: 'answer_memory_exhausted' } },
      });
      expect(await gateway.records(key, 1)).toMatchObject([
        { status: 503, cost_usd: '0.5', details: { refusal: 'answer_memory_exhausted' } },
      ]);
      for (let times = 0; times < 5; times += 1) expect((await call('small')).result).toBeDefined();
    },
  );
});
