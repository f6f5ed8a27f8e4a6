import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool } from 'pg';
import type { PooledClient } from './pooled-client.js';
import { inOneTransaction } from './transaction.js';

/** Where the code that asks stands: in the work of a unit, or in one of its transactions. */
interface Place {
  readonly unit: UnitOfWork;
  readonly isInTransaction: boolean;
}

const places = new AsyncLocalStorage<Place>();

/** How many units are under way in this process. */
let underWay = 0;

/** What belongs to the transaction of a unit, beside its work. */
export interface UnitFrame<Result> {
  /** The pool of the transaction of work that has changed nothing. */
  readonly pool: Pool;
  /** Is the first of the transaction: before what the work changes first. An error that it throws is thrown where the work changes something. */
  readonly begun: (client: PooledClient) => Promise<void>;
  /** Is the last of the transaction: after the work, with its result. */
  readonly ended: (client: PooledClient, result: Result) => Promise<void>;
}

/**
 * Work that changes the database in one transaction, whoever runs its statements: what would be transactions of their own without it are
 * savepoints of it (docs/adr/0020). The transaction begins with the first change, on the pool that the change is meant for; what is read before
 * is read as ever, so that no connection is held while a request is checked.
 */
export class UnitOfWork {
  private client: Promise<PooledClient> | undefined;
  private transaction: Promise<void> | undefined;
  private hasEnded = false;
  /** The end of the last statement or transaction that was begun: one follows the other, because savepoints do not overlap. */
  private last: Promise<unknown> = Promise.resolve();
  private complete!: () => void;
  private abandon!: (reason: unknown) => void;
  private readonly completed: Promise<void>;

  private constructor(private readonly begun: (client: PooledClient) => Promise<void>) {
    this.completed = new Promise<void>((resolve, reject) => {
      this.complete = resolve;
      this.abandon = reject;
    });
    // Whoever holds the transaction is told of it as well.
    this.completed.catch(() => undefined);
  }

  /** The unit that the calling code belongs to; undefined for none, as for nearly all requests. */
  static current(): UnitOfWork | undefined {
    const unit = underWay === 0 ? undefined : places.getStore()?.unit;
    return unit === undefined || unit.hasEnded ? undefined : unit;
  }

  /**
   * Does work as one unit. An error of the work, of the frame or of the database rolls all of it back.
   *
   * @returns the result of the work, when it has been committed
   */
  static async run<Result>(work: () => Promise<Result>, frame: UnitFrame<Result>): Promise<Result> {
    const unit = new UnitOfWork(frame.begun);
    underWay += 1;
    try {
      const result = await places.run({ unit, isInTransaction: false }, work);
      await frame.ended(await unit.open(frame.pool), result);
      unit.complete();
      await unit.transaction;
      return result;
    } catch (error) {
      unit.abandon(error);
      await unit.transaction?.catch(() => undefined);
      throw error;
    } finally {
      unit.hasEnded = true;
      underWay -= 1;
      // Until the next one, promises cost what they cost without a storage: in Node.js 20 each of them is followed.
      if (underWay === 0) places.disable();
    }
  }

  /** Whether the transaction has begun, so that what is read has to be read in it. */
  get isOpen(): boolean {
    return this.client !== undefined;
  }

  /**
   * Runs what would be a transaction or a statement of its own: with an error it leaves nothing behind, and the unit goes on.
   *
   * @param pool the pool that it is meant for
   */
  async part<Result>(pool: Pool, work: (client: PooledClient) => Promise<Result>): Promise<Result> {
    if (places.getStore()?.isInTransaction === true) return work(await this.open(pool));
    const done = this.last.then(() => this.inSavepoint(pool, work));
    this.last = done.catch(() => undefined);
    return done;
  }

  private async inSavepoint<Result>(pool: Pool, work: (client: PooledClient) => Promise<Result>): Promise<Result> {
    const client = await this.open(pool);
    await client.query({ text: 'SAVEPOINT part' });
    try {
      const result = await places.run({ unit: this, isInTransaction: true }, () => work(client));
      await client.query({ text: 'RELEASE SAVEPOINT part' });
      return result;
    } catch (error) {
      if (!client.isBroken) await client.query({ text: 'ROLLBACK TO SAVEPOINT part' });
      throw error;
    }
  }

  private open(pool: Pool): Promise<PooledClient> {
    this.client ??= new Promise<PooledClient>((resolve, reject) => {
      this.transaction = inOneTransaction(pool, async (client) => {
        await this.begun(client);
        resolve(client);
        await this.completed;
      });
      this.transaction.catch(reject);
    });
    return this.client;
  }
}
