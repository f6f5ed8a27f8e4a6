import { newLimit } from '../../../support/resources/limits.js';
import { admissionEvaluation, COST } from './admission-evaluation.js';

describe('evaluateGuardrail under limits by condition and group', () => {
  const { gateway, organization, key, ask, managed, guardrail, evaluated } = admissionEvaluation();

  const limit = (fields: object): Promise<string> => newLimit(gateway.app, organization, { ...fields });

  /** What evaluations of one guardrail say of the requests of a key. */
  const evaluations = async (): Promise<(fields: object) => Promise<Awaited<ReturnType<typeof evaluated>>>> => {
    const id = await guardrail({});
    return (fields) => evaluated(id, { max_tokens: 5, ...fields }, { api_key_hash: key.hash });
  };

  const counters = async (): Promise<object[]> =>
    gateway.app.rows('SELECT limit_id, combination, amount, reserved FROM limit_counters WHERE organization_id = $1', [
      organization.organizationId,
    ]);

  it('answers 200 with each counter and what is left of it, as the request is then decided', async () => {
    const ofUsd = await limit({ measure: 'usd', amount: 2.5 * COST });
    const ofRequests = await limit({ group_by: ['label.team'], measure: 'requests', amount: 3 });
    await limit({ group_by: ['session'], amount: 0 });
    const evaluate = await evaluations();
    const request = { user: 'ada', metadata: { team: 'search' } };
    expect((await ask(key, { max_tokens: 5, ...request })).status).toBe(200);
    const before = await counters();
    const { outcome, admission } = await evaluate(request);
    expect(outcome).toBe('admitted');
    expect(admission!.limits_by_group).toEqual([
      {
        id: ofUsd,
        name: 'Agents',
        measure: 'usd',
        window: 'daily',
        values: { user: 'ada' },
        amount: 2.5 * COST,
        used: COST,
        reserved: 0,
        remaining: 1.5 * COST,
        counts: COST,
        effect: 'none',
        capped_max_tokens: null,
        enforcement: 'enforce',
      },
      expect.objectContaining({ id: ofRequests, values: { 'label.team': 'search' }, used: 1, remaining: 2, counts: 1 }),
    ]);
    expect(await counters()).toEqual(before);

    expect((await ask(key, { max_tokens: 5, ...request })).status).toBe(200);
    expect(await evaluate(request)).toMatchObject({
      outcome: 'refused',
      refused_at: 'admission',
      status: 402,
      reason: 'insufficient_budget',
      admission: { limits_by_group: [{ effect: 'refuses' }, { remaining: 1, effect: 'none' }] },
    });
    expect((await ask(key, { max_tokens: 5, ...request })).status).toBe(402);
    expect((await evaluate({ user: 'grace' })).admission!.limits_by_group).toMatchObject([
      { values: { user: 'grace' }, used: 0, effect: 'none' },
    ]);
  });

  it('answers 200 without counters where no limit applies', async () => {
    await limit({ group_by: ['user'], amount: 0 });
    expect((await (await evaluations())({})).admission).not.toHaveProperty('limits_by_group');
  });

  it('answers 200 with the answer that a limit caps', async () => {
    await limit({ group_by: [], measure: 'usd', amount: COST });
    expect(await (await evaluations())({ max_tokens: null })).toMatchObject({
      outcome: 'admitted',
      admission: { limits_by_group: [{ effect: 'caps', capped_max_tokens: 5 }], capped_max_tokens: 5 },
    });
  });

  it('answers 200 with candidates that limits leave, and the others among the excluded ones', async () => {
    await limit({ group_by: ['provider'], conditions: [{ key: 'provider', values: ['alpha'] }], amount: 0 });
    const evaluate = await evaluations();
    expect(await evaluate({ provider: { order: ['alpha', 'beta'] } })).toMatchObject({
      outcome: 'admitted',
      candidates: [{ provider: 'beta' }],
      excluded_endpoints: [{ provider: 'alpha', reason: 'spending_limit' }],
      admission: { limits_by_group: [{ values: { provider: 'alpha' }, effect: 'excludes' }] },
    });
  });

  it('answers 200 with what a limit that observes would do, and with the 400 of a missing value', async () => {
    const observing = await limit({ enforcement: 'observe', amount: 0 });
    await limit({ group_by: ['session'], on_missing: 'refuse' });
    const evaluate = await evaluations();
    expect(await evaluate({ user: 'ada', session_id: 'build' })).toMatchObject({
      outcome: 'admitted',
      observed: [{ kind: 'limit', id: observing, outcome: 'refused', values: { user: 'ada' } }],
      admission: { limits_by_group: [{ effect: 'refuses', enforcement: 'observe' }, { effect: 'none' }] },
    });
    expect(await evaluate({ user: 'ada' })).toMatchObject({
      outcome: 'refused',
      refused_at: 'admission',
      status: 400,
      reason: 'limit_value_missing',
    });
  });

  it('answers 200 with the 403 of an end user that the key is not bound to', async () => {
    await managed('patch', `/keys/${key.hash}`, { bound_user: 'ada' });
    expect(await (await evaluations())({ user: 'grace' })).toMatchObject({
      outcome: 'refused',
      refused_at: 'subject',
      status: 403,
      reason: 'end_user_not_allowed',
    });
  });
});
