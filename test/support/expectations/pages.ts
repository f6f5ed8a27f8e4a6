import type { Answer } from '../network/api-client.js';
import type { TestApplication } from '../application/test-application.js';

/** The body of a list. */
export interface PageBody<Item> {
  readonly data: Item[];
  readonly total_count: number;
}

/** A list to walk through. */
export interface PagedList {
  /** The path of the operation, with whatever query it needs. */
  readonly path: string;
  readonly key: string;
  /** How many items to ask for at a time. */
  readonly limit: number;
  /** Runs after every page that has items: for example makes another one. */
  readonly betweenPages?: () => Promise<unknown>;
}

/**
 * Walks through a list by offset until it ends, as a client does.
 *
 * @returns the pages, the last of which is empty
 */
export async function walkPages<Item>(app: TestApplication, walk: PagedList): Promise<PageBody<Item>[]> {
  const pages: PageBody<Item>[] = [];
  let offset = 0;
  for (;;) {
    const window = `limit=${walk.limit}&offset=${offset}`;
    const separator = walk.path.includes('?') ? '&' : '?';
    const answer: Answer<PageBody<Item>> = await app.api.get(`${walk.path}${separator}${window}`, { key: walk.key });
    expect(answer.status).toBe(200);
    pages.push(answer.body);
    if (answer.body.data.length === 0) return pages;
    offset += answer.body.data.length;
    await walk.betweenPages?.();
  }
}

/**
 * Asks for every window of a short list, at its edges and beyond its end, and checks each page against the list.
 *
 * @param items the whole list, in order
 */
export async function expectEveryPage(
  app: TestApplication,
  { path, key }: Pick<PagedList, 'path' | 'key'>,
  items: readonly unknown[],
): Promise<void> {
  const separator = path.includes('?') ? '&' : '?';
  for (let offset = 0; offset <= items.length + 1; offset += 1) {
    for (let limit = 1; limit <= items.length + 1; limit += 1) {
      const { body } = await app.api.get<PageBody<unknown>>(`${path}${separator}offset=${offset}&limit=${limit}`, {
        key,
      });
      const expected = { data: items.slice(offset, offset + limit), total_count: items.length };
      expect({ offset, limit, ...body }).toEqual({ offset, limit, ...expected });
    }
  }
}
