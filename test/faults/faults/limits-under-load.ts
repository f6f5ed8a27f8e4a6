import { becomesTrue } from '../support/becomes-true.js';
import { startPricedProvider } from '../support/budgets/priced-provider.js';
import { reservationCount } from '../support/budgets/spend-counts.js';
import type { Caller, Outcome } from '../support/caller.js';
import type { Fault } from '../support/fault.js';
import { isEnveloped503, summaryOf } from '../support/outcomes.js';
import { query } from '../support/postgres-server.js';
import { Random } from '../support/random.js';
import type { Scene } from '../support/scene.js';

const REPLICAS = 3;
const MODEL = 'openai/gpt-5.5';

/** The most that a request can use: the prompt of 16 bytes, and as many tokens of the answer. */
const MAX_TOKENS = 16;
const PROMPT = 'Is it as I said?';
const REQUEST_USD = 8 * 0.000005 + MAX_TOKENS * 0.00003;

/** How long the provider thinks at most, in milliseconds. */
const MAXIMUM_THINKING_MS = 100;

/** How many sessions, users and teams there are, and for how many of their requests each limit has room. */
const VALUES = 10;
const ROOM = 20;

/** How many requests each client sends, one after the other. */
const REQUESTS_OF_CLIENT = 6;

/** Until what a killed replica has reserved is charged, in milliseconds (docs/budgets.md#when-a-replica-dies). */
const EXPIRED_MS = 90_000;

/** What answers a limit refuses requests with. */
const REFUSALS = [402, 403, 429];

/** The limits, each by another key: their amounts, and what a record counts for each, in SQL. */
const LIMITS = [
  {
    limit: { group_by: ['session'], measure: 'usd', window: 'session', amount: ROOM * REQUEST_USD },
    value: `details ->> 'sessionId'`,
    used: 'cost_usd',
  },
  {
    limit: { group_by: ['user'], measure: 'requests', window: 'daily', amount: 2 * ROOM },
    value: `details ->> 'externalUser'`,
    used: '1',
  },
  {
    limit: { group_by: ['label.team'], measure: 'tokens', window: 'monthly', amount: 3 * ROOM * 2 * MAX_TOKENS },
    value: `details -> 'labels' ->> 'team'`,
    used: 'coalesce(prompt_tokens, 0) + coalesce(completion_tokens, 0)',
  },
] as const;

/** Very many requests at once meet limits by group, and a replica loses its power among them. */
export const LIMITS_UNDER_LOAD: Fault = {
  name: 'limits-under-load',
  title: `requests at once of ${VALUES} sessions, users and teams over ${REPLICAS} replicas against limits of each, with kill -9 of a replica`,
  run: async (scene) => {
    const provider = await startPricedProvider(new Random(scene.seed), MAXIMUM_THINKING_MS);
    try {
      await askAtOnce(scene, {
        PROVIDER_OPENAI_BASE_URL: provider.baseUrl,
        PROVIDER_OPENAI_API_KEY: 'sk-of-the-fault',
      });
    } finally {
      await provider.stop();
    }
  },
};

