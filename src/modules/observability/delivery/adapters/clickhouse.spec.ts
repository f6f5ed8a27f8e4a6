import { CANARY, FAILED_GENERATION, outgoing } from '../../../../../test/support/delivery/generation-events.js';
import { sharedReceiver, targetOf } from '../../../../../test/support/delivery/receiver.js';
import { CLICKHOUSE_ADAPTER } from './clickhouse.js';

const CONFIG = {
  host: 'ch.example.com:8443',
  database: 'traces',
  table: 'T`1\\',
  username: 'u',
  password: 'p-0123456789',
};

describe('ClickHouse', () => {
  const receiver = sharedReceiver();

  async function deliver(generations = [outgoing()], changes: Record<string, unknown> = {}) {
    return CLICKHOUSE_ADAPTER.deliver(generations, targetOf({ ...CONFIG, ...changes }), receiver);
  }

  it('gets a row for each generation with one insert', async () => {
    await expect(deliver([outgoing(), outgoing({ ...FAILED_GENERATION, id: 'gen-2' })])).resolves.toEqual({
      outcome: 'delivered',
    });
    const { host, searchParams } = new URL(receiver.urls[0]!);
    expect(host).toBe('ch.example.com:8443');
    expect(Object.fromEntries(searchParams)).toEqual({
      database: 'traces',
      query: 'INSERT INTO `T\\`1\\\\` FORMAT JSONEachRow',
      async_insert: '1',
      wait_for_async_insert: '1',
      date_time_input_format: 'best_effort',
      input_format_skip_unknown_fields: '1',
      insert_deduplication_token: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const lines = receiver.last.body.toString().trimEnd().split('\n');
    const rows = lines.map((line) => JSON.parse(line) as Record<string, string>);
    expect(rows).toMatchObject([
      {
        TRACE_ID: outgoing().event.id,
        SPAN_ID: outgoing().event.id,
        USER_ID: 'customer-1',
        SESSION_ID: 'session-1',
        TIMESTAMP: '2026-11-26T14:24:32.198Z',
        END_TIME: '2026-11-26T14:24:34.543Z',
        DURATION_MS: 2_345.25,
        STATUS: 'ok',
        LEVEL: 'DEFAULT',
        TOTAL_TOKENS: 150,
        TOTAL_COST: 0.0012,
        SPAN_TYPE: 'GENERATION',
        TAGS: '["blue","green"]',
      },
      { TRACE_ID: 'gen-2', STATUS: 'error', LEVEL: 'ERROR' },
    ]);
    expect(JSON.parse(rows[0]!['OUTPUT']!)).toMatchObject({ completion: `Rain. ${CANARY}` });
    expect(JSON.parse(rows[0]!['METADATA']!)).toMatchObject({ feature: 'search', team: 'search' });
    expect(JSON.parse(rows[0]!['ATTRIBUTES']!)).toMatchObject({ 'gen_ai.usage.input_tokens': 120 });
    expect(rows[1]).not.toHaveProperty('PROMPT_TOKENS');
  });

  it('gets the same token for the same generations only', async () => {
    for (const ids of [['a', 'b'], ['a', 'b'], ['a']]) await deliver(ids.map((id) => outgoing({ id })));
    const tokens = receiver.urls.map((url) => new URL(url).searchParams.get('insert_deduplication_token'));
    expect(tokens[1]).toBe(tokens[0]);
    expect(tokens[2]).not.toBe(tokens[0]);
  });

  it.each([
    [404, 60, 'misconfigured'],
    [404, 81, 'misconfigured'],
    [403, 516, 'misconfigured'],
    [500, 497, 'misconfigured'],
    [400, 16, 'misconfigured'],
    [400, 27, 'refused'],
    [500, 26, 'refused'],
    [400, 117, 'refused'],
    [500, 241, 'unavailable'],
    [500, 252, 'unavailable'],
    [404, 242, 'unavailable'],
    [500, 1, 'failed'],
  ])('that answers %i with the code %i has it counted as %s', async (status, code, outcome) => {
    const body = `Code: ${code}. DB::Exception: something with ${CONFIG.password}`;
    receiver.answer = () => ({ status, body, headers: { 'x-clickhouse-exception-code': String(code) } });
    await expect(deliver()).resolves.toEqual({
      outcome,
      status,
      message: `HTTP ${status}: Code: ${code}. DB::Exception: something with ****`,
    });
    receiver.answer = () => ({ status, body });
    await expect(deliver()).resolves.toMatchObject({ outcome });
  });

  it('that fails after its answer has begun is tried again', async () => {
    receiver.answer = () => ({ status: 200, body: 'Code: 1.', headers: { 'x-clickhouse-exception-code': '1' } });
    await expect(deliver()).resolves.toMatchObject({ outcome: 'failed' });
  });
});
