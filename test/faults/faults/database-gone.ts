import { setTimeout as delay } from 'node:timers/promises';
import type { Caller, Outcome } from '../support/caller.js';
import type { Fault } from '../support/fault.js';
import {
  durationOf,
  isEnveloped429,
  isEnveloped500,
  isEnveloped503,
  isSuccess,
  longestOf,
  summaryOf,
} from '../support/outcomes.js';
import { type PostgresServer, query } from '../support/postgres-server.js';
import type { Scene } from '../support/scene.js';

const CALLERS = 32;

/**
 * Within this time, in milliseconds, every request is answered, whatever the database does: at most 1.5 s for the share of
 * its organization, then at most 1.5 s for a connection.
 */
const ANSWER_MS = 4_000;

/** Within this time the service notices that the database is unavailable, or available again. */
const NOTICE_MS = 2_000;
const RECOVERY_MS = 1_000;

/** How often readiness is requested, and how long a caller waits after a failure. */
const POLL_MS = 50;

interface Outage {
  readonly name: string;
  /** In milliseconds. Above 0, requests must fail, and readiness must report it. */
  readonly lasts: number;
  /** Makes the database unavailable, and available again. */
  readonly take: (postgres: PostgresServer) => Promise<void>;
  readonly bringBack: (postgres: PostgresServer) => Promise<void>;
}

const stop = (postgres: PostgresServer): Promise<void> => postgres.stop();
const start = (postgres: PostgresServer): Promise<void> => postgres.start();

const RESTART: Outage = { name: 'restart', lasts: 0, take: stop, bringBack: start };

const STOP: Outage = { name: 'stop', lasts: 5_000, take: stop, bringBack: start };

const FREEZE: Outage = {
  name: 'freeze',
  // So that a request for readiness fits in behind the time to notice, however long the one before it took.
  lasts: NOTICE_MS + 2 * ANSWER_MS,
  take: (postgres) => postgres.freeze(),
  bringBack: (postgres) => postgres.thaw(),
};

/** The database becomes unavailable in several ways, and comes back. */
export const DATABASE_GONE: Fault = {
  name: 'database-gone',
  title: `PostgreSQL restarted, stopped for 5 s and frozen for 10 s while ${CALLERS} callers read and write`,
  run: async (scene) => {
    const service = await scene.service();
    const caller = scene.caller(service);
    const outages = [...Array.from({ length: scene.count(5, 1) }, () => RESTART), STOP, FREEZE];
    const written = new Set<string>();
    for (const outage of outages) await survive(scene, caller, service.origin, outage, written);
    scene.verdict.expect(service.isRunning, 'the process never exits');
    const rows = await query<{ name: string }>(await scene.database(), 'SELECT name FROM guardrails');
    const names = new Set(rows.map(({ name }) => name));
    const lost = [...written].filter((name) => !names.has(name));
    scene.verdict.figure('writes answered', written.size);
    scene.verdict.figure('lost', lost.length);
    scene.verdict.expect(lost.length === 0, 'every write that was answered is there afterwards', lost);
    scene.verdict.expect(rows.length === names.size, 'none is there twice', rows.length - names.size);
  },
};

async function survive(
  scene: Scene,
  caller: Caller,
  origin: string,
  outage: Outage,
  written: Set<string>,
): Promise<void> {
  const { name } = outage;
  const outcomes: Outcome[] = [];
  const readiness: Outcome[] = [];
  const health = scene.callerAt(origin);
  let number = 0;
  const load = scene.load(CALLERS, async (who) => {
    const guardrail = `${name}-${written.size}-${number++}-${who}`;
    const outcome = await oneRequest(caller, scene, who, guardrail);
    outcomes.push(outcome);
    if (outcome.status === 201) written.add(guardrail);
    if (!isSuccess(outcome)) await delay(POLL_MS);
  });
  const watch = scene.load(1, async () => {
    readiness.push(await health.get('/health/ready'));
    await delay(POLL_MS);
  });
  await delay(1_000);
  const goneAt = performance.now();
  const { postgres } = scene.deployment;
  await outage.take(postgres);
  await delay(outage.lasts);
  const returningAt = performance.now();
  await outage.bringBack(postgres);
  const backAt = performance.now();
  await delay(RECOVERY_MS + 1_500);
  await Promise.all([load.stop(), watch.stop()]);
  judge(scene, outage, { outcomes, readiness, goneAt, returningAt, backAt });
}

