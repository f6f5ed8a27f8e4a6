import type { Pool, QueryConfig } from 'pg';
import { leaveErrorToStatement } from './connection-errors.js';
import { boundedQuery } from './bounded-query.js';
import { isMixedUpStatement } from './database-failures.js';
import { ServiceClient } from './service-client.js';
import { TimeLimits } from './time-limits.js';

/** Prepared under one name on two connections at once. */
const STATEMENT: QueryConfig = { name: 'prepared_statement_check', text: 'SELECT 1' };

/** How often each of the two connections runs it: a pooler with much to do gives them the same server connection at times only. */
const ROUNDS = 5;

/**
 * Whether connections of a pool keep the statements that are prepared on them. They do where they lead to PostgreSQL itself;
 * a pooler in transaction mode has to do it for them, and not every pooler can (docs/scaling.md).
 */
export class PreparedStatementSupport {
  private static readonly ofPools = new WeakMap<Pool, PreparedStatementSupport>();

  private isProven = false;

  private constructor(private readonly pool: Pool) {}

  /** What is known of a pool. */
  static of(pool: Pool): PreparedStatementSupport {
    let support = this.ofPools.get(pool);
    if (support === undefined) {
      support = new PreparedStatementSupport(pool);
      this.ofPools.set(pool, support);
    }
    return support;
  }

  /** Takes back what was found: the next caller who wants to know tries again. */
  doubt(): void {
    this.isProven = false;
  }

  /**
   * Tries it out on two connections beside the pool, unless that went well before.
   *
   * @throws DatabaseUnreachable, or whatever PostgreSQL refuses, when it cannot be tried
   */
  async isThere(): Promise<boolean> {
    this.isProven ||= await this.tryOut();
    return this.isProven;
  }

  private async tryOut(): Promise<boolean> {
    const { answer, connection } = TimeLimits.of(this.pool);
    const config = { ...this.pool.options, openingTimeoutMillis: connection };
    const clients = [new ServiceClient(config), new ServiceClient(config)];
    for (const client of clients) client.on('error', leaveErrorToStatement);
    try {
      for (const client of clients) await client.connect();
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const client of clients) await boundedQuery(client, STATEMENT, answer);
      }
      return true;
    } catch (error) {
      if (isMixedUpStatement(error)) return false;
      throw error;
    } finally {
      // Not waited for: where nobody answers, nobody says goodbye either.
      for (const client of clients) void client.end();
    }
  }
}
