import type { Pool, QueryConfig, QueryResult } from 'pg';
import { currentScope, RequestScope, whileScopesAreFound, withinScope } from '../concurrency/request-scope.js';
import { LentClient, type QueryClient } from './lent-client.js';
import type { PooledClient } from './pooled-client.js';
import { inOneTransaction } from './transaction.js';

/** The client of a unit, for one of its parts. */
class ClientOfPart extends LentClient {
  constructor(
    private readonly client: QueryClient,
    pool: Pool,
    owner: string,
  ) {
    super(pool, owner);
  }

  protected override run<Row extends object>(query: QueryConfig): Promise<QueryResult<Row>> {
    return this.client.query<Row>(query);
  }
}

/** Where the code that asks stands: in the work of a unit, or in one of its parts. */
class Place extends RequestScope {
  private isLeft = false;

  /** @param client of the part; undefined for what is in no part */
  constructor(
    private readonly unit: UnitOfWork,
    private readonly client?: LentClient,
  ) {
    super();
  }

  /** The unit, and the client of the part that has not ended. */
  get now(): { readonly unit: UnitOfWork; readonly client: LentClient | undefined } {
    return { unit: this.unit, client: this.isLeft ? undefined : this.client };
  }

  override get hasEnded(): boolean {
    // A part that is under way ends before its unit does.
    return this.unit.isClosed && this.now.client === undefined;
  }

  override get readsItsOwn(): boolean {
    return this.unit.isOpen;
  }

  override afterSuccess(work: () => void): void {
    this.unit.afterSuccess(work);
  }

  /** Ends the part: what it has left behind stands in the unit like all other code. */
  leave(): void {
    this.isLeft = true;
    this.client?.giveBack();
  }
}

/** What belongs to the transaction of a unit, beside its work. */
export interface UnitFrame<Result> {
  /** What the log calls the unit. */
  readonly name: string;
  /** The pool of the transaction of work that has changed nothing. */
  readonly pool: Pool;
  /** Is the first of the transaction: before what the work changes first. An error that it throws is thrown where the work changes something. */
  readonly begun: (client: QueryClient) => Promise<void>;
  /** Is the last of the transaction: after the work, with its result. */
  readonly ended: (client: QueryClient, result: Result) => Promise<void>;
}

/**
 * Work that changes the database in one transaction, whichever service runs its statements: what would be transactions of their own without it are
 * savepoints of it (docs/adr/0020). The transaction begins with the first change, on the pool that the change is meant for; what is read before
 * is read as ever, so that no connection is held while a request is checked.
 */
export class UnitOfWork {
  private client: Promise<PooledClient> | undefined;
  private transaction: Promise<void> | undefined;
  /** Whether the work is over, well or badly: then no part begins. */
  private hasClosed = false;
  private failure: { readonly reason: unknown } | undefined;
  /** The end of the last statement or transaction that was begun: one follows the other, because savepoints do not overlap. */
  private last: Promise<unknown> = Promise.resolve();
  private readonly afterwards: (() => void)[] = [];
  private complete!: () => void;
  private abandon!: (reason: unknown) => void;
  private readonly completed: Promise<void>;

  private constructor(
    private readonly name: string,
    private readonly begun: (client: QueryClient) => Promise<void>,
  ) {
    this.completed = new Promise<void>((resolve, reject) => {
      this.complete = resolve;
      this.abandon = reject;
    });
    // The holder of the transaction is told of it as well.
    this.completed.catch(() => undefined);
  }

  /** The unit that the calling code belongs to; undefined for none, as for nearly all requests. */
  static current(): UnitOfWork | undefined {
    const scope = currentScope();
    return scope instanceof Place ? scope.now.unit : undefined;
  }

  /**
   * Does work as one unit. An error of the work, of the frame or of the database rolls all of it back. Parts that the work has begun and not
   * waited for are done before it is committed, and those that have not begun before it fails never are.
   *
   * @returns the result of the work, when it has been committed
   */
  static async run<Result>(work: () => Promise<Result>, frame: UnitFrame<Result>): Promise<Result> {
    const unit = new UnitOfWork(frame.name, frame.begun);
    return whileScopesAreFound(async () => {
      try {
        const result = await withinScope(new Place(unit), work);
        await unit.close();
        await frame.ended(await unit.open(frame.pool), result);
        unit.complete();
        await unit.transaction;
        for (const afterSuccess of unit.afterwards) afterSuccess();
        return result;
      } catch (error) {
        unit.failure = { reason: error };
        await unit.close();
        unit.abandon(error);
        await unit.transaction?.catch(() => undefined);
        throw error;
      }
    });
  }

  /** Whether the transaction has begun, so that what is read has to be read in it. */
  get isOpen(): boolean {
    return this.client !== undefined;
  }

  /** Whether its work is over: what goes on nevertheless runs its statements by itself. */
  get isClosed(): boolean {
    return this.hasClosed;
  }

  /** Has something done once it is committed. @param work must not throw */
  afterSuccess(work: () => void): void {
    this.afterwards.push(work);
  }

  /**
   * Runs what would be a transaction or a statement of its own: with an error it leaves nothing behind, and the unit goes on.
   *
   * @param pool the pool that it is meant for
   */
  async part<Result>(pool: Pool, work: (client: QueryClient) => Promise<Result>): Promise<Result> {
    const scope = currentScope();
    const within = scope instanceof Place ? scope.now.client : undefined;
    if (within !== undefined) return work(within);
    const done = this.last.then(() => this.inSavepoint(pool, work));
    this.last = done.catch(() => undefined);
    return done;
  }

  private async inSavepoint<Result>(pool: Pool, work: (client: QueryClient) => Promise<Result>): Promise<Result> {
    if (this.failure !== undefined) throw new Error(`${this.name} has failed before`, { cause: this.failure.reason });
    const client = await this.open(pool);
    await client.query({ text: 'SAVEPOINT part' });
    const lent = new ClientOfPart(client, pool, this.name);
    const place = new Place(this, lent);
    try {
      const result = await withinScope(place, () => work(lent));
      place.leave();
      await client.query({ text: 'RELEASE SAVEPOINT part' });
      return result;
    } catch (error) {
      place.leave();
      if (!client.isBroken) await client.query({ text: 'ROLLBACK TO SAVEPOINT part' });
      throw error;
    }
  }

  /** Lets no further part begin, and waits for those that have. */
  private async close(): Promise<void> {
    this.hasClosed = true;
    await this.last;
  }

  private open(pool: Pool): Promise<PooledClient> {
    this.client ??= new Promise<PooledClient>((resolve, reject) => {
      this.transaction = inOneTransaction(
        pool,
        async (client) => {
          await this.begun(client);
          resolve(client);
          await this.completed;
        },
        this.name,
      );
      this.transaction.catch(reject);
    });
    return this.client;
  }
}
