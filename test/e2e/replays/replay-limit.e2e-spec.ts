import { setTimeout as delay } from 'node:timers/promises';
import type { Replay } from '../../../src/modules/replays/dto/replay.dto.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { keyPerTest, organizationPerTest } from '../../support/application/shared-organization.js';
import { newLimit } from '../../support/resources/limits.js';
import { PROVIDER_SECRET } from '../../support/resources/provider-keys.js';
import { until } from '../../support/time/until.js';
import { completion } from '../inference/provider-answers.js';
import { sharedGateway } from '../inference/shared-gateway.js';

/** What a request to Alpha costs, and may cost at most: 18 tokens of the prompt and 5 of the answer. */
const COST = 0.000028;
const USAGE = { prompt_tokens: 18, completion_tokens: 5, total_tokens: 23 };

/** Limits that are replayed, each with an amount that some of the requests do not fit. */
const LIMITS: readonly (readonly [string, object, number])[] = [
  ['requests of each end user', { group_by: ['user'], measure: 'requests' }, 3],
  ['tokens of each session', { group_by: ['session'], measure: 'tokens', window: 'session' }, 46],
  ['US dollars of each label', { group_by: ['label.team'], measure: 'usd' }, 2 * COST],
  ['requests of one end user', { group_by: [], conditions: [{ key: 'user', values: ['ada'] }] }, 2],
  ['requests that must name a user', { group_by: ['user'], on_missing: 'refuse' }, 4],
  ['requests that share a counter without a user', { group_by: ['user'], on_missing: 'shared' }, 4],
  ['requests of each key, of which none is too much', { group_by: ['api_key'] }, 1_000],
];

const USERS = ['ada', 'grace', undefined];
const SESSIONS = ['build', 'chat'];
const TEAMS = ['search', 'ads', undefined, 'search'];

