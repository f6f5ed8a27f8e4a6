import { readdirSync } from 'node:fs';
import path from 'node:path';
// Loaded here, so that what it stops serves all files of the suite.
import '../support/application/stop-at-end.js';

/** The specs of a suite. The exhaustive ones, and those that need a browser or other data, have commands of their own. */
const SPEC = /(\.e2e-spec|(?<!\.(exhaustive|browser|shared-data))\.spec)\.ts$/;

/**
 * The files below some folders with tests that `npm test` runs, in alphabetical order.
 *
 * @param folders paths from the root of the repository; files are taken as they are
 */
export function specsBelow(folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) =>
      folder.endsWith('.ts')
        ? [folder]
        : readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
    )
    .filter((file) => SPEC.test(file))
    .sort();
}

/**
 * Runs the tests of many files as one, in one run of Jest's module registry: to load the service anew for each file
 * takes longer than most files' tests.
 */
export function loadSpecs(folders: readonly string[]): void {
  for (const file of specsBelow(folders)) describe(file, () => void jest.requireActual(path.resolve(file)));
}
