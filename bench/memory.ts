import { setTimeout as delay } from 'node:timers/promises';
import { BENCH_ENCRYPTION_KEY } from './support/constants.js';
import { openBenchDatabase } from './support/database.js';
import { send } from './support/load.js';
import { SCENARIOS } from './support/scenarios.js';
import { ServerProcess } from './support/server-process.js';
import { rounded } from './support/statistics.js';
import { markdownTable } from './support/table.js';
import { makeTenant } from './support/tenant.js';

/** How much to measure. */
export interface MemoryOptions {
  readonly requests: number;
}

const HEADINGS = ['after requests', 'resident MiB', 'goal MiB'];

const SLICES = 10;

/** How long a process may settle after its start, in milliseconds. */
const SETTLING_MS = 3_000;

/** What every request may be sent again and again. */
const REPEATABLE = SCENARIOS.filter((scenario) => scenario.prepare === undefined || scenario.name === 'listGuardrails');

/** The resident memory of the service, idle and under a mixture of all operations that can be repeated. @returns a table */
export async function measureMemory({ requests }: MemoryOptions): Promise<string> {
  const database = await openBenchDatabase();
  let service: ServerProcess | undefined;
  try {
    const tenant = await makeTenant(database);
    const variables = { DATABASE_URL: database.url, ENCRYPTION_KEY: BENCH_ENCRYPTION_KEY.toString('base64') };
    service = await ServerProcess.start('dist/src/main.js', variables, '/health/ready');
    await delay(SETTLING_MS);
    const rows = [['0, idle', rounded(service.residentMemory(), 0), '200']];
    let number = 0;
    const next = (): ReturnType<(typeof REPEATABLE)[number]['request']> => {
      number += 1;
      return REPEATABLE[number % REPEATABLE.length]!.request(tenant, number);
    };
    for (let slice = 1; slice <= SLICES; slice += 1) {
      const { failed } = await send(service, tenant.management_key, next, requests / SLICES);
      if (failed > 0) throw new Error(`${failed} requests failed`);
      rows.push([String((slice * requests) / SLICES), rounded(service.residentMemory(), 0), '200']);
      process.stdout.write(`${rows.at(-1)!.join('  ')}\n`);
    }
    await delay(SETTLING_MS);
    rows.push([`${requests}, idle again`, rounded(service.residentMemory(), 0), '200']);
    return markdownTable(HEADINGS, rows);
  } finally {
    await service?.stop();
    await database.close();
  }
}
