import { scrape, valueOf } from '../metrics/scrape.js';
import { mcpGateway } from './mcp-gateway.js';

const TOKEN = 'token-for-tests';

describe('the metrics of MCP servers', () => {
  const gateway = mcpGateway({ METRICS_TOKEN: TOKEN });

  it('count calls by what has come of them: answered, failed by the tool, and refused', async () => {
    await gateway.added('docs', gateway.real.modern.url, { tool_prices: { leak: 2 } });
    const key = await gateway.guarded({ allowed_mcp_tools: ['docs/*'], limit_usd: 1, reset_interval: 'daily' });
    for (const [tool, values] of [
      ['echo', { text: 'Hello' }],
      ['echo', { text: 'Hello' }],
      ['fail', {}],
      ['leak', {}],
    ] as const) {
      await gateway.send(key, 'tools/call', { name: `docs__${tool}`, arguments: values });
    }
    const metrics = await scrape(`${gateway.app.origin}/metrics`, TOKEN);
    const count = (outcome: string): number =>
      valueOf(metrics, 'gatehouse_mcp_request_seconds_count', { method: 'tools/call', outcome });
    expect([count('answered'), count('tool_failed'), count('refused')]).toEqual([2, 1, 1]);
  });
});
