import { existsSync, readFileSync } from 'node:fs';

/** Where real catalogs lie, beside this repository and not in it. */
const DIRECTORY = '../shared/data';

/** A catalog in the public list form. */
export interface PublicList {
  readonly data: readonly ({ readonly id: string; readonly created: number } & Readonly<Record<string, unknown>>)[];
}

/** The real lists of models and of image models. */
export interface SharedCatalog {
  readonly models: PublicList;
  readonly imageModels: PublicList;
}

/**
 * The tests that need the real catalogs. Where those are not at hand, says so and skips.
 *
 * @param tests defines them
 */
export function describeWithSharedCatalog(name: string, tests: (catalog: SharedCatalog) => void): void {
  const files = [`${DIRECTORY}/models.json`, `${DIRECTORY}/image-models.json`] as const;
  if (!files.every((file) => existsSync(file))) {
    process.stdout.write(`skipped: ${name}, for there is no ${files.join(' and ')}\n`);
    describe.skip(name, () => it.todo(`needs ${files.join(' and ')}`));
    return;
  }
  const [models, imageModels] = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as PublicList);
  describe(name, () => tests({ models: models!, imageModels: imageModels! }));
}
