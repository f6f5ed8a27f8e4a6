import type { AnalyticsResult } from '../../../src/modules/usage/analytics/dto/analytics-query.dto.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { rollUpUsage } from '../usage/used-generations.js';
import { mcpGateway } from './mcp-gateway.js';

/** Nothing listens here. */
const NOWHERE = 'http://127.0.0.1:1/mcp';

const COUNTS = ['request_count', 'refused_count', 'failed_count', 'tool_error_count', 'total_usage'];

describe('calls of tools in analytics', () => {
  const gateway = mcpGateway();
  const { app, organization, real, added, guarded, send, records } = gateway;

  const call = (key: IssuedCredential, name: string, values: object = {}) =>
    send(key, 'tools/call', { name, arguments: values });

  const rows = async (json: object): Promise<AnalyticsResult['data']> => {
    const query = { metrics: COUNTS, order_by: { field: 'request_count', direction: 'desc' }, ...json };
    const { status, body } = await app.api.post<{ data: AnalyticsResult }>('/analytics/query', {
      key: organization.managementKey,
      json: query,
    });
    expect({ status, body }).toMatchObject({ status: 200 });
    return body.data.data;
  };

  /** Two answers, one of them of a tool that says that it has failed, one refusal of an argument, and a server that has gone away. */
  const used = async (): Promise<readonly [IssuedCredential, IssuedCredential]> => {
    await added('docs', real.modern.url, { tool_prices: { echo: 0.25 } });
    const gone = await added('gone', real.legacy.url);
    const keys = [
      await guarded({
        allowed_mcp_tools: ['docs/*', 'gone/echo'],
        mcp_argument_rules: [{ tool: 'docs/echo', schema: { properties: { text: { maxLength: 3 } } } }],
      }),
      await guarded({ allowed_mcp_tools: ['docs/echo'] }),
    ] as const;
    const moved = await app.api.patch(`/mcp-servers/${gone}`, {
      key: organization.managementKey,
      json: { url: NOWHERE, secret: 'another' },
    });
    expect(moved.status).toBe(200);
    await call(keys[0], 'docs__echo', { text: 'abc' });
    await call(keys[0], 'docs__fail');
    await call(keys[0], 'docs__echo', { text: 'longer' });
    await call(keys[0], 'gone__echo', { text: 'abc' });
    await records(keys[0], 4);
    await rollUpUsage(app);
    await call(keys[1], 'docs__echo', { text: 'longer' });
    await call(keys[1], 'docs__fail');
    await records(keys[1], 2);
    return keys;
  };

  const counts = (...[answered, refused, failed, toolErrors, usage]: readonly number[]): object => ({
    request_count: answered,
    refused_count: refused,
    failed_count: failed,
    tool_error_count: toolErrors,
    total_usage: usage,
  });

  it('are counted with 200 by tool and by server, with refusals, failures and cost, whether they are added up or not', async () => {
    await used();
    const byTool = [
      { tool: 'docs/echo', ...counts(2, 1, 0, 0, 0.5) },
      { tool: 'docs/fail', ...counts(1, 1, 0, 1, 0) },
      { tool: 'gone/echo', ...counts(0, 1, 1, 0, 0) },
    ];
    const byServer = [
      { server: 'docs', ...counts(3, 2, 0, 1, 0.5) },
      { server: 'gone', ...counts(0, 1, 1, 0, 0) },
    ];
    expect(await rows({ dimensions: ['tool'] })).toEqual(byTool);
    expect(await rows({ dimensions: ['server'] })).toEqual(byServer);
    await rollUpUsage(app);
    expect(await rows({ dimensions: ['tool'] })).toEqual(byTool);
    expect(await rows({ dimensions: ['server'], granularity: 'day' })).toEqual(
      byServer.map((row) => ({ date__day: new Date().toISOString().slice(0, 10), ...row })),
    );
  });

  it('are counted with 200 by key, and for one server or tool alone', async () => {
    const [one, other] = await used();
    const ofTool = { field: 'tool', operator: 'eq', value: 'docs/echo' };
    expect(await rows({ metrics: ['request_count'], dimensions: ['api_key_id'], filters: [ofTool] })).toMatchObject([
      { api_key_id: expect.any(String) as string, request_count: 1 },
      { api_key_id: expect.any(String) as string, request_count: 1 },
    ]);
    const notDocs = { field: 'server', operator: 'neq', value: 'docs' };
    expect(await rows({ dimensions: ['api_key_id', 'server'], filters: [notDocs] })).toMatchObject([
      { api_key_id: one.hash, server: 'gone', ...counts(0, 1, 1, 0, 0) },
    ]);
    expect(await rows({ metrics: ['failed_count'], dimensions: ['api_key_id'], order_by: undefined })).toMatchObject([
      { api_key_id: one.hash, failed_count: 1 },
      { api_key_id: other.hash, failed_count: 0 },
    ]);
  });

  it('are counted with 200 by the reasons of refusals', async () => {
    await used();
    const found = await rows({
      metrics: ['refused_count', 'tool_error_count'],
      dimensions: ['tool', 'refusal'],
      order_by: { field: 'tool', direction: 'asc' },
    });
    expect(found).toEqual([
      { tool: 'docs/echo', refusal: 'mcp_arguments_not_allowed', refused_count: 1, tool_error_count: 0 },
      { tool: 'docs/fail', refusal: 'mcp_tool_not_found', refused_count: 1, tool_error_count: 0 },
      { tool: 'gone/echo', refusal: 'mcp_server_failed', refused_count: 1, tool_error_count: 0 },
    ]);
  });

  it('are told from requests to models that answer 400, whatever model these have asked for', async () => {
    await used();
    const key = await guarded({ allowed_mcp_tools: [] });
    const asked = await app.api.post('/chat/completions', {
      key: key.plaintext,
      json: { model: 'mcp:docs/echo', messages: [{ role: 'user', content: 'Hello' }] },
    });
    expect(asked.status).toBe(400);
    await records(key, 1);
    const filters = [{ field: 'api_key_id', operator: 'eq', value: key.hash }];
    expect(
      await rows({ metrics: ['refused_count'], dimensions: ['server', 'tool'], order_by: undefined, filters }),
    ).toEqual([{ server: null, tool: null, refused_count: 1 }]);
  });

  it('are rows of the table of activity with 200, by model and key', async () => {
    const [, key] = await used();
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    // Of today there is no activity yet.
    await app.rows(
      `UPDATE usage_additions SET starts_at = starts_at - interval '1 day' WHERE organization_id = $1 RETURNING 1`,
      [organization.organizationId],
    );
    const table = await app.api.get(`/activity?date=${yesterday}&api_key_hash=${key.hash}`, {
      key: organization.managementKey,
      headers: { accept: 'text/csv' },
    });
    expect(table.status).toBe(200);
    const [names, ...lines] = table.text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(1);
    const cells = lines[0]!.split(',');
    const row = Object.fromEntries(names!.split(',').map((name, index) => [name, cells[index]]));
    expect(row).toMatchObject({
      date: yesterday,
      api_key_hash: key.hash,
      model: 'mcp:docs/echo',
      endpoint_id: 'docs',
      provider_name: 'mcp:docs',
      requests: '1',
      usage: '0.25',
    });
  });
});
