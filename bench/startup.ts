import { rm } from 'node:fs/promises';
import { BENCH_ENCRYPTION_KEY } from './support/constants.js';
import { makeDataDirectory, openBenchServer } from './support/database.js';
import { ServerProcess } from './support/server-process.js';
import { median, rounded } from './support/statistics.js';
import { markdownTable } from './support/table.js';

/** How much to measure. */
export interface StartupOptions {
  /** Starts of each kind. */
  readonly runs: number;
}

const HEADINGS = ['start', 'min s', 'median s', 'max s', 'goal s'];

/** An empty value counts as none, also where this process has one. */
const EMBEDDED = { DATABASE_URL: '', ENCRYPTION_KEY: '' };

/** How long it takes from the start of the process to its first answer. @returns a table */
export async function measureStartup({ runs }: StartupOptions): Promise<string> {
  const seconds: Record<'empty' | 'external' | 'first' | 'again', number[]> = {
    empty: [],
    external: [],
    first: [],
    again: [],
  };
  const server = await openBenchServer();
  try {
    for (let run = 0; run < runs; run += 1) {
      const database = await server.database(false);
      const given = { DATABASE_URL: database.url, ENCRYPTION_KEY: BENCH_ENCRYPTION_KEY.toString('base64') };
      seconds.empty.push(await startAndStop(given));
      seconds.external.push(await startAndStop(given));
      await database.close();
      const dataDirectory = await makeDataDirectory();
      const embedded = { ...EMBEDDED, DATA_DIR: dataDirectory };
      seconds.first.push(await startAndStop(embedded));
      seconds.again.push(await startAndStop(embedded));
      await rm(dataDirectory, { recursive: true });
      process.stdout.write(`run ${run + 1} of ${runs}\n`);
    }
  } finally {
    await server.close();
  }
  return markdownTable(HEADINGS, [
    rowOf('external database', seconds.external, '2'),
    rowOf('external database, empty before', seconds.empty, ''),
    rowOf('embedded server, again', seconds.again, '6'),
    rowOf('embedded server, first time', seconds.first, '6'),
  ]);
}

async function startAndStop(variables: Readonly<Record<string, string>>): Promise<number> {
  const before = performance.now();
  const service = await ServerProcess.start('dist/src/main.js', variables, '/health/ready');
  const seconds = (performance.now() - before) / 1000;
  await service.stop();
  return seconds;
}

function rowOf(name: string, seconds: readonly number[], goal: string): string[] {
  const figures = [Math.min(...seconds), median(seconds), Math.max(...seconds)];
  return [name, ...figures.map((figure) => rounded(figure, 2)), goal];
}
