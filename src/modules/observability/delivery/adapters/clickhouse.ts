import { createHash } from 'node:crypto';
import type { DestinationConfig } from '../../config-mask.js';
import { compressed } from '../compressed-body.js';
import { settingOf, withConfiguredHeaders } from '../configured-settings.js';
import { secretsOf } from '../configured-secrets.js';
import type {
  DeliveryTarget,
  DeliveryVerdict,
  DestinationAdapter,
  ReceiverAnswer,
  ReceiverTransport,
} from '../destination-adapter.js';
import { estimatedBytesOf } from '../event-size.js';
import { fittingBody, type Shortening } from '../fitting-body.js';
import type { OutgoingGeneration } from '../generation-event.js';
import { jsonText } from '../json-text.js';
import { messageOf, TOO_LARGE, verdictOf } from '../verdicts.js';
import { tableRowOf } from './table-row.js';

const LIMITS = { generations: 1_000, bytes: 8_000_000, concurrency: 1 };

const ROWS = { first: '', between: '', last: '', maximumBytes: LIMITS.bytes };

/** An insert waits until it is on disk. */
const TIMEOUT_MS = 30_000;

/** Codes of errors by what is wrong: a column, a table, a database, a user, a right. */
const MISCONFIGURED = new Set([16, 36, 47, 60, 62, 81, 192, 193, 194, 497, 516, 620]);

/** A row that cannot be read. */
const REFUSED = new Set([6, 26, 27, 41, 53, 72, 117, 130, 131]);

/** Memory, parts, time, queries, a table that can only be read, no leader: all of them pass. */
const UNAVAILABLE = new Set([159, 160, 202, 203, 209, 210, 241, 242, 252, 279, 319, 439, 999]);

/** Inserts generations into a table of ClickHouse by its HTTP interface (docs/interface/destination-types.md#clickhouse). */
export const CLICKHOUSE_ADAPTER: DestinationAdapter = {
  limits: LIMITS,

  async deliver(
    generations: readonly OutgoingGeneration[],
    target: DeliveryTarget,
    transport: ReceiverTransport,
  ): Promise<DeliveryVerdict> {
    const { config } = target;
    const body = await fittingBody(generations, ROWS, (generation, shortening) =>
      Buffer.from(`${lineOf(generation, shortening)}\n`),
    );
    if (body === null) return TOO_LARGE;
    const sent = await compressed(body);
    const headers = {
      'x-clickhouse-user': settingOf(config, 'username'),
      'x-clickhouse-key': settingOf(config, 'password'),
      'content-type': 'application/x-ndjson',
      ...sent.headers,
    };
    const answer = await transport.send({
      method: 'POST',
      url: addressOf(config, generations),
      headers: withConfiguredHeaders(headers, config),
      body: sent.body,
      timeoutMs: TIMEOUT_MS,
    });
    return clickHouseVerdictOf(answer, secretsOf('clickhouse', config));
  },

  bytesOf: (generation) => estimatedBytesOf(generation, 1),
};

function lineOf(generation: OutgoingGeneration, shortening: Shortening): string {
  const { plain, json } = tableRowOf(generation, shortening);
  const texts = Object.entries(json).map(([column, value]) => [column, jsonText(value)]);
  return jsonText({ ...plain, ...Object.fromEntries(texts) })!;
}

function addressOf(config: DestinationConfig, generations: readonly OutgoingGeneration[]): string {
  const host = settingOf(config, 'host').replace(/\/+$/, '');
  const table = settingOf(config, 'table').replace(/[`\\]/g, '\\$&');
  const ids = generations.map(({ event }) => event.id).join('\n');
  const query = new URLSearchParams({
    database: settingOf(config, 'database'),
    query: `INSERT INTO \`${table}\` FORMAT JSONEachRow`,
    async_insert: '1',
    wait_for_async_insert: '1',
    date_time_input_format: 'best_effort',
    input_format_skip_unknown_fields: '1',
    insert_deduplication_token: createHash('sha256').update(ids).digest('hex'),
  });
  return `${/^https?:\/\//i.test(host) ? host : `https://${host}`}/?${query.toString()}`;
}

function clickHouseVerdictOf(answer: ReceiverAnswer, secrets: readonly string[]): DeliveryVerdict {
  const header = answer.headers['x-clickhouse-exception-code'];
  const code = Number(header ?? /^Code: (\d+)\./.exec(answer.body)?.[1] ?? Number.NaN);
  const verdict = verdictOf(answer, secrets);
  if (verdict.outcome === 'delivered' && header === undefined) return verdict;
  const told = { status: answer.status, message: messageOf(answer, secrets) };
  if (MISCONFIGURED.has(code)) return { ...told, outcome: 'misconfigured' };
  if (REFUSED.has(code)) return { ...told, outcome: 'refused' };
  if (UNAVAILABLE.has(code)) return { ...told, outcome: 'unavailable' };
  // The answer had begun when the insert failed.
  return verdict.outcome === 'delivered' ? { ...told, outcome: 'failed' } : verdict;
}
