import type { PageWindow } from '../http/pagination/page.js';

/** A row is only remembered if no other one is known that its page is fewer rows away from. */
const SPACING = 500;

/** How many rows of a list are remembered at most, and of how many lists. */
const KEYS_PER_LIST = 200;
const LISTS = 200;

/**
 * How long the positions of a list are kept, in milliseconds: far less than it takes PostgreSQL to use the number of a
 * transaction again, which the versions of lists are made of.
 */
const KEPT_MS = 600_000;

/** A list as it was read. */
export interface ListState {
  /** Two states with the same version have the same rows. */
  readonly version: string;
  readonly totalCount: number;
}

/** What identifies a row of a list and its place there: the values that the list is ordered by. */
export type Key = readonly unknown[];

/** Where to read a page from. */
export interface PageStart {
  /** Of the known row. */
  readonly key: Key;
  /** How many rows the page begins behind the known row; negative for a page that ends before that row. */
  readonly distance: number;
  /** The state of the list in which the row has its offset. */
  readonly list: ListState;
}

interface KnownList {
  readonly state: ListState;
  readonly knownSince: number;
  /** The values that rows are ordered by, by the offsets of the rows. */
  readonly keys: Map<number, Key>;
}

/**
 * Remembers at which offset some rows of long lists stand. Its size is bounded: the lists that were not read for the longest
 * time are forgotten first.
 */
export class PagePositions {
  private readonly lists = new Map<string, KnownList>();

  /** @param now a clock, in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Gives the row to read a page from, or undefined where reading from an end of the list is no longer way, or not much.
   *
   * @param id what tells the list from all others
   */
  startOf(id: string, window: PageWindow): PageStart | undefined {
    const list = this.used(id);
    if (list === undefined) return undefined;
    const skipped = Math.min(window.offset, list.state.totalCount - window.offset - window.limit);
    const nearest = nearestTo(window, list.keys, skipped / 2);
    return nearest && { key: nearest.key, distance: window.offset - nearest.offset, list: list.state };
  }

  /**
   * Remembers the first row of a page, and forgets those of other states of the list.
   *
   * @param window the page that was asked for
   */
  remember(id: string, state: ListState, window: PageWindow, key: Key): void {
    const known = this.used(id);
    const list = known?.state.version === state.version ? known : { state, knownSince: this.now(), keys: new Map() };
    if (nearestTo(window, list.keys, SPACING) === undefined) list.keys.set(window.offset, key);
    forgetOldest(list.keys, KEYS_PER_LIST);
    this.lists.set(id, list);
    forgetOldest(this.lists, LISTS);
  }

  /** Forgets a list that has another version than the remembered one. */
  forget(id: string): void {
    this.lists.delete(id);
  }

  /** The list, from now on the one that was used last. */
  private used(id: string): KnownList | undefined {
    const list = this.lists.get(id);
    if (list === undefined) return undefined;
    this.lists.delete(id);
    if (this.now() - list.knownSince >= KEPT_MS) return undefined;
    this.lists.set(id, list);
    return list;
  }
}

/** The known row with the fewest rows between it and a page, if there are fewer than `below`. */
function nearestTo(
  window: PageWindow,
  keys: ReadonlyMap<number, Key>,
  below: number,
): { readonly offset: number; readonly key: Key } | undefined {
  let nearest: { offset: number; key: Key } | undefined;
  let least = below;
  for (const [offset, key] of keys) {
    const between = rowsBetween(offset, window);
    if (between === undefined || between >= least) continue;
    nearest = { offset, key };
    least = between;
  }
  return nearest;
}

/** How many rows are skipped when a page is read from a known row; undefined where that row is inside of the page. */
function rowsBetween(known: number, { offset, limit }: PageWindow): number | undefined {
  if (known <= offset) return offset - known;
  const behind = known - offset - limit;
  return behind >= 0 ? behind : undefined;
}

function forgetOldest<Id>(map: Map<Id, unknown>, size: number): void {
  if (map.size <= size) return;
  const [oldest] = map.keys();
  map.delete(oldest!);
}
