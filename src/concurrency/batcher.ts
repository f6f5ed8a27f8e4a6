import { forSeveralRequests } from './request-scope.js';

/** How the work of an item ended. */
export type Outcome<Result> = PromiseSettledResult<Result>;

/** Items that are worked on together. */
interface Batch<Item, Result> {
  readonly items: Item[];
  weight: number;
  /** Whether further items can be added, because its work has not begun. */
  isOpen: boolean;
  /** One for each item, in their order. */
  readonly outcomes: Promise<readonly Outcome<Result>[]>;
}

/** Bounds how heavy the items of a batch are together. */
export interface BatchWeight<Item> {
  /** At least 0. */
  readonly of: (item: Item) => number;
  /** What all items of a batch weigh at most, unless one alone weighs more. */
  readonly heaviest: number;
}

/**
 * Does work of an organization in batches (docs/gateway.md#batched-writes): while one batch is being done, further items wait for the
 * next. So a single item waits for nothing, and many share one statement and one flush to disk.
 *
 * Batches of one organization follow one another; those of other organizations do not wait for them.
 */
export class Batcher<Item, Result> {
  /** The last batch of each organization that has one. */
  private readonly batches = new Map<string, Batch<Item, Result>>();

  /**
   * @param work does items of one organization and returns the outcome of each, in their order; an error that it throws is the outcome
   *   of each
   * @param largest the maximum number of items in a batch
   * @param weight a further bound of a batch; without it there is none
   */
  constructor(
    private readonly work: (organizationId: string, items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
    private readonly largest: number,
    private readonly weight?: BatchWeight<Item>,
  ) {}

  /**
   * Does the work of one item, in a batch with other items of the organization.
   *
   * @returns its result, when its batch is done
   * @throws the error of the item, or of its batch as a whole
   */
  async run(organizationId: string, item: Item): Promise<Result> {
    const weight = this.weight?.of(item) ?? 0;
    const batch = this.openBatch(organizationId, weight);
    const index = batch.items.push(item) - 1;
    batch.weight += weight;
    const outcome = (await batch.outcomes)[index]!;
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  private openBatch(organizationId: string, weight: number): Batch<Item, Result> {
    const last = this.batches.get(organizationId);
    if (last !== undefined && last.isOpen && this.hasRoom(last, weight)) return last;
    // The request that opens a batch runs it, so that the statements are in the trace of that request.
    const begin = async (): Promise<readonly Outcome<Result>[]> => {
      await Promise.allSettled([last?.outcomes]);
      batch.isOpen = false;
      try {
        return await this.work(organizationId, batch.items);
      } finally {
        if (this.batches.get(organizationId) === batch) this.batches.delete(organizationId);
      }
    };
    const outcomes = forSeveralRequests(() => Promise.resolve().then(begin));
    const batch: Batch<Item, Result> = { items: [], weight: 0, isOpen: true, outcomes };
    this.batches.set(organizationId, batch);
    return batch;
  }

  private hasRoom({ items, weight: weightOfBatch }: Batch<Item, Result>, weight: number): boolean {
    return items.length < this.largest && weightOfBatch + weight <= (this.weight?.heaviest ?? Infinity);
  }
}