/** Each caller has its own operation, so that reads and writes of every path through the service are in progress. */
function oneRequest(caller: Caller, { tenant }: Scene, who: number, guardrail: string): Promise<Outcome> {
  switch (who % 8) {
    case 0:
      return caller.get('/images/models');
    case 1:
      return caller.get('/guardrails');
    case 2:
      return caller.post('/auth/keys/code', { callback_url: 'https://fault.example/callback' });
    case 3:
      return caller.delete(`/workspaces/${tenant.workspace.slug}/budgets/daily`);
    case 4:
      return caller.get(`/workspaces/${tenant.workspace.slug}/members`);
    case 5:
      return caller.get(`/observability/destinations/${tenant.destination_ids[0]}`);
    default:
      return caller.post('/guardrails', { name: guardrail });
  }
}

interface Observation {
  readonly outcomes: readonly Outcome[];
  readonly readiness: readonly Outcome[];
  readonly goneAt: number;
  /** From here on some process of the database may answer already, and from `backAt` on all do. */
  readonly returningAt: number;
  readonly backAt: number;
}

function judge(
  { verdict }: Scene,
  { name, lasts }: Outage,
  { outcomes, readiness, goneAt, returningAt, backAt }: Observation,
): void {
  const failed = outcomes.filter((outcome) => !isSuccess(outcome));
  const unanswered = failed.filter(({ status }) => status === undefined);
  const before = failed.filter(({ endedAt }) => endedAt < goneAt);
  const after = failed.filter(({ startedAt }) => startedAt > backAt + RECOVERY_MS);
  const slow = outcomes.filter((outcome) => durationOf(outcome) > ANSWER_MS);
  const lastFailure = failed.reduce((last, { startedAt }) => Math.max(last, startedAt), goneAt);
  verdict.figure(`${name}: sent`, outcomes.length);
  verdict.figure('failed', failed.length);
  verdict.figure('unanswered', unanswered.length);
  verdict.figure('longest ms', longestOf(outcomes));
  verdict.figure('last failure sent after ms', Math.max(0, Math.round(lastFailure - backAt)));
  verdict.expect(before.length === 0, `${name}: nothing fails before`, summaryOf(before));
  verdict.expect(
    failed.every((one) => isEnveloped500(one) || isEnveloped503(one) || isEnveloped429(one)),
    `${name}: every failure is an enveloped 429, 500 or 503`,
    summaryOf(failed),
  );
  verdict.expect(slow.length === 0, `${name}: every request is answered within ${ANSWER_MS} ms`, longestOf(slow));
  verdict.expect(after.length === 0, `${name}: nothing fails ${RECOVERY_MS} ms after it is back`, summaryOf(after));

  const during = readiness.filter(({ startedAt, endedAt }) => startedAt > goneAt + NOTICE_MS && endedAt < returningAt);
  const wrong = during.filter(({ status, text }) => status !== 503 || !text.includes('"database":"down"'));
  const late = readiness.filter(({ startedAt, status }) => startedAt > backAt + RECOVERY_MS && status !== 200);
  const slowChecks = readiness.filter((outcome) => durationOf(outcome) > ANSWER_MS);
  if (lasts > 0) {
    verdict.expect(failed.length > 0, `${name}: the database was gone`);
    verdict.expect(during.length > 0, `${name}: /health/ready was asked meanwhile`);
  }
  verdict.expect(wrong.length === 0, `${name}: /health/ready says that the database is down`, summaryOf(wrong));
  verdict.expect(late.length === 0, `${name}: /health/ready says when it is back`, summaryOf(late));
  verdict.expect(slowChecks.length === 0, `${name}: /health/ready answers in time`, longestOf(slowChecks));
}
