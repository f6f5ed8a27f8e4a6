import { once } from 'node:events';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { SLOW_CLIENT_LIMITS } from '../../../src/http/client-connections.js';
import type { Caller, Outcome } from '../support/caller.js';
import type { Fault } from '../support/fault.js';
import type { Attack } from '../support/hostile/attack.js';
import { attackerOf } from '../support/hostile/attack-orders.js';
import { ATTACKS } from '../support/hostile/attacks.js';
import { durationOf, longestOf, summaryOf } from '../support/outcomes.js';
import type { Scene } from '../support/scene.js';
import type { ServiceProcess } from '../support/service-process.js';

/** How many connections the attacking organization has. */
const CONNECTIONS = 64;

/** How long each attack lasts, in milliseconds. */
const ATTACK_MS = 4_000;
const QUICK_ATTACK_MS = 600;

/** In a quick run one replica is attacked in every second of these ways, and two replicas in the others. */
const QUICK_STEP = 2;

/** What the other organization asks for meanwhile, again and again. */
const SMALL_READS = ['/key', '/workspaces?limit=1', '/guardrails?limit=1', '/model/openai/gpt-latest'];

/** The filter of the other organization's key. Its pattern is so large that a thread searches for it. */
const OWN_FILTER = { pattern: 'PROJECT-[0-9]{200}', action: 'redact' };

