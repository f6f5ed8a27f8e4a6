import { setTimeout as delay } from 'node:timers/promises';
import type { ServerProcess } from '../support/server-process.js';
import { median, rounded } from '../support/statistics.js';
import { governedKey, plainKey } from './answers.js';
import { type GatewayOptions, type GatewayRow, withSpread } from './measure.js';
import { gatewayAt, readStream, type StreamSource } from './streams.js';
import type { TestBed } from './test-bed.js';

/** How many streams are open at a time. */
const STREAMS = 100;

/** Milliseconds between two chunks of a stream. */
const GAP_MS = 20;

/** Between the beginnings of two streams, in milliseconds, so that their chunks do not come at the same moments. */
const APART_MS = 7;

/** For how long more than it is measured a stream lasts, in milliseconds: until all have begun, and so that none ends before. */
const BESIDES_MS = 2 * APART_MS * STREAMS;

/** Of one side before the first round, in seconds, so that all code that is measured was compiled. */
const WARM_UP_SECONDS = 6;

/** Where streams are asked for, and the process that passes them on. */
interface Passer {
  readonly server: ServerProcess;
  readonly source: StreamSource;
}

/**
 * The processor time of a chunk of a stream: of the service plain and under policy and budget, in turn with the floor, and with another
 * revision. Only what comes while all streams are open is measured, and neither how they begin nor how they end.
 */
export async function measureChunks(testBed: TestBed, options: GatewayOptions): Promise<GatewayRow[]> {
  const { service, proxy, tenant, beside } = testBed;
  const governed = passer(service, await governedKey(testBed));
  const plain = passer(service, await plainKey(testBed));
  const floor = passer(proxy, tenant.api_key);
  const other = beside && passer(beside.service, await governedKey(beside));
  const sides = [governed, plain, floor, ...(other === undefined ? [] : [other])];
  for (const side of sides) await microsecondsOf(side, WARM_UP_SECONDS);
  const rounds: number[][] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const times: number[] = [];
    for (const side of sides) times.push(await microsecondsOf(side, options.seconds));
    rounds.push(times);
  }
  const row = (what: string, own: Passer, against: Passer, goal: string): GatewayRow => {
    const timesOf = (side: Passer): number[] => rounds.map((times) => times[sides.indexOf(side)]!);
    const [ofOwn, ofOther] = [timesOf(own), timesOf(against)];
    const ratios = ofOwn.map((time, round) => time / ofOther[round]!);
    const medians = [ofOwn, ofOther].map((times) => rounded(median(times), 1)) as [string, string];
    return [`a chunk of ${STREAMS} streams${what}, CPU us`, ...medians, withSpread(ratios, 2), goal];
  };
  return [
    row(' beside a proxy', plain, floor, ''),
    row(' under policy and budget beside a proxy', governed, floor, '<= 2.0'),
    ...(other === undefined ? [] : [row(' under policy and budget beside the other revision', governed, other, '')]),
  ];
}

function passer(server: ServerProcess, key: string): Passer {
  return { server, source: gatewayAt(server.origin, key) };
}

/** The processor time of a chunk in microseconds, while all streams are open. */
async function microsecondsOf({ server, source }: Passer, seconds: number): Promise<number> {
  const chunks = Math.ceil((seconds * 1000 + BESIDES_MS) / GAP_MS);
  let [came, ended] = [0, 0];
  const streams = Array.from({ length: STREAMS }, async (_, index) => {
    await delay(index * APART_MS);
    await readStream(source, `${chunks} chunks every ${GAP_MS} ms`, (more) => void (came += more));
    ended += 1;
  });
  const measured = async (): Promise<number> => {
    await delay(BESIDES_MS / 2 + GAP_MS);
    const [before, cameBefore] = [server.processorTime(), came];
    await delay(seconds * 1000);
    if (ended > 0) throw new Error('a stream ended while its chunks were measured');
    return ((server.processorTime() - before) * 1000) / (came - cameBefore);
  };
  const [microseconds] = await Promise.all([measured(), ...streams]);
  return microseconds;
}