async function askAtOnce(scene: Scene, variables: Readonly<Record<string, string>>): Promise<void> {
  const { verdict } = scene;
  const start = () => scene.service(variables);
  const replicas = await Promise.all(Array.from({ length: REPLICAS }, start));
  const databaseUrl = await scene.database();
  const manager = scene.caller(replicas[0]!);
  const key = (await made<{ key: string }>(manager, '/keys', { name: 'limits' })).key;
  for (const { limit } of LIMITS) await made(manager, '/limits', { name: `by ${limit.group_by[0]}`, ...limit });
  const rounds = scene.count(10, 1);
  const clients = scene.count(1_000, 200);
  const random = new Random(scene.seed);
  const outcomes: Outcome[] = [];

  for (let round = 0; round < rounds; round += 1) {
    const caller = scene.callerOf(replicas, undefined, clients);
    const before = outcomes.length;
    const asked = Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let number = 0; number < REQUESTS_OF_CLIENT; number += 1) {
          outcomes.push(await ask(caller, key, client + number));
        }
      }),
    );
    const enough = before + clients + random.below(clients);
    verdict.expect(
      await becomesTrue(() => outcomes.length > enough, EXPIRED_MS),
      'requests are answered',
      outcomes.length,
    );
    const victim = round % REPLICAS;
    replicas[victim]!.signal('SIGKILL');
    await asked;
    await replicas[victim]!.exit();
    replicas[victim] = await start();
    caller.close();
  }

  const isSettled = await becomesTrue(async () => (await reservationCount(databaseUrl)) === 0, EXPIRED_MS);
  verdict.expect(isSettled, 'nothing stays reserved', isSettled ? 0 : await reservationCount(databaseUrl));
  for (const one of LIMITS) await expectHeld(scene, databaseUrl, one);
  const strange = outcomes.filter(
    (outcome) =>
      outcome.status !== undefined &&
      outcome.status !== 200 &&
      !REFUSALS.includes(outcome.status) &&
      !isEnveloped503(outcome),
  );
  verdict.expect(
    strange.length === 0,
    'others are refused by a limit, or cut off with their replica',
    summaryOf(strange),
  );
  verdict.figure('rounds', rounds);
  verdict.figure('answers', summaryOf(outcomes));
}

/** Expects that no combination has used more than the limit, that something was used, and that its counter has what records say. */
async function expectHeld(
  scene: Scene,
  databaseUrl: string,
  { limit, value, used }: (typeof LIMITS)[number],
): Promise<void> {
  const { verdict } = scene;
  const name = limit.group_by[0];
  const rows = await query<{
    value: string;
    recorded: string;
    counted: string | null;
    reserved: string;
    isOver: boolean;
  }>(
    databaseUrl,
    `SELECT record.value, record.used::text AS recorded, c.amount::text AS counted, c.reserved::text AS reserved,
       greatest(record.used, c.amount) > $2::numeric AS "isOver"
     FROM (
       SELECT ${value} AS value, sum(${used}) AS used FROM generations
       WHERE details -> 'attempts' <> '[]' OR details ->> 'refusal' = 'reservation_expired' GROUP BY 1
     ) AS record
     LEFT JOIN limits l ON l.name = $1
     LEFT JOIN limit_counters c ON c.limit_id = l.id AND c."values" ->> $3 = record.value`,
    [`by ${name}`, String(limit.amount), name],
  );
  const over = rows.filter(({ isOver }) => isOver);
  verdict.expect(over.length === 0, `nothing is used beyond the limit by ${name}`, over);
  // The record of a request whose replica died has its cost, and no tokens.
  const differs = rows.filter(({ recorded, counted }) =>
    limit.measure === 'tokens' ? Number(recorded) > Number(counted) : Number(recorded) !== Number(counted),
  );
  verdict.expect(differs.length === 0, `counters by ${name} have what the records say`, differs);
  const held = rows.filter(({ reserved }) => Number(reserved) !== 0);
  verdict.expect(held.length === 0, `nothing stays held of counters by ${name}`, held);
  verdict.expect(rows.length === VALUES, `each ${name} was served`, rows.length);
  const shares = rows.map(({ counted }) => Number(counted) / limit.amount);
  verdict.figure(`used of limits by ${name}`, `${Math.min(...shares).toFixed(3)} to ${Math.max(...shares).toFixed(3)}`);
}

/** Sends a request of one of the sessions, users and teams, each combination of which is as likely. */
function ask(caller: Caller, key: string, index: number): Promise<Outcome> {
  const [session, user, team] = [index, Math.floor(index / VALUES), index + Math.floor(index / VALUES)].map(
    (number) => `${number % VALUES}`,
  );
  const messages = [{ role: 'user', content: PROMPT }];
  const subject = { session_id: session, user, metadata: { team } };
  const body = { model: MODEL, max_tokens: MAX_TOKENS, stream: index % 2 === 1, messages, ...subject };
  return caller.post('/chat/completions', body, key);
}

async function made<Body>(caller: Caller, path: string, json: object): Promise<Body> {
  const { status, text, fault } = await caller.post(path, json);
  if (status !== 201) throw new Error(`POST ${path}: ${status ?? fault} ${text}`);
  return JSON.parse(text) as Body;
}
