import { setTimeout as delay } from 'node:timers/promises';
import type { Caller, Outcome } from '../support/caller.js';
import { hashesOf, type LimitedKeys, makeLimitedKeys } from '../support/budgets/limited-keys.js';
import { startPricedProvider } from '../support/budgets/priced-provider.js';
import { reservationCount, spendOf, wrongCounts } from '../support/budgets/spend-counts.js';
import type { Fault } from '../support/fault.js';
import { isEnveloped503, summaryOf } from '../support/outcomes.js';
import { Random } from '../support/random.js';
import type { Scene } from '../support/scene.js';
import { becomesTrue } from '../support/becomes-true.js';

const REPLICAS = 3;
const CLIENTS = 300;
const MODEL = 'openai/gpt-5.5';

/** The most that a request asks for, and what it can cost at most: the prompt of 16 bytes, and as many tokens of the answer. */
const MAX_TOKENS = 16;
const PROMPT = 'Is it as I said?';
const PROMPT_USD = 0.000005;
const COMPLETION_USD = 0.00003;
const REQUEST_USD = 8 * PROMPT_USD + MAX_TOKENS * COMPLETION_USD;

/** How long the provider thinks at most, in milliseconds. */
const MAXIMUM_THINKING_MS = 30;

/** For how many requests each limit has room, if each costs as much as it can. */
const ROOM = 40;

/** What a client sends at most: where nothing counts, and where it must be refused before. */
const UNCOUNTED_REQUESTS = 20;
const COUNTED_REQUESTS = 500;

/** Until what is reserved is charged or released, in milliseconds. */
const SETTLED_MS = 30_000;

/** The refusals of limits: met, and without room for the request. */
const REFUSALS = [402, 403];

/** Many clients of many replicas spend what limits of every kind have left. */
export const BUDGETS_UNDER_LOAD: Fault = {
  name: 'budgets-under-load',
  title: `${CLIENTS} clients of ${REPLICAS} replicas against limits of every kind with room for ${ROOM} requests`,
  run: async (scene) => {
    const provider = await startPricedProvider(new Random(scene.seed), MAXIMUM_THINKING_MS);
    try {
      await spendAgainAndAgain(scene, {
        PROVIDER_OPENAI_BASE_URL: provider.baseUrl,
        PROVIDER_OPENAI_API_KEY: 'sk-of-the-fault',
      });
    } finally {
      await provider.stop();
    }
  },
};

async function spendAgainAndAgain(scene: Scene, variables: Readonly<Record<string, string>>): Promise<void> {
  const { verdict, tenant } = scene;
  const since = new Date(Math.floor(Date.now() / 1000) * 1000);
  const replicas = await Promise.all(Array.from({ length: REPLICAS }, () => scene.service(variables)));
  const databaseUrl = await scene.database();
  const maker = { caller: scene.caller(replicas[0]!), tenant, databaseUrl };
  const clients = scene.callerOf(replicas, undefined, CLIENTS);
  const runs = scene.count(50, 3);
  const limitUsd = Number((ROOM * REQUEST_USD).toFixed(8));
  const outcomes: Outcome[] = [];
  let limits = 0;
  let leastUsed = 1;

  for (let run = 0; run < runs; run += 1) {
    const limited = await makeLimitedKeys(maker, limitUsd);
    limits += limited.length;
    const each = Math.ceil(CLIENTS / limited.length);
    await Promise.all(
      limited.flatMap((keys) => Array.from({ length: each }, (_, index) => spend(clients, keys, index, outcomes))),
    );
    for (const { name, keys } of limited.filter(({ isCounted }) => isCounted)) {
      const next = await ask(clients, keys[0]!, false);
      verdict.expect(REFUSALS.includes(next.status ?? 0), `the next request is refused: ${name}`, next.text);
      const spent = await spendOf(databaseUrl, hashesOf(keys), limitUsd);
      verdict.expect(!spent.isOverLimit, `no more is charged than the limit of ${limitUsd}: ${name}`, spent);
      verdict.expect(Number(spent.recorded) > 0, `something is admitted: ${name}`, spent);
      leastUsed = Math.min(leastUsed, Number(spent.recorded) / limitUsd);
    }
    const isSettled = await becomesTrue(async () => (await reservationCount(databaseUrl)) === 0, SETTLED_MS);
    verdict.expect(isSettled, 'nothing stays reserved', isSettled ? 0 : await reservationCount(databaseUrl));
  }

  const wrong = await wrongCounts(databaseUrl, tenant.organization_id, since);
  verdict.expect(wrong.length === 0, 'what was spent is the sum of the records, to the last digit', wrong.slice(0, 5));
  // On a busy machine a request may wait for its organization's turn of admission for longer than it may.
  const strange = outcomes.filter(
    (outcome) => outcome.status !== 200 && !REFUSALS.includes(outcome.status ?? 0) && !isEnveloped503(outcome),
  );
  verdict.expect(
    strange.length === 0,
    'every request is answered, refused by a limit, or told that the database is busy',
    `${summaryOf(strange)}: ${strange[0]?.text.slice(0, 300)}`,
  );
  verdict.figure('runs', runs);
  verdict.figure('limits', limits);
  verdict.figure('requests', outcomes.length);
  verdict.figure('answers', summaryOf(outcomes));
  verdict.figure('least part of a limit that was used', leastUsed.toFixed(3));
}

/** Sends one request after the other until a limit refuses one. */
async function spend(
  caller: Caller,
  { keys, isCounted }: LimitedKeys,
  client: number,
  outcomes: Outcome[],
): Promise<void> {
  const key = keys[client % keys.length]!;
  for (let request = 0; request < (isCounted ? COUNTED_REQUESTS : UNCOUNTED_REQUESTS); request += 1) {
    const outcome = await ask(caller, key, (client + request) % 2 === 1);
    if (isBusy(outcome)) {
      await delay(50);
      continue;
    }
    outcomes.push(outcome);
    if (outcome.status !== 200) return;
  }
}

function ask(caller: Caller, key: string, stream: boolean): Promise<Outcome> {
  const messages = [{ role: 'user', content: PROMPT }];
  return caller.post('/chat/completions', { model: MODEL, max_tokens: MAX_TOKENS, stream, messages }, key);
}

/** Whether an organization had more requests under way than its share: nothing was refused for good. */
function isBusy({ status, text }: Outcome): boolean {
  return status === 429 && text.includes('too_many_concurrent_requests');
}
