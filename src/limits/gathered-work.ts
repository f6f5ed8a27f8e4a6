/** How a piece of work ended. */
export type Outcome<Result> = PromiseSettledResult<Result>;

/** Pieces of work that are done together. */
interface Batch<Item, Result> {
  readonly items: Item[];
  /** Whether further pieces can be added, because its work has not begun. */
  isOpen: boolean;
  /** One for each piece, in their order. */
  readonly outcomes: Promise<readonly Outcome<Result>[]>;
}

/**
 * Does together what an organization needs at the same time (docs/gateway.md#batched-writes): while one batch is being done, what
 * comes is gathered for the next. So a single piece waits for nothing, and many cost one statement and one flush.
 *
 * Batches of one organization follow one another; those of others wait for none of them.
 */
export class GatheredWork<Item, Result> {
  /** The last batch of each organization that has one. */
  private readonly batches = new Map<string, Batch<Item, Result>>();

  /**
   * @param work does some pieces of one organization, and tells how each ended, in their order; an error that it throws is the end of
   *   each
   * @param largest the number of pieces in a batch
   */
  constructor(
    private readonly work: (organizationId: string, items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
    private readonly largest: number,
  ) {}

  /**
   * Does a piece of work, with what else the organization needs.
   *
   * @returns its result, when its batch is done
   * @throws what it, or its batch as a whole, has failed with
   */
  async run(organizationId: string, item: Item): Promise<Result> {
    const batch = this.openBatch(organizationId);
    const index = batch.items.push(item) - 1;
    const outcome = (await batch.outcomes)[index]!;
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  private openBatch(organizationId: string): Batch<Item, Result> {
    const last = this.batches.get(organizationId);
    if (last !== undefined && last.isOpen && last.items.length < this.largest) return last;
    // The request that opens a batch does its work, so that the statements are in the trace of that request.
    const begin = async (): Promise<readonly Outcome<Result>[]> => {
      await Promise.allSettled([last?.outcomes]);
      batch.isOpen = false;
      try {
        return await this.work(organizationId, batch.items);
      } finally {
        if (this.batches.get(organizationId) === batch) this.batches.delete(organizationId);
      }
    };
    const batch: Batch<Item, Result> = { items: [], isOpen: true, outcomes: Promise.resolve().then(begin) };
    this.batches.set(organizationId, batch);
    return batch;
  }
}
