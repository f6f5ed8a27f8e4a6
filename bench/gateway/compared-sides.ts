import { load, type LoadRequest, type LoadResult, send } from '../support/load.js';
import type { ServerProcess } from '../support/server-process.js';
import { median, rounded } from '../support/statistics.js';
import { type GatewayOptions, withSpread } from './measure.js';

/** One of two that are compared. */
export interface Side {
  readonly server: ServerProcess;
  readonly key: string;
  /** Makes the next request. */
  readonly next: () => LoadRequest;
}

/** What a round found of the one side, and of the other. */
export type Pair = readonly [LoadResult, LoadResult];

/** Until the compiler has seen what is asked for often: after 1,500 part of the service was still slow. */
const WARM_UP_REQUESTS = 5_000;

/**
 * Two sides in turn, after a warm-up of both that is not counted.
 *
 * @throws Error when a request failed
 */
export async function compareInTurn(
  sides: readonly [Side, Side],
  { rounds, seconds }: GatewayOptions,
): Promise<Pair[]> {
  const run = ({ server, key, next }: Side): Promise<LoadResult> => load(server, key, next, seconds);
  for (const { server, key, next } of sides) await send(server, key, next, WARM_UP_REQUESTS);
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round += 1) pairs.push([await run(sides[0]), await run(sides[1])]);
  const failed = pairs.flat().reduce((sum, result) => sum + result.failed, 0);
  if (failed > 0) throw new Error(`${failed} requests failed`);
  return pairs;
}

/** The medians of a figure of both sides. */
export function medians(
  pairs: readonly Pair[],
  pick: (result: LoadResult) => number,
  digits: number,
): [string, string] {
  return [
    rounded(median(pairs.map(([own]) => pick(own))), digits),
    rounded(median(pairs.map(([, beside]) => pick(beside))), digits),
  ];
}

/** The requests a second of both sides, and their ratio in each round. */
export function ratesOf(pairs: readonly Pair[]): [own: string, beside: string, ratio: string] {
  const ratios = pairs.map(([own, beside]) => own.requestsPerSecond / beside.requestsPerSecond);
  return [...medians(pairs, ({ requestsPerSecond }) => requestsPerSecond, 0), withSpread(ratios, 2)];
}
