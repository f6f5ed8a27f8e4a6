import { MAXIMUM_COMBINATIONS } from '../../../../src/modules/limits/limit-counters.js';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { Statements } from '../../../../src/persistence/statements.js';
import { statement } from '../../../../src/persistence/statement.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import type { Answer } from '../../../support/network/api-client.js';
import { completion } from '../provider-answers.js';
import type { WholeAnswer } from '../read-answers.js';
import { CHAT, QUESTION } from '../test-gateway.js';
import { sharedGateway } from '../shared-gateway.js';

/** What a request to Alpha costs, and may cost at most: 18 tokens of the prompt and 5 of the answer. */
const COST = 0.000028;
const USAGE = { prompt_tokens: 18, completion_tokens: 5, total_tokens: 23 };
const AT_MOST = { max_tokens: 5, provider: { only: ['alpha'] } };

interface Refusal {
  readonly error: {
    readonly message: string;
    readonly metadata: { readonly reason: string; readonly limited_by?: Readonly<Record<string, unknown>> };
  };
}

interface StoredCounter {
  readonly values: Readonly<Record<string, string | null>>;
  readonly amount: string;
  readonly reserved: string;
}

const COUNTERS = statement<StoredCounter, [limitId: string]>(
  'test_counters',
  `SELECT c."values", trim_scale(c.amount)::text AS amount, trim_scale(c.reserved)::text AS reserved
    FROM limit_counters c WHERE c.limit_id = $1::uuid ORDER BY c."values"::text`,
);

const END_EXCEPTION = statement<never, [id: string]>(
  'test_end_exception',
  `UPDATE limit_exceptions SET until = now() - interval '1 second' WHERE id = $1::uuid`,
);

/** Lets the time of the counters of some end users be over, some of which hold something. */
const EXPIRE_COUNTERS = statement<never, [limitId: string, users: readonly string[], holding: readonly string[]]>(
  'test_expire_counters',
  `UPDATE limit_counters c SET expires_at = now() - interval '1 second',
      reserved_with_byok = CASE WHEN c."values"->>'user' = ANY ($3::text[]) THEN 1 ELSE c.reserved_with_byok END
    WHERE c.limit_id = $1::uuid AND c."values"->>'user' = ANY ($2::text[])`,
);

const POPULATIONS = statement<{ readonly combinations: string }, [organizationId: string]>(
  'test_populations',
  'SELECT p.combinations::text AS combinations FROM limit_populations p WHERE p.organization_id = $1',
);

