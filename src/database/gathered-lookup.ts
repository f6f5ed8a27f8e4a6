/**
 * Finds rows by a hash. What is looked up during one turn of the event loop is asked in one statement: with many requests at
 * once that saves most of the round trips. Nothing is kept: every row is read after it has been asked for.
 */
export class GatheredLookup<Row> {
  /** Those who wait, by the hash; the statement for them has not been sent yet. */
  private waiting = new Map<string, Waiting<Row>>();

  /** @param find the rows of some hashes, in the same order; undefined where there is none */
  constructor(private readonly find: (hashes: Buffer[]) => Promise<readonly (Row | undefined)[]>) {}

  /** @returns undefined when there is no row of this hash */
  async get(hash: Buffer): Promise<Row | undefined> {
    if (this.waiting.size === 0) setImmediate(() => void this.ask());
    const key = hash.toString('latin1');
    const known = this.waiting.get(key);
    if (known !== undefined) return known.row;
    const waiting = waitingFor<Row>(hash);
    this.waiting.set(key, waiting);
    return waiting.row;
  }

  private async ask(): Promise<void> {
    const asked = [...this.waiting.values()];
    this.waiting = new Map();
    try {
      const rows = await this.find(asked.map(({ hash }) => hash));
      for (const [index, { resolve }] of asked.entries()) resolve(rows[index]);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}

interface Waiting<Row> {
  readonly hash: Buffer;
  readonly row: Promise<Row | undefined>;
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

function waitingFor<Row>(hash: Buffer): Waiting<Row> {
  let resolve!: Waiting<Row>['resolve'];
  let reject!: Waiting<Row>['reject'];
  const row = new Promise<Row | undefined>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { hash, row, resolve, reject };
}
