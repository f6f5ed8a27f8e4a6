import { ERAS, type Era, mcpGateway } from './mcp-gateway.js';

/** Every kind of client with every kind of server. */
const PAIRS = ERAS.flatMap((client): [Era, Era][] => ERAS.map((server) => [client, server]));

describe('tools of MCP servers', () => {
  const gateway = mcpGateway();
  const { app, real } = gateway;

  describe.each(PAIRS)(
    'for a client of the %s kind of revisions with a server of the %s kind',
    (clientEra, serverEra) => {
      it('are listed with the name of the server in front, and answer 200 to calls', async () => {
        await gateway.added('docs', real[serverEra].url, { price_per_call: 0.25 });
        const key = await gateway.guarded({ allowed_mcp_tools: ['docs/echo', 'docs/fail'] });
        const client = await gateway.connected(clientEra, key);
        expect((await client.tools()).map(({ name, description }) => [name, description])).toEqual([
          ['docs__echo', 'echo: a tool'],
          ['docs__fail', 'fail: a tool'],
        ]);
        expect(await client.call('docs__echo', { text: 'Hello' })).toMatchObject({
          content: [{ type: 'text', text: 'You said: Hello' }],
        });
        expect(await client.call('docs__fail')).toMatchObject({ isError: true });
        await client.close();
        const records = await gateway.records(key, 2);
        expect(records).toMatchObject(
          ['echo', 'fail'].map((tool) => ({
            status: 200,
            model: `mcp:docs/${tool}`,
            provider: 'mcp:docs',
            cost_usd: '0.25',
            details: {
              apiType: 'mcp',
              mcp: {
                method: 'tools/call',
                server: 'docs',
                tool,
                protocolVersion: clientEra === 'modern' ? '2026-07-28' : '2025-11-25',
                requestBytes: expect.any(Number) as number,
                resultBytes: expect.any(Number) as number,
                ...(tool === 'fail' && { isError: true }),
              },
            },
          })),
        );
        const [spent] = await app.rows('SELECT sum(amount_usd)::text AS sum FROM key_spend WHERE key_id = $1', [
          key.id,
        ]);
        expect(spent).toEqual({ sum: '0.50' });
      });

      it('tell of their progress', async () => {
        await gateway.added('docs', real[serverEra].url);
        const key = await gateway.guarded({ allowed_mcp_tools: ['docs/*'] });
        const client = await gateway.connected(clientEra, key, '/docs');
        const told: number[] = [];
        expect(await client.call('work', {}, ({ progress }) => void told.push(progress))).toMatchObject({
          content: [{ text: 'done' }],
        });
        await client.close();
        expect(told).toEqual([1]);
      });
    },
  );
});
