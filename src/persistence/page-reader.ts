import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DEEP_ROWS, type Page, type PageRequest, type ResumedPageValues, toPage } from './page-statement.js';
import type { ResumablePage } from './resumable-page.js';
import { Statements } from './statements.js';

/** The minimum distance between remembered rows, in rows skipped to read a page. */
const SPACING = 500;

/** The maximum number of remembered rows per list, and of lists. */
const KEYS_PER_LIST = 200;
const LISTS = 200;

/**
 * How long the positions of a list are valid, in milliseconds. The versions of lists consist of transaction numbers, which
 * PostgreSQL reuses after a far longer time.
 */
const LIFETIME_MS = 600_000;

/** The state of a list when it was read. */
export interface ListState {
  /** Two states with the same version have the same rows. */
  readonly version: string;
  readonly totalCount: number;
}

/** The values of a row that the list is ordered by; they identify the row and its position. */
export type Key = readonly unknown[];

/** The row from which to read a page. */
export interface PageStart {
  /** The sort key of the known row. */
  readonly key: Key;
  /** The offset of the page minus that of the known row; negative for a page before that row. */
  readonly distance: number;
  /** The state of the list for which the offset of the row is known. */
  readonly list: ListState;
}

interface KnownList {
  readonly state: ListState;
  /** The sort keys of known rows, by offset. */
  readonly keys: Map<number, Key>;
}

/**
 * Remembers the offsets of some rows of long lists. Its size is bounded: the least recently used lists are evicted first.
 */
export class PagePositions {
  private readonly lists: LRUCache<string, KnownList>;

  /** @param clock gives the current time in milliseconds, which is never 0 */
  constructor(clock: { now(): number } = performance) {
    this.lists = new LRUCache({ max: LISTS, ttl: LIFETIME_MS, ttlResolution: 0, perf: clock });
  }

  /**
   * Returns the row from which to read a page, or undefined if reading from an end of the list costs no more, or little
   * more.
   *
   * @param id identifies the list
   */
  startOf(id: string, request: PageRequest): PageStart | undefined {
    const list = this.lists.get(id);
    if (list === undefined) return undefined;
    const skipped = Math.min(request.offset, list.state.totalCount - request.offset - request.limit);
    const nearest = nearestTo(request, list.keys, skipped / 2);
    return nearest && { key: nearest.key, distance: request.offset - nearest.offset, list: list.state };
  }

  /**
   * Remembers the first row of a page, and drops rows of earlier states of the list.
   *
   * @param request the requested page
   */
  remember(id: string, state: ListState, request: PageRequest, key: Key): void {
    const { keys } = this.listAt(id, state);
    if (nearestTo(request, keys, SPACING) !== undefined) return;
    keys.set(request.offset, key);
    const [oldest] = keys.keys();
    if (keys.size > KEYS_PER_LIST) keys.delete(oldest!);
  }

  /** Drops a list whose version differs from the remembered one. */
  forget(id: string): void {
    this.lists.delete(id);
  }

  /** Returns a list in a state, which is valid from when that was first seen. */
  private listAt(id: string, state: ListState): KnownList {
    const known = this.lists.get(id);
    if (known?.state.version === state.version) return known;
    const list = { state, keys: new Map<number, Key>() };
    this.lists.set(id, list);
    return list;
  }
}

/** The known row with the fewest rows between it and a page, if there are fewer than `below`. */
function nearestTo(
  request: PageRequest,
  keys: ReadonlyMap<number, Key>,
  below: number,
): { readonly offset: number; readonly key: Key } | undefined {
  let nearest: { offset: number; key: Key } | undefined;
  let least = below;
  for (const [offset, key] of keys) {
    const between = rowsBetween(offset, request);
    if (between === undefined || between >= least) continue;
    nearest = { offset, key };
    least = between;
  }
  return nearest;
}

/** The number of rows skipped when a page is read from a known row; undefined if the row is inside the page. */
function rowsBetween(known: number, { offset, limit }: PageRequest): number | undefined {
  if (known <= offset) return offset - known;
  const after = known - offset - limit;
  return after >= 0 ? after : undefined;
}

/**
 * Reads pages of long lists. PostgreSQL reads all rows between its starting point and the page, so a page in the middle of a
 * long list is read from a nearby row whose offset is known from an earlier page, if the list has not changed since
 * (docs/adr/0014).
 */
@Injectable()
export class PageReader {
  private readonly positions = new PagePositions();

  constructor(private readonly statements: Statements) {}

  /**
   * Reads a page. The result is the same as that of the page's own statement.
   *
   * @param values the parameters of the list's condition
   */
  async read<Item extends object, Values extends readonly unknown[]>(
    page: ResumablePage<Item, Values>,
    values: NoInfer<Values>,
    request: PageRequest,
  ): Promise<Page<Item>> {
    if (request.offset < DEEP_ROWS) {
      return toPage(await this.statements.rows(page, [...values, request.limit, request.offset]));
    }
    const id = JSON.stringify([page.name, ...values]);
    return (await this.resumed(id, page, values, request)) ?? this.fromEnd(id, page, values, request);
  }

  /** Reads the page from a row with a known offset; undefined if there is none nearby or the list has changed. */
  private async resumed<Item extends object, Values extends readonly unknown[]>(
    id: string,
    page: ResumablePage<Item, Values>,
    values: Values,
    request: PageRequest,
  ): Promise<Page<Item> | undefined> {
    const start = this.positions.startOf(id, request);
    if (start === undefined) return undefined;
    const { distance, list, key } = start;
    const resumed: ResumedPageValues<Values> = [...values, request.limit, distance, list.version, ...key];
    const rows = await this.statements.rows(page.resumed, resumed);
    const [first] = rows;
    if (first?.is_current !== true || !first.is_item) {
      this.positions.forget(id);
      return undefined;
    }
    this.positions.remember(id, start.list, request, keyOf(page, first));
    return toPage(rows);
  }

  private async fromEnd<Item extends object, Values extends readonly unknown[]>(
    id: string,
    page: ResumablePage<Item, Values>,
    values: Values,
    request: PageRequest,
  ): Promise<Page<Item>> {
    const rows = await this.statements.rows(page.versioned, [...values, request.limit, request.offset]);
    const read = toPage(rows);
    const [first] = rows;
    const version = first?.list_version;
    if (first?.is_item === true && typeof version === 'string') {
      this.positions.remember(id, { version, totalCount: read.totalCount }, request, keyOf(page, first));
    }
    return read;
  }
}

function keyOf({ order }: ResumablePage, row: object): Key {
  return order.map((property) => (row as Record<string, unknown>)[property]);
}
