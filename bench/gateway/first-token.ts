import { median, rounded } from '../support/statistics.js';
import type { TestBed } from './test-bed.js';
import { type GatewayOptions, type GatewayRow, percentile, withSpread } from './measure.js';
import { gatewayAt, providerAt, readStream, type StreamSource } from './streams.js';

/** How many streams are open at a time. */
const STREAMS = 50;

/** About as fast as a model answers. */
const STREAM = '30 chunks every 30 ms';

/** What each source streams before it is measured, a batch at a time, so that all code that is measured was compiled. */
const WARM_UP = { batches: 60, stream: '3 chunks every 1 ms' };

/** How much later the first token comes than directly from the provider, in turn: of the service, and of the floor. */
export async function measureFirstToken(testBed: TestBed, { rounds, seconds }: GatewayOptions): Promise<GatewayRow[]> {
  const { service, proxy, upstream, tenant } = testBed;
  const [ofService, ofProxy] = [service, proxy].map(({ origin }) => gatewayAt(origin, tenant.api_key));
  const sources = [ofService!, ofProxy!, providerAt(upstream.origin)] as const;
  for (const source of sources) await warmUp(source);
  const timed: (readonly (readonly number[])[])[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const times: number[][] = [];
    for (const source of sources) times.push(await firstTokens(source, seconds));
    timed.push(times);
  }
  const row = (name: string, share: number, goal: string): GatewayRow => {
    const [own, least, direct] = sources.map((_, index) => timed.map((times) => percentile(times[index]!, share)));
    const later = (times: readonly number[]): number[] => times.map((time, round) => time - direct![round]!);
    return [
      `first token of ${STREAMS} streams later, ${name} ms`,
      `+${rounded(median(later(own!)), 2)}`,
      `+${rounded(median(later(least!)), 2)}`,
      `+${withSpread(later(own!), 2)}`,
      goal,
    ];
  };
  return [row('p50', 0.5, '<= +4'), row('p99', 0.99, '<= +15')];
}

async function warmUp(source: StreamSource): Promise<void> {
  for (let batch = 0; batch < WARM_UP.batches; batch += 1) {
    await Promise.all(Array.from({ length: STREAMS }, () => readStream(source, WARM_UP.stream)));
  }
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
