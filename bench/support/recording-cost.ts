import { DataSource } from 'typeorm';
import { connectionOptions } from '../../src/persistence/connection-options.js';
import { ConnectionPool } from '../../src/persistence/connection-pool.js';
import type { Metrics } from '../../src/telemetry/metrics/metrics.js';
import { PrometheusMetrics } from '../../src/telemetry/metrics/prometheus-metrics.js';
import { median, rounded } from './statistics.js';

const CALLS = 200_000;
const ROUNDS = 9;

/** Few enough that their garbage is not collected in between. */
const CALLS_BETWEEN_COLLECTIONS = 5_000;

const OPERATIONS = ['createGuardrail', 'listGuardrails', 'getModel', 'listWorkspaceMembers'];

/** What it costs to record one request, by itself: with metrics, and where there are none. */
export async function recordingCost(databaseUrl: string): Promise<string> {
  const dataSource = await new DataSource(connectionOptions(databaseUrl)).initialize();
  const metrics = new PrometheusMetrics(new ConnectionPool(dataSource));
  const [on, off] = [costOf(metrics), costOf(undefined)];
  const scrapes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    await metrics.text();
    scrapes.push(performance.now() - start);
  }
  await dataSource.destroy();
  return (
    `recording a request: ${rounded(on.nanoseconds, 0)} ns and ${rounded(on.bytes, 0)} bytes with metrics, ` +
    `${rounded(off.nanoseconds, 0)} ns and ${rounded(off.bytes, 0)} bytes without; a scrape: ${rounded(median(scrapes), 1)} ms`
  );
}

function costOf(metrics: Metrics | undefined): { nanoseconds: number; bytes: number } {
  // Warm-up of compilers.
  record(metrics, CALLS);
  const times: number[] = [];
  const sizes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    record(metrics, CALLS);
    times.push(((performance.now() - start) * 1e6) / CALLS);
    const before = process.memoryUsage().heapUsed;
    record(metrics, CALLS_BETWEEN_COLLECTIONS);
    sizes.push((process.memoryUsage().heapUsed - before) / CALLS_BETWEEN_COLLECTIONS);
  }
  return { nanoseconds: median(times), bytes: Math.max(0, median(sizes)) };
}

function record(metrics: Metrics | undefined, calls: number): void {
  for (let call = 0; call < calls; call += 1) {
    metrics?.request(OPERATIONS[call & 3], (call & 15) === 0 ? 400 : 200, (call & 63) / 4096);
  }
}