describe('replayLimit', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeEach(() => gateway.alpha.answerJson(completion('All is well.', { usage: USAGE })));

  const call = async <Data>(method: 'get' | 'post' | 'patch', path: string, json?: object): Promise<Data> => {
    const answer = await gateway.app.api[method]<{ data: Data }>(path, { key: organization.managementKey, json });
    expect({ path, text: answer.text }).toEqual({ path, text: expect.stringContaining('"data"') as unknown });
    return answer.body.data;
  };

  const span = (): { from: string; to: string } => ({
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date().toISOString(),
  });

  const replayed = async (limitId: string, fields: object): Promise<Replay> => {
    const begun = await call<Replay>('post', `/limits/${limitId}/replay`, { ...span(), ...fields });
    expect(begun).toMatchObject({ state: 'running', guardrail_id: null, limit_id: limitId });
    let replay = begun;
    await until(async () => {
      replay = await call<Replay>('get', `/replays/${begun.id}`);
      return replay.state !== 'running';
    });
    return replay;
  };

  /** Asks 24 times for different end users, sessions and teams, one after the other. @returns how many were refused */
  const askAll = async (issued: IssuedCredential = key): Promise<number> => {
    let refused = 0;
    for (let index = 0; index < 24; index += 1) {
      const [user, team] = [USERS[index % USERS.length], TEAMS[index % TEAMS.length]];
      const { status } = await gateway.ask(issued, {
        max_tokens: 5,
        provider: { only: ['alpha'] },
        session_id: SESSIONS[index % SESSIONS.length],
        ...(user !== undefined && { user }),
        ...(team !== undefined && { metadata: { team } }),
      });
      if (status !== 200) refused += 1;
    }
    return refused;
  };

  it.each(LIMITS)(
    'answers 202, and finds as many refusals of %s as there are once it holds',
    async (_, fields, amount) => {
      expect(await askAll()).toBe(0);
      const id = await newLimit(gateway.app, organization, {
        measure: 'requests',
        window: 'monthly',
        ...fields,
        amount: 1_000_000,
      });
      const { state, read_count, result } = await replayed(id, { draft: { amount } });
      await call('patch', `/limits/${id}`, { amount });
      const refused = await askAll();

      expect({ state, refused: result!.refused_count }).toEqual({ state: 'finished', refused });
      expect(refused > 0).toBe(amount < 1_000);
      expect(read_count).toBeLessThanOrEqual(24);
      expect(result!.refused_cost_usd).toBeCloseTo(refused * COST, 12);
      expect(result!.keys).toEqual(
        refused === 0 ? [] : [expect.objectContaining({ key_hash: key.hash, count: refused })],
      );
      expect(result!.rules).toEqual(
        refused === 0 ? [] : [expect.objectContaining({ outcome: 'refused', reason: 'limit', count: refused })],
      );
    },
  );

  it('answers 202 with the exceptions of the limit, and with candidates that it would have taken out', async () => {
    expect(await askAll()).toBe(0);
    const id = await newLimit(gateway.app, organization, { group_by: ['user'], amount: 3 });
    await call('post', `/limits/${id}/exceptions`, { values: { user: 'ada' }, amount: 100 });
    // Grace's eight requests less three.
    expect((await replayed(id, {})).result).toMatchObject({ refused_count: 5 });
    const ofProvider = await newLimit(gateway.app, organization, { group_by: ['provider'], amount: 4 });
    expect((await replayed(ofProvider, {})).result).toMatchObject({
      refused_count: 0,
      rules: [{ outcome: 'excluded', reason: 'limit', count: 20 }],
    });
  });

  it('counts what its window had before the span, with requests of 200, and does not show it', async () => {
    const ask = async (times: number): Promise<void> => {
      for (let asked = 0; asked < times; asked += 1) {
        expect((await gateway.ask(key, { max_tokens: 5, provider: { only: ['alpha'] } })).status).toBe(200);
      }
    };
    await ask(5);
    // Records have the second in which their requests came, and no order within it.
    await delay(1_000 - (Date.now() % 1_000));
    const from = new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString();
    await ask(3);
    const id = await newLimit(gateway.app, organization, { group_by: [], amount: 4, window: 'monthly' });
    const { result, read_count } = await replayed(id, { from, to: new Date().toISOString() });
    expect(read_count).toBe(3);
    expect(result).toMatchObject({ refused_count: 3, rules: [{ count: 3 }], keys: [{ count: 3 }] });
    expect(result!.refused_cost_usd).toBeCloseTo(3 * COST, 12);
  });

  it('counts tokens of a 200 through own provider keys where the limit does', async () => {
    const json = { provider: 'alpha', key: PROVIDER_SECRET };
    expect((await gateway.app.api.post('/byok', { key: organization.managementKey, json })).status).toBe(201);
    for (let asked = 0; asked < 3; asked += 1) {
      expect((await gateway.ask(key, { max_tokens: 5, provider: { only: ['alpha'] } })).status).toBe(200);
    }
    const limit = { group_by: [], measure: 'tokens', amount: 23, window: 'monthly' };
    const without = await newLimit(gateway.app, organization, limit);
    expect((await replayed(without, {})).result).toMatchObject({ refused_count: 0 });
    expect((await replayed(without, { draft: { include_byok: true } })).result).toMatchObject({ refused_count: 2 });
  });

  it('answers 400 for a limit of requests at the same time, and for changes that an update refuses', async () => {
    const concurrent = await newLimit(gateway.app, organization, { measure: 'concurrent', window: null });
    const id = await newLimit(gateway.app, organization);
    const begin = (limit: string, json: object) =>
      gateway.app.api.post(`/limits/${limit}/replay`, { key: organization.managementKey, json });
    expect(await begin(concurrent, span())).toMatchObject({
      status: 400,
      body: { error: { metadata: { reason: 'limit_not_replayable' } } },
    });
    expect(await begin(id, { ...span(), draft: { amount: 1.5 } })).toMatchObject({
      status: 400,
      body: { error: { metadata: { issues: [{ path: 'draft.amount' }] } } },
    });
    expect(await begin(id, { ...span(), draft: { conditions: [{ key: 'nothing', values: '*' }] } })).toMatchObject({
      status: 400,
      body: { error: { metadata: { issues: [{ path: 'draft.conditions[0].key' }] } } },
    });
    expect(await begin(id, { ...span(), to: new Date(Date.now() + 60_000).toISOString() })).toMatchObject({
      status: 400,
      body: { error: { metadata: { reason: 'invalid_replay_span' } } },
    });
  });
});
