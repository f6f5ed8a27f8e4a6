import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Caller, Outcome } from '../support/caller.js';
import type { Fault } from '../support/fault.js';
import type { Attack } from '../support/hostile/attack.js';
import { attackerOf } from '../support/hostile/attack-orders.js';
import { ATTACKS } from '../support/hostile/attacks.js';
import { longestOf, summaryOf } from '../support/outcomes.js';
import type { Scene } from '../support/scene.js';

/** How many connections the attacking organization has. */
const CONNECTIONS = 64;

/** How long each attack lasts, in milliseconds. */
const ATTACK_MS = 4_000;
const QUICK_ATTACK_MS = 1_000;

/** What the other organization asks for meanwhile, again and again. */
const SMALL_READS = ['/key', '/workspaces?limit=1', '/guardrails?limit=1', '/model/openai/gpt-latest'];

/** One organization does its worst while another one works. What the other one waits is printed, and judged by no clock. */
export const HOSTILE_TENANT: Fault = {
  name: 'hostile-tenant',
  title: `${ATTACKS.length} attacks of one organization over ${CONNECTIONS} connections, while another one reads`,
  run: async (scene) => {
    const { verdict } = scene;
    const service = await scene.service();
    const root = scene.callerAt(service.origin);
    const other = scene.caller(service, scene.tenant.other_organization.management_key);
    verdict.figure('undisturbed: worst read ms', longestOf((await watched(scene, other, root)).reads));
    for (const attack of ATTACKS) await underAttack(scene, attack, service.origin, other, root);
    verdict.expect(service.isRunning, 'the process never exits');
  },
};

async function underAttack(scene: Scene, attack: Attack, origin: string, other: Caller, root: Caller): Promise<void> {
  const { verdict, tenant } = scene;
  const orders = { attack: attack.name, origin, tenant, connections: CONNECTIONS };
  const preparing = attackerOf(orders);
  await attack.prepare?.(preparing, await scene.database());
  preparing.caller.close();
  preparing.root.close();
  const thread = new Worker(new URL('../support/hostile/attack-thread.js', import.meta.url), { workerData: orders });
  const { reads, checks } = await watched(scene, other, root);
  thread.postMessage('stop');
  const [answers] = (await once(thread, 'message')) as [Outcome[]];
  const statuses = summaryOf(answers);
  verdict.figure(`${attack.name}: worst read ms`, longestOf(reads));
  verdict.figure('worst health ms', longestOf(checks));
  verdict.figure('answers', statuses);
  const failed = reads.filter(({ status }) => status !== 200);
  verdict.expect(failed.length === 0, `every read of the other is a 200 during ${attack.name}`, summaryOf(failed));
  const ill = checks.filter(({ status }) => status !== 200);
  verdict.expect(ill.length === 0, `/health/live is a 200 during ${attack.name}`, summaryOf(ill));
  const broken = answers.filter(({ status }) => status === undefined || status >= 500);
  verdict.expect(broken.length === 0, `the attacker is answered without a 5xx during ${attack.name}`, statuses);
}

/** What the other organization and a health check are answered for the time of an attack. */
async function watched(scene: Scene, other: Caller, root: Caller): Promise<{ reads: Outcome[]; checks: Outcome[] }> {
  const reads: Outcome[] = [];
  const checks: Outcome[] = [];
  const readers = scene.load(SMALL_READS.length, async (reader) => {
    reads.push(await other.get(SMALL_READS[reader]!));
    await delay(10);
  });
  const health = scene.load(1, async () => {
    checks.push(await root.get('/health/live'));
    await delay(10);
  });
  await delay(scene.count(ATTACK_MS, QUICK_ATTACK_MS));
  await Promise.all([readers.stop(), health.stop()]);
  return { reads, checks };
}
