import os from 'node:os';
import { LIMIT_ENCRYPTION_KEY } from './limit/constants.js';
import { openBenchDatabase } from './support/database.js';
import { load, type LoadResult } from './support/load.js';
import { SCENARIOS } from './support/scenarios.js';
import { ServerProcess } from './support/server-process.js';
import { median, rounded } from './support/statistics.js';
import { markdownTable } from './support/table.js';
import { makeTenant } from './support/tenant.js';

/** How much to measure. */
export interface WorkersOptions {
  readonly rounds: number;
  /** Of each round of each number of workers. */
  readonly seconds: number;
}

const OPERATIONS = ['createGuardrail', 'listGuardrails', 'getModel', 'listWorkspaceMembers'];

const HEADINGS = ['operation', 'WORKERS', 'requests/s', 'p50 ms', 'p99 ms', 'CPU ms', 'of one'];

/** The same load on one process and on several, in turn, on one database. @returns a table */
export async function measureWorkers({ rounds, seconds }: WorkersOptions): Promise<string> {
  const counts = [...new Set([1, 2, os.availableParallelism()])];
  const database = await openBenchDatabase();
  const servers: ServerProcess[] = [];
  try {
    const tenant = await makeTenant(database);
    for (const workers of counts) {
      const variables = {
        DATABASE_URL: database.url,
        ENCRYPTION_KEY: LIMIT_ENCRYPTION_KEY.toString('base64'),
        WORKERS: String(workers),
      };
      servers.push(await ServerProcess.start('dist/src/main.js', variables, '/health/ready'));
    }
    const rows: string[][] = [];
    for (const scenario of SCENARIOS.filter(({ name }) => OPERATIONS.includes(name))) {
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
      const gains = results.map((of) =>
        median(of.map((result, round) => result.requestsPerSecond / results[0]![round]!.requestsPerSecond)),
      );
      for (const [index, of] of results.entries()) {
        if (of.some(({ failed }) => failed > 0)) throw new Error(`${scenario.name}: requests failed`);
        const column = (pick: (result: LoadResult) => number, digits: number): string =>
          rounded(median(of.map(pick)), digits);
        const row = [
          scenario.name,
          String(counts[index]),
          column((result) => result.requestsPerSecond, 0),
          column((result) => result.p50, 1),
          column((result) => result.p99, 1),
          column((result) => result.processorMs, 3),
          rounded(gains[index]!, 2),
        ];
        process.stdout.write(`${row.join('  ')}\n`);
        rows.push(row);
      }
    }
    const note = `${os.availableParallelism()} processors, shared by service, PostgreSQL and the load itself`;
    return `${markdownTable(HEADINGS, rows)}\n\n${note}`;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await database.close();
  }
}
