import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../../../packages/embedded-postgres/free-port.js';
import { ByteConnection } from '../support/byte-connection.js';
import { byteRequest } from '../support/byte-request.js';
import type { Outcome } from '../support/caller.js';
import type { Fault } from '../support/fault.js';
import { forEachNumber } from '../support/load.js';
import { isSuccess, longestOf, percentileOf, summaryOf } from '../support/outcomes.js';
import { requireQuietLog } from '../support/quiet-log.js';
import type { Scene } from '../support/scene.js';
import { becomesTrue } from '../support/becomes-true.js';

const OTHERS = 8;

/** How many connections each kind opens at the same time: in all fewer than the system lets wait to be accepted. */
const OPENED_AT_ONCE = 8;

/** How long the first answer on a connection is waited for, in milliseconds. */
const SLOW_ANSWER_TIMEOUT_MS = 100_000;

/** How often a slow client sends another byte, in milliseconds. */
const TRICKLE_MS = 1_000;

/** How much later than its time a connection may be closed, in milliseconds: they are looked through every second. */
const LATENESS_MS = 15_000;

/** What others may wait for an answer meanwhile, in milliseconds. */
const OTHERS_TIMEOUT_MS = 20_000;

/** A way to hold on to a connection without making use of it. */
interface SlowClient {
  readonly name: string;
  /** The port of the metrics instead of the main one. */
  readonly isScraper?: true;
  /** What it sends at first, and then a byte at a time. */
  readonly first: (key: string) => string;
  readonly trickle: string;
  /** After which time the service closes the connection, in milliseconds (src/http/client-connections.ts). */
  readonly closedAfterMs: number;
  /** What the service says before it closes: the statuses of its answers. */
  readonly answers: readonly number[];
}

const PATH = '/api/v1/guardrails';

const SLOW_CLIENTS: readonly SlowClient[] = [
  { name: 'says nothing', first: () => '', trickle: '', closedAfterMs: 10_000, answers: [408] },
  {
    name: 'sends headers a byte at a time',
    first: (key) => `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nX-Slow: `,
    trickle: 'x',
    closedAfterMs: 10_000,
    answers: [408],
  },
  {
    name: 'sends headers to the port of the metrics a byte at a time',
    isScraper: true,
    first: () => 'GET /metrics HTTP/1.1\r\nX-Slow: ',
    trickle: 'x',
    closedAfterMs: 10_000,
    answers: [408],
  },
  {
    name: 'never ends a body',
    first: (key) => byteRequest('POST', PATH, key, { name: 'x'.repeat(200) }).slice(0, -150),
    trickle: 'x',
    closedAfterMs: 30_000,
    answers: [408],
  },
  {
    name: 'never ends a chunked body',
    first: (key) =>
      `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    trickle: '1\r\n \r\n',
    closedAfterMs: 30_000,
    answers: [408],
  },
  {
    name: 'sends a body that is not read',
    first: () => byteRequest('POST', PATH, 'none', { name: 'x'.repeat(200) }).slice(0, -150),
    trickle: 'x',
    closedAfterMs: 30_000,
    // The client has its answer, which says why the connection ends.
    answers: [401, 408],
  },
  {
    name: 'keeps a connection that it does not use',
    first: (key) => byteRequest('GET', '/api/v1/images/models', key),
    trickle: '',
    closedAfterMs: 65_000,
    answers: [200],
  },
];

/** Connections that are not used, and requests that never end, while others are served. */
export const SLOW_CLIENTS_FAULT: Fault = {
  name: 'slow-clients',
  title: '2,000 idle connections and 500 half-sent requests, while others are served',
  run: async (scene) => {
    const { verdict, tenant } = scene;
    const metricsPort = await findFreePort();
    const service = await scene.service({ METRICS_PORT: String(metricsPort) });
    const caller = scene.caller(service);
    const outcomes: Outcome[] = [];
    const others = scene.load(OTHERS, async (who) => {
      outcomes.push(
        await (who % 2 === 0 ? caller.get('/images/models') : caller.post('/guardrails', { name: 'fast' })),
      );
      // A steady stream rather than as many as fit: what is asked is whether they are served.
      await delay(20);
    });
    // The service has its connections to the database by then.
    await delay(1_000);
    // The one that is waited for longest needs a minute in which nothing else happens.
    const longestMs = scene.count(65_000, 30_000);
    await Promise.all(
      SLOW_CLIENTS.filter(({ closedAfterMs }) => closedAfterMs <= longestMs).map(async (slow) => {
        const isIdle = slow.trickle === '';
        const count = isIdle ? scene.count(1_000, 100) : scene.count(100, 10);
        const origin = slow.isScraper ? `http://127.0.0.1:${metricsPort}` : service.origin;
        await holdOn(scene, origin, slow, count, tenant.management_key);
      }),
    );
    await others.stop();
    const failed = outcomes.filter((outcome) => !isSuccess(outcome));
    verdict.figure('others: sent', outcomes.length);
    verdict.figure('failed', failed.length);
    verdict.figure('p99 ms', percentileOf(outcomes, 0.99));
    verdict.figure('longest ms', longestOf(outcomes));
    verdict.expect(failed.length === 0, 'others are served', summaryOf(failed));
    verdict.expect(
      longestOf(outcomes) <= OTHERS_TIMEOUT_MS,
      `others wait ${OTHERS_TIMEOUT_MS} ms at most`,
      longestOf(outcomes),
    );
    requireQuietLog(verdict, service);
  },
};

async function holdOn(
  scene: Scene,
  origin: string,
  { name, first, trickle, closedAfterMs, answers }: SlowClient,
  count: number,
  key: string,
): Promise<void> {
  const { verdict } = scene;
  const connections: ByteConnection[] = [];
  await forEachNumber(count, OPENED_AT_ONCE, async () => {
    const connection = new ByteConnection(origin);
    connections.push(connection);
    connection.send(first(key));
    await connection.opened;
    // One that is to be answered at once is: no storm of requests, whose answers would take their time, but a slow client.
    if (answers[0] !== 408) await connection.wait(1, SLOW_ANSWER_TIMEOUT_MS);
  });
  const dripping = scene.load(1, async () => {
    await delay(TRICKLE_MS);
    for (const connection of connections) if (connection.isOpen) connection.send(trickle);
  });
  await becomesTrue(() => connections.every(({ isOpen }) => !isOpen), closedAfterMs + LATENESS_MS);
  await dripping.stop();
  const left = connections.filter(({ isOpen }) => isOpen).length;
  const lives = connections.flatMap(({ openedAt, end }) => (end === undefined ? [] : [end.at - openedAt]));
  const wrong = connections
    .map((connection) => connection.answers.map(({ status }) => status).join(' '))
    .filter((statuses) => statuses !== answers.join(' '));
  verdict.figure(`${name}: connections`, count);
  verdict.figure('left open', left);
  verdict.figure('closed after s', `${seconds(Math.min(...lives))} to ${seconds(Math.max(...lives))}`);
  verdict.expect(left === 0, `${name}: closed ${closedAfterMs} ms after it was opened, or soon after`, left);
  verdict.expect(
    Math.min(...lives) >= closedAfterMs - 1_000,
    `${name}: not closed before its time`,
    Math.min(...lives),
  );
  verdict.expect(wrong.length === 0, `${name}: answered with ${answers.join(' ')}`, [...new Set(wrong)]);
  for (const connection of connections) connection.destroy();
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
