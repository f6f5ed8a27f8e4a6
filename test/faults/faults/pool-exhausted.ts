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
import { query } from '../support/postgres-server.js';
import type { Scene } from '../support/scene.js';
import { lockTable, waitingIn } from '../support/table-lock.js';
import { becomesTrue } from '../support/becomes-true.js';

/** The callers are of one organization, which has half of the connections at once; the others of its requests wait. */
const POOL_SIZE = 10;
const SHARE = POOL_SIZE / 2;

/** The pool and the pool for large writes, which has half as many connections (docs/adr/0011-writes-of-any-size.md). */
const MAXIMUM_CONNECTIONS = POOL_SIZE * 1.5;
const CALLERS = 64;

/** How long statements wait for the lock, in milliseconds. */
const LOCKED_MS = 6_000;

/**
 * Within this time, in milliseconds, every request is answered: at most 1.5 s for the share of its organization, then at
 * most 1.5 s for a connection and 1 s for the statement that waits.
 */
const ANSWER_MS = 5_000;

/** Every connection of an organization waits in a statement that another session holds up. */
export const POOL_EXHAUSTED: Fault = {
  name: 'pool-exhausted',
  title: `the connections that an organization may have in statements that wait for a lock, and ${CALLERS} callers`,
  run: async (scene) => {
    const { verdict } = scene;
    const service = await scene.service({ DATABASE_POOL_SIZE: String(POOL_SIZE) });
    const url = await scene.database();
    const caller = scene.caller(service);
    const outcomes: Outcome[] = [];
    let mostConnections = 0;

    const unlock = await lockTable(url, 'guardrails');
    const load = scene.load(CALLERS, async (who) => {
      outcomes.push(await (who % 4 === 0 ? caller.get('/images/models') : createGuardrail(caller, `held-${who}`)));
    });
    const watch = scene.load(1, async () => {
      mostConnections = Math.max(mostConnections, await connectionsOf(url));
      await delay(100);
    });
    await delay(LOCKED_MS);
    await watch.stop();
    const unlockedAt = performance.now();
    await unlock();
    await delay(2_000);
    await load.stop();

    const failed = outcomes.filter((outcome) => !isSuccess(outcome));
    const late = failed.filter(({ startedAt }) => startedAt > unlockedAt + 1_000);
    const slow = outcomes.filter((outcome) => durationOf(outcome) > ANSWER_MS);
    verdict.figure('sent', outcomes.length);
    verdict.figure('failed', failed.length);
    verdict.figure('unanswered', failed.filter(({ status }) => status === undefined).length);
    verdict.figure('longest ms', longestOf(outcomes));
    verdict.figure('connections at most', mostConnections);
    verdict.expect(failed.length > 0, 'the pool was exhausted');
    verdict.expect(
      failed.every((one) => isEnveloped500(one) || isEnveloped503(one) || isEnveloped429(one)),
      'every failure is an enveloped 429, 500 or 503',
      summaryOf(failed),
    );
    verdict.expect(slow.length === 0, `every request is answered within ${ANSWER_MS} ms`, longestOf(slow));
    verdict.expect(late.length === 0, 'nothing fails 1 s after the lock is gone', summaryOf(late));
    // What was given up must not go on waiting in the database, beside what takes its place.
    verdict.expect(
      mostConnections <= MAXIMUM_CONNECTIONS,
      `there are never more than ${MAXIMUM_CONNECTIONS} connections`,
      mostConnections,
    );
    const causedBy = (text: string): number =>
      service.logLines.filter(({ failure }) => failure?.message?.includes(text)).length;
    const [ended, without, unheard] = [
      causedBy('canceling statement due to'),
      causedBy('all connections to PostgreSQL were in use'),
      // Where the machine is busy, what PostgreSQL says of a statement that it has ended can be late.
      causedBy('PostgreSQL has not answered in time'),
    ];
    verdict.figure('statements ended', ended);
    verdict.figure('without a connection', without);
    verdict.figure('given up', unheard);
    const refused = failed.filter(isEnveloped429).length;
    verdict.figure('refused with 429', refused);
    verdict.expect(ended > 0, 'PostgreSQL itself ends statements that wait too long');
    verdict.expect(refused > 0, 'requests that wait too long for the share of their organization are refused');
    verdict.expect(
      ended + without + unheard + refused === failed.length,
      'nothing fails for another cause',
      failed.length,
    );
    await requireWholePool(scene, caller, url);
    verdict.expect(service.isRunning, 'the process never exits');
  },
};

/** As many statements as the organization may have connections are under way at the same time, and all of them succeed. */
async function requireWholePool({ verdict }: Scene, caller: Caller, url: string): Promise<void> {
  const unlock = await lockTable(url, 'guardrails');
  const answers = Array.from({ length: POOL_SIZE }, (_, number) => createGuardrail(caller, `whole-${number}`));
  const isWhole = await becomesTrue(async () => (await waitingIn(url)) === SHARE, 800);
  const waiting = await waitingIn(url);
  await unlock();
  const outcomes = await Promise.all(answers);
  verdict.figure('at the same time afterwards', waiting);
  verdict.expect(
    isWhole,
    `the organization has its whole share afterwards: ${SHARE} statements at the same time`,
    waiting,
  );
  verdict.expect(outcomes.every(isSuccess), 'all of them succeed', summaryOf(outcomes));
}

function createGuardrail(caller: Caller, name: string): Promise<Outcome> {
  return caller.post('/guardrails', { name });
}

async function connectionsOf(url: string): Promise<number> {
  const [row] = await query<{ count: string }>(
    url,
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'gatehouse service'`,
  );
  return Number(row!.count);
}
