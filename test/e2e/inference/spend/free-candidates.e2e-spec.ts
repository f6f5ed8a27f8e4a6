import { endpoint } from '../test-gateway.js';
import { sharedGateway } from '../shared-gateway.js';
import { COST, limitedRequests } from './limited-requests.js';

const FREE = { prompt: '0', completion: '0', web_search: '0.01' };

/** Nothing for a token, but something for a request, or at some time of the day. */
const NEARLY_FREE = { prompt: '0', completion: '0', overrides: [{ min_prompt_tokens: 100_000, prompt: '0.1' }] };

describe('what costs nothing, when a limit is met', () => {
  const { gateway, organization, key, ask, managed, setLimit, reservations } = limitedRequests(() =>
    sharedGateway({
      models: {
        'acme/free': [endpoint('beta', { pricing: FREE })],
        'acme/nearly-free': [endpoint('beta', { pricing: NEARLY_FREE })],
        'acme/mixed': [endpoint('alpha'), endpoint('beta', { pricing: FREE })],
      },
    }),
  );

  const spend = async (): Promise<void> => {
    await setLimit(key, COST);
    expect((await ask(key)).status).toBe(200);
  };

  const setWorkspaceBudget = (limit: number): Promise<void> =>
    managed('put', `/workspaces/${organization.workspaceId}/budgets/monthly`, { limit_usd: limit });

  it('is answered (200) by the endpoints without a price alone, however the model is named', async () => {
    await spend();
    for (const fields of [
      { model: 'acme/free' },
      { model: 'acme/mixed', provider: { order: ['alpha', 'beta'] } },
      { model: 'acme/mixed', provider: { order: ['alpha', 'beta'], allow_fallbacks: false } },
      { model: 'acme/writer', models: ['acme/free'] },
    ]) {
      gateway.alpha.received.length = 0;
      const answer = await ask(key, fields);
      expect([answer.status, gateway.alpha.received.length]).toEqual([200, 0]);
      expect(await gateway.record(answer, key)).toMatchObject({ provider_name: 'Beta Cloud', total_cost: 0 });
    }
    expect(await reservations()).toEqual([]);
  });

  it.each([
    ['an endpoint with a price', 'acme/writer'],
    ['one that has a price under a condition', 'acme/nearly-free'],
  ])('is not %s: answers 403 as before', async (_, model) => {
    await spend();
    gateway.beta.received.length = 0;
    const { status, body } = await ask(key, { model });
    expect([status, body]).toMatchObject([403, { error: { metadata: { reason: 'key_limit_exceeded' } } }]);
    expect(gateway.beta.received).toEqual([]);
  });

  it('answers 403 where the request excludes what costs nothing', async () => {
    await spend();
    const { status, body } = await ask(key, { model: 'acme/mixed', provider: { only: ['alpha'] } });
    expect([status, body]).toMatchObject([403, { error: { metadata: { reason: 'key_limit_exceeded' } } }]);
  });

  it('is answered (200) until a limit is zero, and then refused with 403, also beside a broader one that is met', async () => {
    await spend();
    await setWorkspaceBudget(COST);
    expect((await ask(key, { model: 'acme/free' })).status).toBe(200);
    await setLimit(key, 0);
    const { status, body } = await ask(key, { model: 'acme/free' });
    expect([status, body]).toMatchObject([403, { error: { metadata: { reason: 'workspace_budget_exceeded' } } }]);
  });

  it('is answered (200) where what is left does not pay for others, and answers 402 for these', async () => {
    await setLimit(key, COST / 2);
    const fields = { max_tokens: 50, provider: { order: ['alpha', 'beta'] } };
    expect((await ask(key, { model: 'acme/writer', ...fields })).status).toBe(402);
    gateway.alpha.received.length = 0;
    expect((await ask(key, { model: 'acme/mixed', ...fields })).status).toBe(200);
    expect([gateway.alpha.received, await reservations()]).toEqual([[], []]);
  });

  it.each(['daily', 'weekly', 'monthly'])(
    'is answered (200) under a %s budget of a guardrail that is met',
    async (interval) => {
      const guarded = await gateway.guardedKey(organization, { limit_usd: COST, reset_interval: interval });
      expect((await ask(guarded)).status).toBe(200);
      expect((await ask(guarded)).status).toBe(403);
      expect((await ask(guarded, { model: 'acme/free' })).status).toBe(200);
    },
  );
});