/** What the other organization asks a model for meanwhile. */
const SMALL_CHAT = { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hello.' }] };

/** What the callers of an attack use. */
interface Attacked {
  readonly replicas: readonly ServiceProcess[];
  /** The organization that is not attacked by the other, but works beside it. */
  readonly other: Caller;
  /** The other organization with an API key. */
  readonly client: Caller;
  /** Asks every replica whether it lives. */
  readonly root: Caller;
}

/** One organization does its worst while another one works. What the other one waits is printed, and judged by no clock. */
export const HOSTILE_TENANT: Fault = {
  name: 'hostile-tenant',
  title: `${ATTACKS.length} attacks of one organization over ${CONNECTIONS} connections, while another one reads and chats`,
  run: async (scene) => attackAll(scene, [await scene.service()], attacksOf(scene, 1)),
};

/** The attacks on two replicas, which both organizations use in turns and which count requests together in Redis. */
export const HOSTILE_TENANT_TWO_REPLICAS: Fault = {
  name: 'hostile-tenant-two-replicas',
  title: `attacks of one organization over ${CONNECTIONS} connections to two replicas, while another one reads from both and chats`,
  run: async (scene) => {
    const redis = await scene.redis();
    if (redis === undefined) return;
    const variables = { REDIS_URL: redis.url };
    const replicas = await Promise.all([scene.service(variables), scene.service(variables)]);
    await attackAll(scene, replicas, attacksOf(scene, 0));
  },
};

/** All attacks, or every second one of them in a quick run. @param first the place of the first in a quick run */
function attacksOf(scene: Scene, first: number): readonly Attack[] {
  const step = scene.count(1, QUICK_STEP);
  return ATTACKS.filter((_, index) => index % step === first % step);
}

async function attackAll(scene: Scene, replicas: readonly ServiceProcess[], attacks: readonly Attack[]): Promise<void> {
  const { verdict } = scene;
  const other = scene.callerOf(replicas, scene.tenant.other_organization.management_key);
  const attacked = {
    replicas,
    other,
    client: await clientOf(scene, replicas, other),
    root: scene.callerAt(replicas.map(({ origin }) => origin)),
  };
  verdict.figure('load of the machine', os.loadavg()[0]!.toFixed(1));
  const undisturbed = await watched(scene, attacked);
  verdict.figure('undisturbed: worst read ms', longestOf(undisturbed.reads));
  verdict.figure('worst health ms', longestOf(undisturbed.checks));
  verdict.figure('worst chat ms', longestOf(undisturbed.chats));
  for (const attack of attacks) {
    await underAttack(scene, attack, attacked);
    requireRunning(replicas, attack);
  }
  verdict.figure('causes of failures', causesOf(replicas));
}

/** @throws Error for a replica that has ended: nothing that comes after it says anything */
function requireRunning(replicas: readonly ServiceProcess[], { name }: Attack): void {
  const [ended] = replicas.flatMap(({ lastWords }) => lastWords ?? []);
  if (ended !== undefined) throw new Error(`a replica has ended during ${name}, ${ended}`);
}

/** What was answered for the time of an attack. */
interface Watched {
  readonly reads: readonly Outcome[];
  readonly checks: readonly Outcome[];
  readonly chats: readonly Outcome[];
}

/** Calls as a new API key of the other organization, which is under a guardrail. */
async function clientOf(scene: Scene, replicas: readonly ServiceProcess[], other: Caller): Promise<Caller> {
  const { status, text } = await other.post('/keys', { name: 'Chats' });
  if (status !== 201) throw new Error(`no key was made: ${status} ${text}`);
  const { key, data } = JSON.parse(text) as { key: string; data: { hash: string } };
  scene.keepSecret(key);
  const guardrail = await other.post('/guardrails', { name: 'Projects', content_filters: [OWN_FILTER] });
  const { id } = (JSON.parse(guardrail.text) as { data: { id: string } }).data;
  const assigned = await other.post(`/guardrails/${id}/assignments/keys`, { key_hashes: [data.hash] });
  if (assigned.status !== 200) throw new Error(`the guardrail was not assigned: ${assigned.status} ${assigned.text}`);
  return scene.callerOf(replicas, key);
}

/** How often each cause stands in the logs, in words. */
function causesOf(replicas: readonly ServiceProcess[]): string {
  const counts = new Map<string, number>();
  for (const { failure } of replicas.flatMap(({ logLines }) => logLines)) {
    if (failure?.message === undefined) continue;
    counts.set(failure.message, (counts.get(failure.message) ?? 0) + 1);
  }
  return [...counts].map(([message, count]) => `${message} x ${count}`).join('; ') || 'none';
}

async function underAttack(scene: Scene, attack: Attack, attacked: Attacked): Promise<void> {
  const { verdict, tenant } = scene;
  const origins = attacked.replicas.map(({ origin }) => origin);
  const orders = { attack: attack.name, origins, tenant, connections: CONNECTIONS };
  const preparing = attackerOf(orders);
  await attack.prepare?.(preparing, await scene.database());
  preparing.caller.close();
  preparing.root.close();
  const thread = new Worker(new URL('../support/hostile/attack-thread.js', import.meta.url), { workerData: orders });
  const { reads, checks, chats } = await watched(scene, attacked);
  thread.postMessage('stop');
  const [answers] = (await once(thread, 'message')) as [Outcome[]];
  const statuses = summaryOf(answers);
  verdict.figure(`${attack.name}: worst read ms`, longestOf(reads));
  verdict.figure('worst health ms', longestOf(checks));
  verdict.figure('worst chat ms', longestOf(chats));
  verdict.figure('answers', statuses);
  const failed = reads.filter(({ status }) => status !== 200);
  verdict.expect(failed.length === 0, `every read of the other is a 200 during ${attack.name}`, summaryOf(failed));
  const unsaid = chats.filter(({ status }) => status !== 200);
  verdict.expect(unsaid.length === 0, `every chat of the other is a 200 during ${attack.name}`, summaryOf(unsaid));
  const ill = checks.filter(({ status }) => status !== 200);
  verdict.expect(ill.length === 0, `/health/live is a 200 during ${attack.name}`, summaryOf(ill));
  // What the attacker does to its own rows may keep them busy: a 503, or a 500 where the contract has no 503.
  const unanswered = answers.filter((answer) => answer.status === undefined && !hasTakenTooLong(answer));
  verdict.expect(unanswered.length === 0, `every request of the attacker is answered during ${attack.name}`, statuses);
}

/**
 * Whether a request took longer to come than any may. It is refused with 408 and its connection is closed, so that a client which is
 * still sending may not see the answer. How long many large bodies take depends on the machine.
 */
function hasTakenTooLong(answer: Outcome): boolean {
  return durationOf(answer) >= SLOW_CLIENT_LIMITS.requestTimeout;
}

/** What the other organization and a health check are answered for the time of an attack. */
async function watched(scene: Scene, { other, client, root }: Attacked): Promise<Watched> {
  const reads: Outcome[] = [];
  const checks: Outcome[] = [];
  const chats: Outcome[] = [];
  const readers = scene.load(SMALL_READS.length, async (reader) => {
    reads.push(await other.get(SMALL_READS[reader]!));
    await delay(10);
  });
  const health = scene.load(1, async () => {
    checks.push(await root.get('/health/live'));
    await delay(10);
  });
  const chatting = scene.load(1, async () => {
    chats.push(await client.post('/chat/completions', SMALL_CHAT));
    await delay(10);
  });
  await delay(scene.count(ATTACK_MS, QUICK_ATTACK_MS));
  await Promise.all([readers.stop(), health.stop(), chatting.stop()]);
  return { reads, checks, chats };
}
