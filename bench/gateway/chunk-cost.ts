import { median, rounded } from '../support/statistics.js';
import type { ServerProcess } from '../support/server-process.js';
import type { TestBed } from './test-bed.js';
import { type GatewayOptions, type GatewayRow, withSpread } from './measure.js';
import { gatewayAt, readStream } from './streams.js';

const STREAMS = 50;

const CHUNKS = 400;

/**
 * Processor time for each chunk of streams, each of which comes alone, of the service and of a server that hands on the provider's bytes
 * without looking into them, in turn. The beginning of a stream is in it.
 */
export async function measureChunkCost(
  { service, limit, tenant }: TestBed,
  { rounds }: GatewayOptions,
): Promise<GatewayRow[]> {
  const costOf = async (server: ServerProcess): Promise<number> => {
    const source = gatewayAt(server.origin, tenant.api_key);
    const before = server.processorTime();
    const read = await Promise.all(
      Array.from({ length: STREAMS }, () => readStream(source, `${CHUNKS} chunks every 5 ms`)),
    );
    const chunks = read.reduce((sum, stream) => sum + stream.chunks, 0);
    if (chunks !== STREAMS * CHUNKS) throw new Error(`${chunks} chunks came`);
    return ((server.processorTime() - before) * 1000) / chunks;
  };
  // Warm-up of compilers, not counted.
  for (const server of [service, limit]) await costOf(server);
  const costs: number[] = [];
  const least: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    costs.push(await costOf(service));
    least.push(await costOf(limit));
  }
  const [own, beside] = [median(costs), median(least)].map((cost) => rounded(cost, 1));
  return [['processor time a chunk, us', own!, beside!, withSpread(costs, 1), '<= 40']];
}