describe('limits by condition and group', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeEach(() => {
    gateway.alpha.answerWith((response) => {
      const document = JSON.stringify(completion('All is well.', { usage: USAGE }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(document);
    });
  });

  const ask = (fields: object = {}, issued: IssuedCredential = key): Promise<Answer<WholeAnswer>> =>
    gateway.ask(issued, { ...AT_MOST, ...fields });

  const createLimit = async (fields: object): Promise<string> => {
    const { status, body } = await gateway.app.api.post<{ data: { id: string } }>('/limits', {
      key: organization.managementKey,
      json: { name: 'Agents', ...fields },
    });
    expect({ status, body }).toMatchObject({ status: 201 });
    return body.data.id;
  };

  const counters = (limitId: string): Promise<StoredCounter[]> =>
    gateway.app.application.get(Statements).rows(COUNTERS, [limitId]);

  const refusalOf = ({ status, body }: Answer<WholeAnswer>): object => {
    const { message, metadata } = (body as unknown as Refusal).error;
    return { status, message, reason: metadata.reason, limited_by: metadata.limited_by };
  };

  it('refuse with a 403 the end user who has spent the US dollars, and no other', async () => {
    const id = await createLimit({ group_by: ['user'], measure: 'usd', amount: COST, window: 'daily' });
    expect((await ask({ user: 'ada' })).status).toBe(200);
    expect(await counters(id)).toEqual([{ values: { user: 'ada' }, amount: '0.000028', reserved: '0' }]);

    const refused = await ask({ user: 'ada' });
    const limitedBy = {
      subject: 'limit',
      id,
      name: 'Agents',
      measure: 'usd',
      window: 'daily',
      values: { user: 'ada' },
    };
    expect(refusalOf(refused)).toEqual({
      status: 403,
      message: `Limit "Agents" of ${COST} US dollars (daily) for user ada exceeded. Contact your org admin.`,
      reason: 'limit_exceeded',
      limited_by: limitedBy,
    });
    expect(await gateway.record(refused, key)).toMatchObject({
      status: 403,
      refusal: 'limit_exceeded',
      limited_by: limitedBy,
      total_cost: 0,
    });
    expect((await ask({ user: 'grace' })).status).toBe(200);
    expect((await ask()).status).toBe(200);
  });

  it.each([
    ['requests', { measure: 'requests', amount: 1, window: 'minute' }, true],
    ['tokens', { measure: 'tokens', amount: 40, window: 'session', group_by: ['session'] }, false],
  ])('refuse with a 429 what is beyond a limit of %s', async (_, fields, hasEnd) => {
    await createLimit({ group_by: ['session'], ...fields });
    expect((await ask({ session_id: 'build' })).status).toBe(200);
    const refused = await ask({ session_id: 'build' });
    expect(refusalOf(refused)).toMatchObject({ status: 429, reason: 'limit_exceeded' });
    expect(refused.headers.get('retry-after') !== null).toBe(hasEnd);
    expect((await ask({ session_id: 'another' })).status).toBe(200);
  });

  it('answer 429 to requests at the same time only while others are being answered', async () => {
    const id = await createLimit({ group_by: ['api_key'], measure: 'concurrent', amount: 1 });
    let answer = (): void => undefined;
    const isAsked = new Promise<void>((asked) => {
      gateway.alpha.answerWith((response) => {
        answer = () =>
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify(completion('All is well.', { usage: USAGE })));
        asked();
      });
    });
    const first = ask();
    await isAsked;
    expect(refusalOf(await ask())).toMatchObject({ status: 429, reason: 'limit_exceeded' });
    answer();
    expect((await first).status).toBe(200);
    expect(await counters(id)).toMatchObject([{ amount: '0', reserved: '0' }]);
  });

  it('ask another provider where that of one candidate is met, and answer 429 when none is left', async () => {
    gateway.beta.answerWith((response) => {
      const document = JSON.stringify(completion('From Beta.', { usage: USAGE }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(document);
    });
    await createLimit({ group_by: ['provider'], measure: 'requests', amount: 1, window: 'daily' });
    const providers: unknown[] = [];
    for (let number = 0; number < 2; number += 1) {
      const answered = await gateway.ask(key, { max_tokens: 5 });
      providers.push((await gateway.record(answered, key))['provider_name']);
    }
    expect(providers).toEqual(['Alpha Cloud', 'Beta Cloud']);
    expect(refusalOf(await gateway.ask(key, { max_tokens: 5 }))).toMatchObject({
      status: 429,
      limited_by: { values: { provider: 'alpha' } },
    });
  });

  it('answer a request that names no session with 200, 429 or 400, as on_missing says', async () => {
    const by = { group_by: ['session'], measure: 'requests', amount: 1, window: 'daily' };
    const none = await createLimit(by);
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    expect(await counters(none)).toEqual([]);
    const shared = await createLimit({ ...by, on_missing: 'shared' });
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
    expect(await counters(shared)).toEqual([{ values: { session: null }, amount: '1', reserved: '0' }]);
    const refusing = await createLimit({ ...by, on_missing: 'refuse' });
    const refused = await ask();
    const limitedBy = { subject: 'limit', id: refusing, values: { session: null } };
    expect(refusalOf(refused)).toMatchObject({ status: 400, reason: 'limit_value_missing', limited_by: limitedBy });
    expect(await gateway.record(refused, key)).toMatchObject({ status: 400, limited_by: limitedBy });
  });

  it('answer 200 while they observe, and record what they would have refused', async () => {
    const observing = { group_by: ['user'], measure: 'requests', amount: 1, window: 'daily', enforcement: 'observe' };
    const id = await createLimit(observing);
    expect((await ask({ user: 'ada' })).status).toBe(200);
    const second = await ask({ user: 'ada' });
    expect(second.status).toBe(200);
    expect(await gateway.record(second, key)).toMatchObject({
      observed: [{ kind: 'limit', id, outcome: 'refused', values: { user: 'ada' } }],
    });
    expect(await counters(id)).toMatchObject([{ amount: '2', reserved: '0' }]);
  });

  it('answer 200 to one combination by an exception, and 429 when its time is over', async () => {
    const id = await createLimit({ group_by: ['user'], measure: 'requests', amount: 1, window: 'daily' });
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const made = await gateway.app.api.post<{ data: { id: string } }>(`/limits/${id}/exceptions`, {
      key: organization.managementKey,
      json: { values: { user: 'ada' }, amount: 2, until },
    });
    expect(made.status).toBe(201);
    const statuses = async (user: string): Promise<number[]> => [
      (await ask({ user })).status,
      (await ask({ user })).status,
    ];
    expect(await statuses('ada')).toEqual([200, 200]);
    expect(await statuses('grace')).toEqual([200, 429]);
    await gateway.app.application.get(Statements).write(END_EXCEPTION, [made.body.data.id]);
    expect((await ask({ user: 'ada' })).status).toBe(429);
  });

  it('answer 429 to the next request after a change, and 200 after the deletion', async () => {
    const id = await createLimit({ group_by: ['user'], measure: 'requests', amount: 5, window: 'daily' });
    expect((await ask({ user: 'ada' })).status).toBe(200);
    const managed = { key: organization.managementKey };
    await gateway.app.api.patch(`/limits/${id}`, { ...managed, json: { amount: 1 } });
    expect((await ask({ user: 'ada' })).status).toBe(429);
    await gateway.app.api.delete(`/limits/${id}`, managed);
    expect((await ask({ user: 'ada' })).status).toBe(200);
  });

  it('answer 429 to further end users of a key that has made as many counters as it may, and 200 to those of others', async () => {
    const id = await createLimit({ group_by: ['user'], measure: 'requests', amount: 2, window: 'daily' });
    expect((await ask({ user: 'ada' })).status).toBe(200);
    await gateway.app.rows('UPDATE limit_populations SET combinations = $2 WHERE key_id = $1', [
      key.id,
      MAXIMUM_COMBINATIONS.ofKey,
    ]);
    const forged = ['forged-1', 'forged-2', 'forged-3'];
    const statuses: number[] = [];
    for (const user of forged) statuses.push((await ask({ user })).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect(await counters(id)).toEqual([
      { values: { user: 'ada' }, amount: '1', reserved: '0' },
      { values: {}, amount: '2', reserved: '0' },
    ]);
    // Who had a counter keeps it, and another key makes its own.
    expect((await ask({ user: 'ada' })).status).toBe(200);
    const other = await gateway.app.factory.key(organization);
    expect((await ask({ user: 'forged-3' }, other)).status).toBe(200);
    expect(await counters(id)).toContainEqual({ values: { user: 'forged-3' }, amount: '1', reserved: '0' });
  });

  it('forget counters whose time is over with a further one (200), but for those that hold something', async () => {
    const id = await createLimit({ group_by: ['user'], measure: 'requests', amount: 5, window: 'hour' });
    for (const user of ['ada', 'grace', 'mary']) expect((await ask({ user })).status).toBe(200);
    const users = async (): Promise<unknown[]> => (await counters(id)).map(({ values }) => values['user']);
    expect(await users()).toEqual(['ada', 'grace', 'mary']);

    const statements = gateway.app.application.get(Statements);
    await statements.rows(EXPIRE_COUNTERS, [id, ['ada', 'grace'], ['grace']]);
    expect((await ask({ user: 'jean' })).status).toBe(200);
    expect(await users()).toEqual(['grace', 'jean', 'mary']);
    // Of ada, grace and mary one is gone, and jean has come.
    const populations = await statements.rows(POPULATIONS, [organization.organizationId]);
    expect(populations.map(({ combinations }) => combinations)).toEqual(['3', '3']);
  });

  it('answer 200 to no more of many requests at once over two replicas than they allow', async () => {
    const usd = await createLimit({ group_by: ['user'], measure: 'usd', amount: COST * 10, window: 'monthly' });
    const requests = await createLimit({ group_by: ['session'], measure: 'requests', amount: 25, window: 'daily' });
    const replica = await gateway.replica();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, number) => {
        const fields = { user: `user-${number % 5}`, session_id: `session-${number % 2}` };
        const body = { model: 'acme/writer', messages: QUESTION, ...AT_MOST, ...fields };
        const { api } = number % 3 === 0 ? replica : gateway.app;
        return api.post(CHAT, { key: key.plaintext, json: body });
      }),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => ![200, 402, 403, 429].includes(status))).toEqual([]);
    const [ofUsers, ofSessions] = [await counters(usd), await counters(requests)];
    expect(ofUsers.every(({ amount, reserved }) => Number(amount) <= COST * 10 + 1e-12 && reserved === '0')).toBe(true);
    expect(ofSessions.map(({ amount, reserved }) => [Number(amount) <= 25, reserved])).toEqual([
      [true, '0'],
      [true, '0'],
    ]);
    const answered = statuses.filter((status) => status === 200).length;
    expect(ofSessions.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(answered);
    expect(answered).toBeGreaterThan(40);
  });
});
