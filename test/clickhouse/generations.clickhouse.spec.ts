import { readFileSync } from 'node:fs';
import { CLICKHOUSE_ADAPTER } from '../../src/modules/observability/delivery/adapters/clickhouse.js';
import type { OutgoingGeneration } from '../../src/modules/observability/delivery/generation-event.js';
import {
  CANARY,
  FAILED_GENERATION,
  generationEvent,
  oddFields,
  outgoing,
  withoutContent,
} from '../support/delivery/generation-events.js';
import { sharedReceiver, targetOf } from '../support/delivery/receiver.js';
import { ClickHouseEngine } from './clickhouse-engine.js';

/** The statement that readers of the documentation are to execute. */
const [CREATE_TABLE = ''] = /CREATE TABLE GATEWAY_TRACES\n\([^;]*;/.exec(
  readFileSync('docs/interface/destination-types.md', 'utf8'),
)!;

const CONFIG = {
  host: 'https://clickhouse.example.com',
  database: 'traces',
  table: 'GATEWAY_TRACES',
  username: 'u',
  password: 'p',
};

describe('a table of ClickHouse', () => {
  const receiver = sharedReceiver();
  let engine: ClickHouseEngine;

  beforeAll(() => {
    const folder = process.env['CHDB_FOLDER'];
    if (folder === undefined) throw new Error('CHDB_FOLDER names no folder in which chdb is installed.');
    engine = new ClickHouseEngine(folder);
    engine.execute('CREATE DATABASE traces');
  });

  afterAll(() => engine.stop());

  beforeEach(() => {
    receiver.answer = (received) => engine.answer(received);
    engine.execute('DROP TABLE IF EXISTS traces.GATEWAY_TRACES');
    engine.execute(CREATE_TABLE.replace('GATEWAY_TRACES', 'traces.GATEWAY_TRACES'));
  });

  async function deliver(generations: OutgoingGeneration[], changes: Record<string, unknown> = {}) {
    return CLICKHOUSE_ADAPTER.deliver(generations, targetOf({ ...CONFIG, ...changes }), receiver);
  }

  it('that was made as documented has every column filled', async () => {
    const parent = { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', parent_span_id: '00f067aa0ba902b7', tags: ['a'] };
    await expect(deliver([outgoing({ trace: parent })])).resolves.toEqual({ outcome: 'delivered' });
    const [row] = engine.rows('SELECT * FROM traces.GATEWAY_TRACES');
    expect(Object.entries(row!).filter(([, value]) => value === null || value === '')).toEqual([]);
    expect(row).toMatchObject({
      TRACE_ID: generationEvent().id,
      PARENT_SPAN_ID: '00f067aa0ba902b7',
      USER_ID: 'customer-1',
      TIMESTAMP: '2026-11-26 14:24:32.198',
      END_TIME: '2026-11-26 14:24:34.543',
      DURATION_MS: 2_345.25,
      STATUS: 'ok',
      TOTAL_COST: 0.0012,
      TAGS: '["a"]',
    });
    expect(JSON.parse(row!['OUTPUT'] as string)).toMatchObject({ completion: `Rain. ${CANARY}` });
    expect(
      engine.rows("SELECT JSONExtractInt(ATTRIBUTES, 'gen_ai.usage.input_tokens') AS n FROM traces.GATEWAY_TRACES"),
    ).toEqual([{ n: 120 }]);
  });

  it('takes a thousand at once, and odd ones, failed ones and private ones', async () => {
    const odd = { trace: oddFields(), metadata: oddFields(), parameters: oddFields() };
    const batch = Array.from({ length: 996 }, (_, index) => outgoing({ id: `gen-${index}` }));
    batch.push(outgoing({ ...odd, id: 'odd', externalUser: "a'b\\\n`łódź🙂\u0000" }));
    batch.push(outgoing({ ...FAILED_GENERATION, id: 'failed' }), withoutContent(outgoing({ id: 'private' })));
    batch.push(outgoing({ id: 'timeless', startedAt: Number.NaN, endedAt: Number.NaN }));
    await expect(deliver(batch)).resolves.toEqual({ outcome: 'delivered' });
    expect(engine.rows('SELECT count() AS n FROM traces.GATEWAY_TRACES')).toEqual([{ n: 1_000 }]);
    const chosen = "WHERE TRACE_ID IN ('odd', 'failed', 'private') ORDER BY TRACE_ID";
    expect(
      engine.rows(
        `SELECT USER_ID, STATUS, PROMPT_TOKENS, INPUT = '' AS isPrivate FROM traces.GATEWAY_TRACES ${chosen}`,
      ),
    ).toEqual([
      { USER_ID: 'customer-1', STATUS: 'error', PROMPT_TOKENS: null, isPrivate: 0 },
      { USER_ID: "a'b\\\n`łódź🙂\u0000", STATUS: 'ok', PROMPT_TOKENS: 120, isPrivate: 0 },
      { USER_ID: 'customer-1', STATUS: 'ok', PROMPT_TOKENS: 120, isPrivate: 1 },
    ]);
  });

  it('keeps one row of a generation that comes twice', async () => {
    await deliver([outgoing(), outgoing({ id: 'gen-2' })]);
    await deliver([outgoing()]);
    expect(engine.rows('SELECT count() AS n FROM traces.GATEWAY_TRACES FINAL')).toEqual([{ n: 2 }]);
  });

  it('may have fewer columns', async () => {
    engine.execute('ALTER TABLE traces.GATEWAY_TRACES DROP COLUMN METADATA, DROP COLUMN INPUT_COST');
    await expect(deliver([outgoing()])).resolves.toEqual({ outcome: 'delivered' });
  });

  it('that is not there, or of another form, is the configuration', async () => {
    await expect(deliver([outgoing()], { table: 'NONE' })).resolves.toMatchObject({ outcome: 'misconfigured' });
    await expect(deliver([outgoing()], { table: '`; DROP TABLE GATEWAY_TRACES' })).resolves.toMatchObject({
      outcome: 'misconfigured',
    });
    expect(engine.rows('SELECT count() AS n FROM traces.GATEWAY_TRACES')).toEqual([{ n: 0 }]);
  });

  it('whose column is too narrow refuses the row', async () => {
    engine.execute('ALTER TABLE traces.GATEWAY_TRACES MODIFY COLUMN STATUS UInt8');
    await expect(deliver([outgoing()])).resolves.toMatchObject({ outcome: 'refused' });
  });
});
