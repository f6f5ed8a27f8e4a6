import { readFileSync } from 'node:fs';

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
 * Reads the real catalogs.
 *
 * @throws Error when they are not there
 */
export function readSharedCatalog(): SharedCatalog {
  const read = (name: string): PublicList =>
    JSON.parse(readFileSync(`${DIRECTORY}/${name}.json`, 'utf8')) as PublicList;
  return { models: read('models'), imageModels: read('image-models') };
}
