import { CANARY, outgoing } from '../../../../../test/support/delivery/generation-events.js';
import { sharedReceiver, targetOf } from '../../../../../test/support/delivery/receiver.js';
import { SNOWFLAKE_ADAPTER } from './snowflake.js';

const CONFIG = {
  account: 'my_org-my_account.eu-1',
  token: 'token-0123456789',
  database: 'DB',
  schema: 'PUBLIC',
  table: 'GATEWAY_TRACES',
  warehouse: 'WH',
};

interface Statement {
  readonly statement: string;
  readonly bindings: { readonly '1': { readonly type: string; readonly value: string } };
}

describe('Snowflake', () => {
  const receiver = sharedReceiver();

  async function deliver(generations = [outgoing()], changes: Record<string, unknown> = {}) {
    return SNOWFLAKE_ADAPTER.deliver(generations, targetOf({ ...CONFIG, ...changes }), receiver);
  }

  it('gets all rows as one value of one statement', async () => {
    await expect(deliver([outgoing(), outgoing({ id: 'gen-2', sessionId: null })])).resolves.toEqual({
      outcome: 'delivered',
    });
    const { host, searchParams } = new URL(receiver.urls[0]!);
    expect(host).toBe('my-org-my-account.eu-1.snowflakecomputing.com');
    expect(searchParams.get('retry')).toBe('true');
    expect(searchParams.get('requestId')).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const body = JSON.parse(receiver.last.body.toString()) as Statement;
    expect(body).toMatchObject({ timeout: 60, database: 'DB', schema: 'PUBLIC', warehouse: 'WH' });
    const [, columns = '', values = ''] =
      /^INSERT INTO GATEWAY_TRACES \((.*)\) SELECT (.*) FROM TABLE\(FLATTEN\(INPUT => PARSE_JSON\(\?\)\)\) r$/.exec(
        body.statement,
      ) ?? [];
    const read = values.split(/, (?=r\.)/).map((value) => /^r\.value:(\w+)/.exec(value)![1]);
    expect(read).toEqual(columns.split(', '));
    expect(values).toContain('r.value:TIMESTAMP::TIMESTAMP_NTZ');
    expect(values).toContain('r.value:DURATION_MS::NUMBER(18,3)');
    expect(body.bindings['1'].type).toBe('TEXT');
    const rows = JSON.parse(body.bindings['1'].value) as Record<string, unknown>[];
    for (const row of rows) for (const column of Object.keys(row)) expect(read).toContain(column);
    expect(rows).toMatchObject([
      { TRACE_ID: outgoing().event.id, OUTPUT: { completion: `Rain. ${CANARY}` }, TAGS: ['blue', 'green'] },
      { TRACE_ID: 'gen-2' },
    ]);
    expect(rows[1]).not.toHaveProperty('SESSION_ID');
  });

  it('gets the same id of the request for the same generations only', async () => {
    for (const ids of [['a', 'b'], ['a', 'b'], ['a']]) await deliver(ids.map((id) => outgoing({ id })));
    const ids = receiver.urls.map((url) => new URL(url).searchParams.get('requestId'));
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('gets names that are not in capital letters as they are', async () => {
    await deliver([outgoing()], { table: 'my "traces"' });
    expect((JSON.parse(receiver.last.body.toString()) as Statement).statement).toContain('INTO "my ""traces""" (');
  });

  it('that has not ended is asked until it has', async () => {
    const statementHandle = '01b2-handle';
    receiver.answer = () => ({
      status: receiver.received.length < 3 ? 202 : 200,
      body: JSON.stringify({ statementHandle }),
    });
    await expect(deliver()).resolves.toEqual({ outcome: 'delivered' });
    expect(receiver.received.map(({ method, path }) => `${method} ${path.split('?')[0]!}`)).toEqual([
      'POST /api/v2/statements',
      'GET /api/v2/statements/01b2-handle',
      'GET /api/v2/statements/01b2-handle',
    ]);
    expect(receiver.last.headers.authorization).toBe('Bearer token-0123456789');
  });

  it.each(['../../x', 'a/b', '', 5])('is not asked for a statement with the odd name %j', async (statementHandle) => {
    receiver.answer = () => ({ status: 202, body: JSON.stringify({ statementHandle }) });
    await expect(deliver()).resolves.toMatchObject({ outcome: 'unavailable' });
    expect(receiver.received).toHaveLength(1);
  });

  it.each([
    [422, { code: '002003', sqlState: '02000', message: 'Object does not exist' }, 'misconfigured'],
    [422, { code: '003001', sqlState: '42501' }, 'misconfigured'],
    [422, { code: '000606', sqlState: '57P03' }, 'misconfigured'],
    [422, { code: '100069', sqlState: '22P02' }, 'refused'],
    [400, {}, 'refused'],
    [408, {}, 'unavailable'],
    [429, {}, 'throttled'],
    [503, {}, 'unavailable'],
  ])('that answers %i with %j has it counted as %s', async (status, failure, outcome) => {
    receiver.answer = () => ({ status, body: JSON.stringify(failure) });
    await expect(deliver()).resolves.toMatchObject({ outcome, status });
  });

  it('that refuses the token says what one needs', async () => {
    receiver.answer = () => ({
      status: 401,
      body: JSON.stringify({ code: '390144', message: 'JWT token is invalid.' }),
    });
    await expect(deliver()).resolves.toMatchObject({
      outcome: 'misconfigured',
      message: expect.stringContaining('network policy'),
    });
  });
});
