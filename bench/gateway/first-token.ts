import { median, rounded } from '../support/statistics.js';
import type { Field } from './field.js';
import { type GatewayOptions, type GatewayRow, percentile, withSpread } from './measure.js';
import { gatewayAt, providerAt, readStream, type StreamSource } from './streams.js';

/** How many streams are open at a time. */
const STREAMS = 50;

/** About as fast as a model answers. */
const STREAM = '30 chunks every 30 ms';

/** How much later the first token comes than directly from the provider, in turn. */
export async function measureFirstToken(field: Field, { rounds, seconds }: GatewayOptions): Promise<GatewayRow[]> {
  const { service, upstream, tenant } = field;
  const sources = [gatewayAt(service.origin, tenant.api_key), providerAt(upstream.origin)] as const;
  for (const source of sources) await firstTokens(source, 1);
  const pairs: (readonly [number[], number[]])[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push([await firstTokens(sources[0], seconds), await firstTokens(sources[1], seconds)]);
  }
  const row = (name: string, share: number, goal: string): GatewayRow => {
    const times = pairs.map(([own, direct]) => [percentile(own, share), percentile(direct, share)] as const);
    return [
      `first token of ${STREAMS} streams, ${name} ms`,
      rounded(median(times.map(([own]) => own)), 2),
      rounded(median(times.map(([, direct]) => direct)), 2),
      `+${withSpread(
        times.map(([own, direct]) => own - direct),
        2,
      )}`,
      goal,
    ];
  };
  return [row('p50', 0.5, '<= +2'), row('p99', 0.99, '<= +10')];
}

/** The times to the first token of all streams that begin within some seconds. */
async function firstTokens(source: StreamSource, seconds: number): Promise<number[]> {
  const end = performance.now() + seconds * 1000;
  const times: number[] = [];
  const one = async (index: number): Promise<void> => {
    // Not all at the same moment, which no clients would be.
    await new Promise((resolve) => setTimeout(resolve, index * 18));
    while (performance.now() < end) times.push((await readStream(source, STREAM)).firstTokenMs);
  };
  await Promise.all(Array.from({ length: STREAMS }, (_, index) => one(index)));
  return times;
}
