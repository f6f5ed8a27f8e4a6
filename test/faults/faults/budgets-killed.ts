import { setTimeout as delay } from 'node:timers/promises';
import { makeLimitedKeys } from '../support/budgets/limited-keys.js';
import { startPricedProvider } from '../support/budgets/priced-provider.js';
import { reservationCount, wrongCounts } from '../support/budgets/spend-counts.js';
import { type Answered, answeredIn } from '../support/answered.js';
import type { Outcome } from '../support/caller.js';
import { Deployment } from '../support/deployment.js';
import type { Fault } from '../support/fault.js';
import { summaryOf } from '../support/outcomes.js';
import { query } from '../support/postgres-server.js';
import { Random } from '../support/random.js';
import type { Scene } from '../support/scene.js';
import type { ServiceProcess } from '../support/service-process.js';
import { becomesTrue } from '../support/becomes-true.js';

const CLIENTS = 24;
const MODEL = 'openai/gpt-5.5';

/** How long the provider thinks at most, in milliseconds: most requests that are cut off have been sent to it. */
const MAXIMUM_THINKING_MS = 200;

/** No request meets it, so that every one reserves and none is refused. US dollars. */
const FAR_LIMIT_USD = 1_000_000;

/** A replica is killed some time after each client has been answered once on average: how long after at most, in milliseconds. */
const SPREAD_MS = 500;
const TIMEOUT_MS = 60_000;

/** Until what the killed have reserved is charged, in milliseconds (docs/budgets.md). */
const EXPIRED_MS = 90_000;

/** A replica loses its power, and every second time the database too. */
export const BUDGETS_KILLED: Fault = {
  name: 'budgets-killed',
  title: `kill -9 of one of two replicas while ${CLIENTS} clients spend, every second time of PostgreSQL too`,
  run: async (scene) => {
    const provider = await startPricedProvider(new Random(scene.seed), MAXIMUM_THINKING_MS);
    const deployment = await Deployment.create();
    try {
      await killAgainAndAgain(scene, deployment, {
        PROVIDER_OPENAI_BASE_URL: provider.baseUrl,
        PROVIDER_OPENAI_API_KEY: 'sk-of-the-fault',
      });
    } finally {
      await scene.stopServices();
      await deployment.postgres.remove();
      await provider.stop();
    }
  },
};

async function killAgainAndAgain(
  scene: Scene,
  deployment: Deployment,
  provider: Readonly<Record<string, string>>,
): Promise<void> {
  const { verdict } = scene;
  const { postgres, tenant } = deployment;
  scene.keepSecret(postgres.password, tenant.management_key);
  const databaseUrl = await deployment.copyDatabase('killed');
  const variables = { ...(await scene.variables()), ...provider, DATABASE_URL: databaseUrl };
  const since = new Date(Math.floor(Date.now() / 1000) * 1000);
  const rounds = scene.count(20, 2);
  const random = new Random(scene.seed);
  const start = (): Promise<ServiceProcess> => scene.serviceWith(variables);
  const replicas = [await start(), await start()];
  const maker = { caller: scene.caller(replicas[0]!, tenant.management_key), tenant, databaseUrl };
  const keys = (await makeLimitedKeys(maker, FAR_LIMIT_USD)).flatMap((limited) => limited.keys);
  const outcomes: Outcome[] = [];
  const answered: Answered[] = [];

  for (let round = 0; round < rounds; round += 1) {
    const caller = scene.callerOf(replicas, tenant.management_key);
    const load = scene.load(CLIENTS, async (client) => {
      const messages = [{ role: 'user', content: 'Is it as I said?' }];
      const body = { model: MODEL, max_tokens: 16, stream: client % 2 === 1, messages };
      const outcome = await caller.post('/chat/completions', body, keys[client % keys.length]);
      outcomes.push(outcome);
      const answer = answeredIn(outcome);
      if (answer !== undefined) answered.push(answer);
      // What is gone is not asked as often as can be.
      else await delay(20);
    });
    const enough = answered.length + CLIENTS;
    verdict.expect(
      await becomesTrue(() => answered.length > enough, TIMEOUT_MS),
      `requests are answered in round ${round + 1}`,
    );
    await delay(random.below(SPREAD_MS));
    const victim = round % replicas.length;
    replicas[victim]!.signal('SIGKILL');
    if (round % 2 === 1) {
      await postgres.kill();
      await postgres.start();
    }
    await replicas[victim]!.exit();
    replicas[victim] = await start();
    await load.stop();
    caller.close();
  }

  const isSettled = await becomesTrue(async () => (await reservationCount(databaseUrl)) === 0, EXPIRED_MS);
  verdict.expect(
    isSettled,
    'no reservation is older than its time',
    isSettled ? 0 : await reservationCount(databaseUrl),
  );
  const wrong = await wrongCounts(databaseUrl, tenant.organization_id, since);
  verdict.expect(wrong.length === 0, 'what was spent is the sum of the records, to the last digit', wrong.slice(0, 5));
  const uncharged = await notRecorded(databaseUrl, answered);
  verdict.expect(uncharged.length === 0, 'every answer is recorded once, with its cost', uncharged.slice(0, 5));
  verdict.figure('kills', rounds);
  verdict.figure('requests', outcomes.length);
  verdict.figure('answers', summaryOf(outcomes));
  verdict.figure('answered to the end', answered.length);
  verdict.figure('charged for replicas that were killed', await expiredCount(databaseUrl));
}

/** The answers without exactly one record of their cost. */
async function notRecorded(url: string, answers: readonly Answered[]): Promise<unknown[]> {
  return query(
    url,
    `SELECT a.id, a."costUsd", count(g.id) AS records, min(g.cost_usd) AS recorded
     FROM jsonb_to_recordset($1::jsonb) AS a (id text, "costUsd" numeric) LEFT JOIN generations g ON g.id = a.id
     GROUP BY a.id, a."costUsd" HAVING count(g.id) <> 1 OR min(g.cost_usd) <> a."costUsd"`,
    [JSON.stringify(answers)],
  );
}

/** How many requests were charged without anyone knowing how they ended. */
async function expiredCount(url: string): Promise<number> {
  const [row] = await query<{ count: string }>(
    url,
    `SELECT count(*) FROM generations WHERE details ->> 'refusal' = 'reservation_expired'`,
  );
  return Number(row!.count);
}
