import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { BENCH_ENCRYPTION_KEY } from './support/constants.js';
import { openBenchDatabase } from './support/database.js';
import { load, type LoadResult } from './support/load.js';
import { recordingCost } from './support/recording-cost.js';
import { SCENARIOS } from './support/scenarios.js';
import { ServerProcess } from './support/server-process.js';
import { median, rounded } from './support/statistics.js';
import { markdownTable } from './support/table.js';
import { makeTenant } from './support/tenant.js';

/** How much to measure. */
export interface ObservationOptions {
  readonly rounds: number;
  /** Of each round of each server. */
  readonly seconds: number;
  /** The names of the operations; some when left out. */
  readonly operations?: readonly string[];
}

const OPERATIONS = ['createGuardrail', 'listGuardrails', 'getModel'];

const HEADINGS = ['operation', 'observed by', 'requests/s', 'p50 ms', 'p99 ms', 'CPU ms', 'of unobserved', 'CPU of it'];

/** What metrics and traces cost: the same load on a service without, with one and with the other, in turn. @returns a table */
export async function measureObservation({ rounds, seconds, operations }: ObservationOptions): Promise<string> {
  const database = await openBenchDatabase();
  const collector = await startCollector();
  const servers: ServerProcess[] = [];
  try {
    const tenant = await makeTenant(database);
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const observers: Readonly<Record<string, Record<string, string>>> = {
      nobody: {},
      metrics: { METRICS_TOKEN: 'bench' },
      'traces of 1 in 100': { ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' },
      'traces of all': endpoint,
    };
    for (const variables of Object.values(observers)) {
      const common = { DATABASE_URL: database.url, ENCRYPTION_KEY: BENCH_ENCRYPTION_KEY.toString('base64') };
      servers.push(await ServerProcess.start('dist/src/main.js', { ...common, ...variables }, '/health/ready'));
    }
    const rows: string[][] = [];
    for (const scenario of SCENARIOS.filter(({ name }) => (operations ?? OPERATIONS).includes(name))) {
      await scenario.prepare?.(database, tenant);
      let number = 0;
      const next = (): ReturnType<typeof scenario.request> => scenario.request(tenant, number++);
      // Warm-up of compilers and prepared statements, not counted.
      for (const server of servers) await load(server, tenant.management_key, next, 2);
      const results: LoadResult[][] = servers.map(() => []);
      for (let round = 0; round < rounds; round += 1) {
        for (const [index, server] of servers.entries()) {
          results[index]!.push(await load(server, tenant.management_key, next, seconds));
        }
      }
      for (const [index, name] of Object.keys(observers).entries()) {
        const row = [scenario.name, name, ...columnsOf(results[index]!, results[0]!)];
        process.stdout.write(`${row.join('  ')}\n`);
        rows.push(row);
      }
    }
    return `${markdownTable(HEADINGS, rows)}\n\n${await recordingCost(database.url)}`;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await collector.stop();
    await database.close();
  }
}

function columnsOf(results: readonly LoadResult[], unobserved: readonly LoadResult[]): string[] {
  if (results.some(({ failed }) => failed > 0)) throw new Error('requests failed');
  const column = (pick: (result: LoadResult) => number, digits: number): string =>
    rounded(median(results.map(pick)), digits);
  const ratio = (pick: (result: LoadResult) => number): string =>
    rounded(median(results.map((result, round) => pick(result) / pick(unobserved[round]!))), 3);
  return [
    column((result) => result.requestsPerSecond, 0),
    column((result) => result.p50, 1),
    column((result) => result.p99, 1),
    column((result) => result.processorMs, 4),
    ratio((result) => result.requestsPerSecond),
    ratio((result) => result.processorMs),
  ];
}

/** A collector that takes everything and keeps nothing. */
async function startCollector(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = http.createServer((request, response) => {
    request.resume().once('end', () => response.end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
