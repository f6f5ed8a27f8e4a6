import { median, rounded } from '../support/statistics.js';
import type { Field } from './field.js';
import { type GatewayOptions, type GatewayRow, withSpread } from './measure.js';
import { gatewayAt, readStream } from './streams.js';

const STREAMS = 50;

const CHUNKS = 400;

/** Processor time of the service for each chunk of streams, each of which comes alone. The beginning of a stream is in it. */
export async function measureChunkCost({ service, tenant }: Field, { rounds }: GatewayOptions): Promise<GatewayRow[]> {
  const source = gatewayAt(service.origin, tenant.api_key);
  const streams = async (): Promise<number> => {
    const before = service.processorTime();
    const read = await Promise.all(
      Array.from({ length: STREAMS }, () => readStream(source, `${CHUNKS} chunks every 5 ms`)),
    );
    const chunks = read.reduce((sum, stream) => sum + stream.chunks, 0);
    if (chunks !== STREAMS * CHUNKS) throw new Error(`${chunks} chunks came`);
    return ((service.processorTime() - before) * 1000) / chunks;
  };
  // Warm-up of compilers, not counted.
  await streams();
  const costs: number[] = [];
  for (let round = 0; round < rounds; round += 1) costs.push(await streams());
  return [['processor time a chunk, us', rounded(median(costs), 1), '', withSpread(costs, 1), '<= 40']];
}
