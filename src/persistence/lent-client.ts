import type { Pool, QueryConfig, QueryResult } from 'pg';
import { OnePerPool } from './one-per-pool.js';

/** A client that runs statements in PostgreSQL. */
export interface QueryClient {
  query<Row extends object>(query: QueryConfig): Promise<QueryResult<Row>>;
}

/** Where it is said that code has used a client of others. */
export interface DatabaseLog {
  error(message: string): void;
}

/** The logs of pools. Commands have none: they show the error itself. */
export const DATABASE_LOGS = new OnePerPool<DatabaseLog | undefined>(() => undefined);

/** How much of a statement without a name is shown, in characters. */
const SHOWN_TEXT = 60;

/**
 * A statement came to a client that was given back: on a connection that has been handed on it would have become part of the transaction of
 * others. The fault is in the code that has not waited for the statement.
 */
export class ClientGivenBack extends Error {}

/** A client for as long as its owner has it. Then it refuses statements. */
export abstract class LentClient implements QueryClient {
  private isLent = true;

  /** @param owner what has it, as the log calls that: the operation of a request, for example */
  protected constructor(
    protected readonly pool: Pool,
    private readonly owner: string,
  ) {}

  /** @throws ClientGivenBack, and what the client throws */
  query<Row extends object>(query: QueryConfig): Promise<QueryResult<Row>> {
    return this.isLent ? this.run<Row>(query) : Promise.reject(this.refusalOf(query));
  }

  /** Ends the loan. */
  giveBack(): void {
    this.isLent = false;
  }

  protected abstract run<Row extends object>(query: QueryConfig): Promise<QueryResult<Row>>;

  private refusalOf({ name, text }: QueryConfig): ClientGivenBack {
    const statement = name ?? text.trim().slice(0, SHOWN_TEXT);
    const refusal = new ClientGivenBack(
      `the statement "${statement}" of ${this.owner} came after its client was given back`,
    );
    DATABASE_LOGS.of(this.pool)?.error(refusal.stack ?? refusal.message);
    return refusal;
  }
}
