import { setTimeout as delay } from 'node:timers/promises';
import { answeredIn } from '../support/answered.js';
import { becomesTrue } from '../support/becomes-true.js';
import { startPricedProvider } from '../support/budgets/priced-provider.js';
import { Deployment } from '../support/deployment.js';
import type { Fault } from '../support/fault.js';
import { query } from '../support/postgres-server.js';
import { Random } from '../support/random.js';
import { Receiver } from '../support/receiver.js';
import { makeKeys } from '../support/rows.js';
import type { Scene } from '../support/scene.js';
import type { ServiceProcess } from '../support/service-process.js';

const CLIENTS = 16;
const MODEL = 'openai/gpt-5.5';
const MAXIMUM_THINKING_MS = 20;

/** How long a receiver takes nothing while replicas are killed, in milliseconds. */
const FAILING_MS = { full: 60_000, quick: 5_000 };

const TIMEOUT_MS = 60_000;

/** Until everything has arrived: leases of the killed end after a minute, and the failing receiver is asked again, in milliseconds. */
const ARRIVED_MS = 180_000;

/** How many generations the killed process may have sent without noting it, for each kill and destination. */
const SENT_IN_A_ROUND = 1_000;

/** Replicas and PostgreSQL are killed while generations go to two destinations, of which one takes nothing for a while. */
export const DELIVERIES_KILLED: Fault = {
  name: 'deliveries-killed',
  title: `kill -9 of replicas and of PostgreSQL while the generations of ${CLIENTS} clients go to two destinations, of which one fails for a while`,
  run: async (scene) => {
    const provider = await startPricedProvider(new Random(scene.seed), MAXIMUM_THINKING_MS);
    const receivers = [await Receiver.start(), await Receiver.start()] as const;
    const deployment = await Deployment.create();
    try {
      await killWhileSending(scene, deployment, receivers, {
        PROVIDER_OPENAI_BASE_URL: provider.baseUrl,
        PROVIDER_OPENAI_API_KEY: 'sk-of-the-fault',
        ALLOW_PRIVATE_DESTINATIONS: 'true',
      });
    } finally {
      await scene.stopServices();
      await deployment.postgres.remove();
      await provider.stop();
      for (const receiver of receivers) await receiver.stop();
    }
  },
};

async function killWhileSending(
  scene: Scene,
  deployment: Deployment,
  [webhook, collector]: readonly [Receiver, Receiver],
  more: Readonly<Record<string, string>>,
): Promise<void> {
  const { verdict } = scene;
  const { postgres, tenant } = deployment;
  scene.keepSecret(postgres.password, tenant.management_key);
  const databaseUrl = await deployment.copyDatabase('deliveries');
  const variables = { ...(await scene.variables()), ...more, DATABASE_URL: databaseUrl };
  const start = (): Promise<ServiceProcess> => scene.serviceWith(variables);
  const replicas = [await start(), await start(), await start()];
  const kills = scene.count(8, 2);
  const enoughAnswers = scene.count(10_000, 600);
  await query(databaseUrl, 'DELETE FROM observability_destinations');
  await query(databaseUrl, 'UPDATE workspaces SET is_observability_broadcast_enabled = true');
  const maker = scene.caller(replicas[0]!, tenant.management_key);
  for (const [type, config] of [
    ['webhook', { url: `${webhook.origin}/traces` }],
    ['otel-collector', { endpoint: `${collector.origin}/v1/traces` }],
  ] as const) {
    const made = await maker.post('/observability/destinations', { type, name: type, config });
    verdict.expect(made.status === 201, `the ${type} is made`, made.text);
  }
  const [key] = await makeKeys(databaseUrl, tenant, 'api_key', 1);
  const answered: string[] = [];
  collector.isFailing = true;
  const failingUntil = delay(scene.count(FAILING_MS.full, FAILING_MS.quick)).then(() => (collector.isFailing = false));

  for (let round = 0; round < kills; round += 1) {
    const caller = scene.callerOf(replicas, tenant.management_key);
    const load = scene.load(CLIENTS, async (client) => {
      const body = {
        model: MODEL,
        max_tokens: 16,
        stream: client % 2 === 1,
        messages: [{ role: 'user', content: 'Well?' }],
      };
      const answer = answeredIn(await caller.post('/chat/completions', body, key));
      if (answer !== undefined) answered.push(answer.id);
      else await delay(20);
    });
    const enough = ((round + 1) * enoughAnswers) / kills;
    verdict.expect(
      await becomesTrue(() => answered.length >= enough, TIMEOUT_MS),
      `requests are answered in round ${round + 1}`,
      answered.length,
    );
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
  await failingUntil;

  const missingAt = (receiver: Receiver): string[] => answered.filter((id) => !receiver.taken.has(id));
  await becomesTrue(
    async () => (await waiting(databaseUrl)) === 0 && missingAt(webhook).length + missingAt(collector).length === 0,
    ARRIVED_MS,
  );
  for (const [name, receiver] of [
    ['webhook', webhook],
    ['collector', collector],
  ] as const) {
    const missing = missingAt(receiver);
    verdict.expect(missing.length === 0, `every answered generation has come to the ${name}`, missing.slice(0, 5));
    verdict.expect(
      receiver.repeated <= kills * SENT_IN_A_ROUND,
      `the ${name} got no more than once again what was being sent`,
      receiver.repeated,
    );
    verdict.figure(`generations at the ${name}`, receiver.taken.size);
    verdict.figure(`of them more than once`, receiver.repeated);
  }
  const left = await waiting(databaseUrl);
  verdict.expect(left === 0, 'nothing waits', left);
  verdict.figure('kills', kills);
  verdict.figure('answered', answered.length);
}

async function waiting(url: string): Promise<number> {
  const [row] = await query<{ count: number }>(url, 'SELECT count(*)::int AS count FROM broadcast_deliveries');
  return row!.count;
}
