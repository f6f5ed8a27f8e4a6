import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
// Loaded here, so that what it stops serves all files of the suite.
import '../support/application/stop-at-end.js';

/** How many suites there are: each loads the service once, and none runs for so long that a worker waits for another at the end. */
const SUITES = 12;

/** Where spec files are, each with how long a byte of one takes compared with a byte of a test of an operation. */
const WEIGHTS: Readonly<Record<string, number>> = {
  packages: 0.2,
  src: 0.2,
  'test/database': 3,
  'test/e2e/boot': 5,
  'test/work': 10,
  test: 1,
};

/** The exhaustive specs, and those that need a browser, other data, an engine, clients of providers or the conformance suite of MCP, have commands of their own. */
const SPEC = /(\.e2e-spec|(?<!\.(exhaustive|browser|shared-data|clickhouse|oracle|conformance))\.spec)\.ts$/;

/** Every spec file that `npm test` runs, by its path from the root of the repository, in alphabetical order. */
export function specFiles(): string[] {
  return ['packages', 'src', 'test']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
    )
    .filter((file) => SPEC.test(file))
    .sort();
}

/** About how long a spec file takes, in bytes of a test of an operation. */
export function weightOf(file: string): number {
  const folder = Object.keys(WEIGHTS).find((each) => file.startsWith(`${each}/`))!;
  return statSync(file).size * WEIGHTS[folder]!;
}

/**
 * Divides all spec files among the suites: neighbours stay together, because the files of a folder share applications, and all suites
 * take about as long.
 *
 * @returns the files of each suite
 */
export function suites(): string[][] {
  const files = specFiles();
  const whole = files.reduce((sum, file) => sum + weightOf(file), 0);
  const divided = Array.from({ length: SUITES }, (): string[] => []);
  let before = 0;
  for (const file of files) {
    const weight = weightOf(file);
    divided[Math.floor(((before + weight / 2) / whole) * SUITES)]!.push(file);
    before += weight;
  }
  return divided;
}

/**
 * Runs the tests of one suite's files as one, in one run of Jest's module registry: to load the service anew for each file takes longer
 * than most files' tests.
 *
 * @param number of the suite, from 1 on
 */
export function runSuite(number: number): void {
  for (const file of suites()[number - 1]!) describe(file, () => void jest.requireActual(path.resolve(file)));
}
