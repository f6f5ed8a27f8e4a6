import { load, type LoadRequest, type LoadResult, send } from '../support/load.js';
import type { ServerProcess } from '../support/server-process.js';
import { median, rounded } from '../support/statistics.js';
import { CHAT_PATH, type Field, question } from './field.js';
import { type GatewayOptions, type GatewayRow, withSpread } from './measure.js';

const REQUEST: LoadRequest = { method: 'POST', path: CHAT_PATH, body: question() };

/** Until the compiler has seen what is asked for often. */
const WARM_UP_REQUESTS = 1_500;

/** Whole answers at 32 connections: service and limit in turn. */
export async function measureThroughput(field: Field, options: GatewayOptions): Promise<GatewayRow[]> {
  const { service, limit, tenant } = field;
  await requireSameAnswers(field);
  const pairs = await inTurn([service, limit], [tenant.api_key, tenant.api_key], options);
  return [
    [
      'whole answers, requests/s',
      ...medians(pairs, ({ requestsPerSecond }) => requestsPerSecond, 0),
      withSpread(
        pairs.map(([own, beside]) => own.requestsPerSecond / beside.requestsPerSecond),
        2,
      ),
      '>= 0.80',
    ],
    ['whole answers, p99 ms', ...medians(pairs, ({ p99 }) => p99, 0), '', ''],
    ['whole answers, CPU ms', ...medians(pairs, ({ processorMs }) => processorMs, 2), '', ''],
  ];
}

/** Two keys of the same service in turn: of an organization that has grown, and of one that has not. */
export async function measureGrown(field: Field, grownKey: string, options: GatewayOptions): Promise<GatewayRow[]> {
  const { service, tenant } = field;
  const pairs = await inTurn([service, service], [grownKey, tenant.api_key], options);
  return [
    [
      '10^5 keys and 10^3 guardrails, requests/s',
      ...medians(pairs, ({ requestsPerSecond }) => requestsPerSecond, 0),
      withSpread(
        pairs.map(([own, beside]) => own.requestsPerSecond / beside.requestsPerSecond),
        2,
      ),
      'flat',
    ],
  ];
}

type Pair = readonly [LoadResult, LoadResult];

async function inTurn(
  servers: readonly [ServerProcess, ServerProcess],
  keys: readonly [string, string],
  { rounds, seconds }: GatewayOptions,
): Promise<Pair[]> {
  const run = (index: 0 | 1, duration: number): Promise<LoadResult> =>
    load(servers[index], keys[index], () => REQUEST, duration);
  // Warm-up of compilers and prepared statements, not counted.
  for (const index of [0, 1] as const) await send(servers[index], keys[index], () => REQUEST, WARM_UP_REQUESTS);
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round += 1) pairs.push([await run(0, seconds), await run(1, seconds)]);
  const failed = pairs.flat().reduce((sum, result) => sum + result.failed, 0);
  if (failed > 0) throw new Error(`${failed} requests failed`);
  return pairs;
}

function medians(pairs: readonly Pair[], pick: (result: LoadResult) => number, digits: number): [string, string] {
  return [
    rounded(median(pairs.map(([own]) => pick(own))), digits),
    rounded(median(pairs.map(([, beside]) => pick(beside))), digits),
  ];
}

/** The limit is one only while it answers, and records, what the service does. */
async function requireSameAnswers({ service, limit, tenant, database }: Field): Promise<void> {
  const answers: string[] = [];
  for (const server of [service, limit]) {
    const response = await fetch(`${server.origin}${CHAT_PATH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(question()),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    const answer = (await response.json()) as { id: string; model: string; usage: { cost: number }; choices: unknown };
    const [record] = await database.query(
      'SELECT status, model, provider, cost_usd::float8, prompt_tokens, completion_tokens FROM generations WHERE id = $1',
      [answer.id],
    );
    answers.push(JSON.stringify([response.status, answer.model, answer.usage.cost, record]));
  }
  if (answers[0] !== answers[1]) throw new Error(`service and limit differ:\n${answers.join('\n')}`);
}
