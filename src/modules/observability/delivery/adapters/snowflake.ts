import { setTimeout as wait } from 'node:timers/promises';
import { v5 as uuidv5 } from 'uuid';
import { isObject } from '../../../../http/validation/constraints.js';
import { parsedIfJson } from '../../../../http/input/json-bounds.js';
import type { DestinationConfig } from '../../config-mask.js';
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
import { type BodyForm, fittingBody, type Shortening } from '../fitting-body.js';
import type { OutgoingGeneration } from '../generation-event.js';
import { jsonText } from '../json-text.js';
import { messageOf, TOO_LARGE, verdictOf } from '../verdicts.js';
import { JSON_COLUMNS, PLAIN_COLUMNS, tableRowOf } from './table-row.js';

const LIMITS = { generations: 500, bytes: 1_000_000, concurrency: 1 };

/** Of a request; the statement may take longer. */
const TIMEOUT_MS = 30_000;

/** How long Snowflake may work on a statement, in seconds. */
const STATEMENT_TIMEOUT_S = 60;

/** After how long a statement is asked for that has not ended, in milliseconds, and how often in all. */
const POLL_MS = [100, 250, 500, 1_000, 2_000, 4_000, 8_000, 8_000];

/** Of the ids of requests: a repeated one is not executed again. */
const REQUEST_NAMESPACE = '8c0b2d1e-3f61-5a44-8f5c-2f1c7f0f1a57';

/** Codes of errors by what is wrong: an object or a right is missing, no warehouse is running. */
const MISCONFIGURED = new Set(['000606', '001063', '002003', '002043', '003001', '003030', '090105', '390201']);

/** Inserts generations into a table of Snowflake by its SQL API (docs/interface/destination-types.md#snowflake). */
export const SNOWFLAKE_ADAPTER: DestinationAdapter = {
  limits: LIMITS,

  async deliver(
    generations: readonly OutgoingGeneration[],
    target: DeliveryTarget,
    transport: ReceiverTransport,
  ): Promise<DeliveryVerdict> {
    const { config } = target;
    const body = await fittingBody(generations, statementFormOf(config), (generation, shortening) =>
      Buffer.from(withinText(rowOf(generation, shortening))),
    );
    if (body === null) return TOO_LARGE;
    const address = `https://${hostOf(settingOf(config, 'account'))}/api/v2/statements`;
    const requestId = uuidv5(generations.map(({ event }) => event.id).join('\n'), REQUEST_NAMESPACE);
    const headers = withConfiguredHeaders(headersOf(config), config);
    let answer = await transport.send({
      method: 'POST',
      url: `${address}?requestId=${requestId}&retry=true`,
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
    });
    for (const milliseconds of POLL_MS) {
      const handle = answer.status === 202 ? handleIn(answer) : undefined;
      if (handle === undefined) break;
      await wait(milliseconds);
      answer = await transport.send({ method: 'GET', url: `${address}/${handle}`, headers, timeoutMs: TIMEOUT_MS });
    }
    return snowflakeVerdictOf(answer, secretsOf('snowflake', config));
  },

  bytesOf: (generation) => estimatedBytesOf(generation, 1.3),
};

function headersOf(config: DestinationConfig): Record<string, string> {
  return {
    authorization: `Bearer ${settingOf(config, 'token')}`,
    'x-snowflake-authorization-token-type': 'PROGRAMMATIC_ACCESS_TOKEN',
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'gatehouse',
  };
}

/** Underscores of an account are hyphens in its host. */
function hostOf(account: string): string {
  return `${account.replaceAll('_', '-')}.snowflakecomputing.com`;
}

/** A statement with all rows in one value: PARSE_JSON is not allowed in VALUES, and a value for each column of each row would be thousands. */
function statementFormOf(config: DestinationConfig): BodyForm {
  const columns = [...Object.keys(PLAIN_COLUMNS), ...JSON_COLUMNS];
  const values = [
    ...Object.entries(PLAIN_COLUMNS).map(([column, type]) => `r.value:${column}::${type}`),
    ...JSON_COLUMNS.map((column) => `r.value:${column}`),
  ];
  const statement = {
    statement: `INSERT INTO ${identifier(settingOf(config, 'table'))} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM TABLE(FLATTEN(INPUT => PARSE_JSON(?))) r`,
    timeout: STATEMENT_TIMEOUT_S,
    database: settingOf(config, 'database'),
    schema: settingOf(config, 'schema'),
    warehouse: settingOf(config, 'warehouse'),
  };
  return {
    first: `${jsonText(statement)!.slice(0, -1)},"bindings":{"1":{"type":"TEXT","value":"[`,
    between: ',',
    last: ']"}}}',
    maximumBytes: LIMITS.bytes,
  };
}

function rowOf(generation: OutgoingGeneration, shortening: Shortening): string {
  const { plain, json } = tableRowOf(generation, shortening);
  return jsonText({ ...plain, ...json })!;
}

/** A text as it is written within a text of JSON. */
function withinText(text: string): string {
  return jsonText(text)!.slice(1, -1);
}

/** Names in capital letters are the same with and without quotation marks; any other keeps its letters only with them. */
function identifier(name: string): string {
  return /^[A-Z_][A-Z0-9_$]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

function handleIn({ body }: ReceiverAnswer): string | undefined {
  const answer = parsedIfJson(body);
  const handle = isObject(answer) ? answer['statementHandle'] : undefined;
  return typeof handle === 'string' && /^[\w-]{1,128}$/.test(handle) ? handle : undefined;
}

function snowflakeVerdictOf(answer: ReceiverAnswer, secrets: readonly string[]): DeliveryVerdict {
  const { status } = answer;
  const told = { status, message: messageOf(answer, secrets) };
  // Still running: the next attempt has the same id, and finds it done.
  if (status === 202) return { ...told, outcome: 'unavailable' };
  const verdict = verdictOf(answer, secrets);
  if (status === 401 || status === 403) {
    const hint = 'A programmatic access token needs a network policy of its user.';
    return {
      status,
      outcome: 'misconfigured',
      message: messageOf({ ...answer, body: `${hint} ${answer.body}` }, secrets),
    };
  }
  if (verdict.outcome !== 'refused') return verdict;
  const failure = parsedIfJson(answer.body);
  const code = isObject(failure) ? failure['code'] : undefined;
  const sqlState = isObject(failure) ? failure['sqlState'] : undefined;
  const isConfiguration = sqlState === '42501' || (typeof code === 'string' && MISCONFIGURED.has(code));
  return isConfiguration ? { ...told, outcome: 'misconfigured' } : verdict;
}
