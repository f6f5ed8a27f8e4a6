import { setTimeout as delay } from 'node:timers/promises';
import { announcesClose } from '../support/byte-answers.js';
import { ByteConnection } from '../support/byte-connection.js';
import { byteRequest } from '../support/byte-request.js';
import type { Fault } from '../support/fault.js';
import { lockTable } from '../support/table-lock.js';
import { Random } from '../support/random.js';
import type { Scene } from '../support/scene.js';
import { becomesTrue } from '../support/becomes-true.js';

const CONNECTIONS = 64;

/** How long the process may take to end, in milliseconds: many times the service's own grace period. */
const GRACE_MS = 60_000;

/** How long a client pauses between two requests at most, in milliseconds: at the signal some are idle, some are not. */
const MAXIMUM_PAUSE_MS = 400;

/** How long requests are held up around the signal, in milliseconds, so that it finds some of them half done. */
const HELD_MS = 600;

/** Every request is answered within this time. */
const TIMEOUT_MS = 150_000;

/** What came of the requests of all connections. */
class Tally {
  /** How many connections have had their first answer. */
  begun = 0;
  sent = 0;
  answered = 0;
  /** Answered with another status than it should be. */
  failed = 0;
  /** Not answered in full, on a connection of which no answer had said that it ends. */
  lost = 0;
  /** How many answers announced the end of their connection. */
  announcedEnds = 0;
  readonly losses: string[] = [];
}

/**
 * Every client sends on one connection until an answer says that it ends, and never on one that was said to end; so
 * every request that is sent is one that the service has accepted, and each that is not answered is lost.
 */
export const STOP_UNDER_LOAD: Fault = {
  name: 'stop-under-load',
  title: `SIGTERM under ${CONNECTIONS} connections with keep-alive, some of them in the middle of a request`,
  run: async (scene) => {
    const { verdict } = scene;
    const tally = new Tally();
    const rounds = scene.count(5, 1);
    const waits: number[] = [];
    for (let round = 0; round < rounds; round += 1) waits.push(await stopOnce(scene, tally, round));
    verdict.figure('stops', rounds);
    verdict.figure('sent', tally.sent);
    verdict.figure('answered', tally.answered);
    verdict.figure('failed', tally.failed);
    verdict.figure('lost', tally.lost);
    verdict.figure('connections told that they end', tally.announcedEnds);
    verdict.figure('longest stop ms', Math.round(Math.max(...waits)));
    verdict.expect(tally.failed === 0, 'no request that was accepted fails', tally.losses);
    verdict.expect(tally.lost === 0, 'no request that was accepted is lost', tally.losses);
    verdict.expect(
      tally.announcedEnds === rounds * CONNECTIONS,
      'every connection in use is told that it ends',
      tally.announcedEnds,
    );
  },
};

/** @returns how long the service took to end, in milliseconds */
async function stopOnce(scene: Scene, tally: Tally, round: number): Promise<number> {
  const { verdict } = scene;
  const service = await scene.service();
  const random = new Random(scene.seed + round);
  // Never used again after its first answer: it may be closed, but not hold the service up.
  const unused = new ByteConnection(service.origin);
  unused.send(byteRequest('GET', '/health/live', ''));
  const clients = Array.from({ length: CONNECTIONS }, (_, number) => use(scene, service.origin, number, random, tally));
  // Only then it is certain that each connection was accepted, by the service and not only by its system.
  await becomesTrue(() => tally.begun === CONNECTIONS * (round + 1), TIMEOUT_MS);
  await delay(500);
  const unlock = await lockTable(await scene.database(), 'guardrails');
  await delay(HELD_MS / 2);
  const signalledAt = performance.now();
  service.signal('SIGTERM');
  await delay(HELD_MS / 2);
  await unlock();
  const hasEnded = await becomesTrue(() => !service.isRunning, GRACE_MS);
  verdict.expect(hasEnded, `the process ends within ${GRACE_MS} ms`);
  if (!hasEnded) service.signal('SIGKILL');
  const { code, signal, at } = await service.exit();
  verdict.expect(code === 0, 'it ends with exit code 0', { code, signal });
  verdict.expect(service.countOf('stopped') === 1, 'its last log line is written');
  await Promise.all(clients);
  unused.destroy();
  return at - signalledAt;
}

async function use(scene: Scene, origin: string, number: number, random: Random, tally: Tally): Promise<void> {
  const connection = new ByteConnection(origin);
  const { tenant } = scene;
  for (let answered = 0; ; answered += 1) {
    const isWrite = number % 2 === 0;
    const request = isWrite
      ? byteRequest('POST', '/api/v1/guardrails', tenant.management_key, { name: `stop-${number}` })
      : byteRequest('GET', '/api/v1/images/models', tenant.management_key);
    // Every fourth client sends in two pieces, the end of it when the answer may be the last already.
    const cut = number % 4 === 0 ? request.length - 10 : request.length;
    tally.sent += 1;
    connection.send(request.slice(0, cut));
    if (cut < request.length) {
      await delay(random.below(50));
      connection.send(request.slice(cut));
    }
    await connection.wait(answered + 1, TIMEOUT_MS);
    const answer = connection.answers[answered];
    if (answer === undefined) {
      tally.lost += 1;
      tally.losses.push(`${number}: ${connection.end?.how ?? 'hung'} after ${answered} answers`);
      break;
    }
    tally.answered += 1;
    if (answered === 0) tally.begun += 1;
    if (answer.status !== (isWrite ? 201 : 200)) {
      tally.failed += 1;
      tally.losses.push(`${number}: ${answer.status}`);
    }
    if (announcesClose(answer)) {
      tally.announcedEnds += 1;
      break;
    }
    await delay(random.below(MAXIMUM_PAUSE_MS));
  }
  connection.destroy();
}
