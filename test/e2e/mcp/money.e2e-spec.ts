import { AdmissionService } from '../../../src/modules/spend/admission.service.js';
import { mcpGateway } from './mcp-gateway.js';

const REFUSED = -32000;

describe('money and rates of calls of tools', () => {
  const gateway = mcpGateway();
  const { app, organization, real, send } = gateway;
  const call = (key: Parameters<typeof send>[0], tool = 'echo') =>
    send(key, 'tools/call', { name: `docs__${tool}`, arguments: tool === 'echo' ? { text: 'x' } : {} });

  it('answer 200 with an error once a budget of the guardrail does not pay for another call', async () => {
    await gateway.added('docs', real.modern.url, { price_per_call: 0.4, tool_prices: { fail: 0 } });
    const budget = { limit_usd: 1, reset_interval: 'daily' };
    const key = await gateway.guarded({ allowed_mcp_tools: ['docs/*'], ...budget });
    expect((await call(key)).body.result).toBeDefined();
    expect((await call(key)).body.result).toBeDefined();
    expect((await call(key)).body).toMatchObject({ error: { code: REFUSED, data: { reason: 'insufficient_budget' } } });
    expect((await call(key, 'fail')).body.result).toBeDefined();
    const [spent] = await app.rows<{ sum: string }>('SELECT sum(cost_usd)::text FROM generations WHERE key_id = $1', [
      key.id,
    ]);
    expect(spent).toEqual({ sum: '0.8' });
    expect(await app.rows('SELECT 1 FROM spend_reservations WHERE key_id = $1', [key.id])).toEqual([]);
  });

  it('leave nothing reserved where admission failed behind the reservation: 500, and the next call answers 200', async () => {
    await gateway.added('docs', real.modern.url, { price_per_call: 0.6 });
    const key = await gateway.guarded({ allowed_mcp_tools: ['docs/*'], limit_usd: 1, reset_interval: 'daily' });
    const limit = { name: 'L', measure: 'usd', window: 'daily', amount: 1, group_by: ['server'] };
    expect((await app.api.post('/limits', { key: organization.managementKey, json: limit })).status).toBe(201);
    const admissions = app.application.get(AdmissionService);
    const admit = admissions.admit.bind(admissions);
    jest.spyOn(admissions, 'admit').mockImplementationOnce(async (request) => {
      await admit(request);
      throw new Error('the connection was lost');
    });
    expect((await call(key)).status).toBe(500);
    expect(await app.rows('SELECT 1 FROM spend_reservations WHERE key_id = $1', [key.id])).toEqual([]);
    const records = await app.rows('SELECT status, cost_usd::float FROM generations WHERE key_id = $1', [key.id]);
    expect(records).toEqual([{ status: 500, cost_usd: 0 }]);
    expect((await call(key)).body.result).toBeDefined();
  });

  it('admit no more than a budget pays for, however many calls come at once', async () => {
    await gateway.added('docs', real.modern.url, { price_per_call: 0.3 });
    const key = await gateway.guarded({ allowed_mcp_tools: ['docs/*'], limit_usd: 1, reset_interval: 'daily' });
    const answers = await Promise.all(Array.from({ length: 12 }, () => call(key)));
    expect(answers.filter(({ body }) => body.result !== undefined)).toHaveLength(3);
  });

  it('answer 200 with an error beyond the requests per minute of a key', async () => {
    await gateway.added('docs', real.modern.url);
    const key = await gateway.guarded({ allowed_mcp_tools: ['docs/*'] });
    await app.api.patch(`/keys/${key.hash}`, {
      key: organization.managementKey,
      json: { rate_limits: { requests_per_minute: 2 } },
    });
    const answers = [await call(key), await call(key), await call(key)];
    expect(answers.map(({ body }) => body.error?.data?.['reason'])).toEqual([
      undefined,
      undefined,
      'key_rate_limit_exceeded',
    ]);
    expect(answers[2]!.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('count on limits by condition and group that answer 201, but on none that is about models', async () => {
    await gateway.added('docs', real.modern.url, { price_per_call: 0.4 });
    const key = await gateway.guarded({ allowed_mcp_tools: ['docs/*'] });
    const limit = { name: 'L', measure: 'requests', window: 'daily' };
    for (const fields of [
      { ...limit, amount: 2, group_by: ['api_key'], conditions: [{ key: 'operation', values: ['mcp'] }] },
      { ...limit, amount: 1, group_by: ['model'] },
    ]) {
      const made = await app.api.post('/limits', { key: organization.managementKey, json: fields });
      expect({ status: made.status, text: made.text }).toEqual({ status: 201, text: made.text });
    }
    const reasons = [await call(key), await call(key), await call(key)].map(({ body }) => body.error?.data?.['reason']);
    expect(reasons).toEqual([undefined, undefined, 'limit_exceeded']);
  });

  it('count on limits by server and tool that answer 201, of which each tool has its own count, and requests to models none', async () => {
    await gateway.added('docs', real.modern.url);
    const key = await gateway.guarded({ allowed_mcp_tools: ['docs/*'] });
    const conditions = [{ key: 'server', values: ['docs'] }];
    const limit = { name: 'L', measure: 'requests', window: 'daily', amount: 1, conditions, group_by: ['tool'] };
    const made = await app.api.post<{ data: { id: string } }>('/limits', {
      key: organization.managementKey,
      json: limit,
    });
    expect({ status: made.status, text: made.text }).toEqual({ status: 201, text: made.text });
    const reasons = [await call(key), await call(key, 'fail'), await call(key)].map(
      ({ body }) => body.error?.data?.['reason'],
    );
    expect(reasons).toEqual([undefined, undefined, 'limit_exceeded']);
    const usage = await app.api.get<{ data: { values: object }[] }>(`/limits/${made.body.data.id}/usage`, {
      key: organization.managementKey,
    });
    expect(usage.body.data.map(({ values }) => values)).toEqual(
      expect.arrayContaining([{ tool: 'docs/echo' }, { tool: 'docs/fail' }]),
    );
  });
});
