import { Injectable } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import { errorCode } from '../../../persistence/database-failures.js';
import { AnalyticsTimeout } from '../usage.errors.js';
import { type AnalyticsRow, type AnalyticsSearch, analyticsStatement } from './analytics-statement.js';
import { LongQueries } from './long-queries.js';

/** The SQLSTATE of a statement that took longer than its time limit. */
const TIMED_OUT = '57014';

/** Sets the time limit of the statements of a transaction. */
export const LIMIT_ANALYTICS = statement<object, [milliseconds: string]>(
  'analytics_limit',
  `SELECT set_config('statement_timeout', $1, true)`,
);

/** The totals that queries are answered from. */
@Injectable()
export class AnalyticsRepository {
  constructor(
    private readonly statements: Statements,
    private readonly environment: Environment,
    private readonly queue: LongQueries,
  ) {}

  /**
   * The rows of a query. Nearly all are found at once; one that takes longer than a statement of a request may is retried, with its own
   * time limit, on the connections for large writes, so that short requests do not wait for it.
   *
   * @throws AnalyticsTimeout when the rows cannot be found within ANALYTICS_TIMEOUT_MS
   * @throws TooManyConcurrentRequests when the organization has too many such queries waiting
   */
  async rows(organizationId: string, search: AnalyticsSearch): Promise<AnalyticsRow[]> {
    const { databaseStatementTimeoutMs, analyticsTimeoutMs } = this.environment;
    if (databaseStatementTimeoutMs < analyticsTimeoutMs) {
      const rows = await unlessTimedOut(() => this.atOnce(organizationId, search));
      if (rows !== undefined) return rows;
    }
    const rows = await unlessTimedOut(() =>
      this.queue.run(organizationId, () => this.withOwnLimit(organizationId, search)),
    );
    if (rows === undefined) throw new AnalyticsTimeout();
    return rows;
  }

  private atOnce(organizationId: string, search: AnalyticsSearch): Promise<AnalyticsRow[]> {
    const { statement: query, values } = analyticsStatement(organizationId, search);
    return this.statements.rows(query, values);
  }

  private withOwnLimit(organizationId: string, search: AnalyticsSearch): Promise<AnalyticsRow[]> {
    const { statement: query, values } = analyticsStatement(organizationId, search);
    return this.statements.bulk.transaction(async (tx) => {
      await tx.rows(LIMIT_ANALYTICS, [String(this.environment.analyticsTimeoutMs)]);
      return tx.rows(query, values);
    });
  }
}

/** What a query finds; undefined when PostgreSQL has ended it because of its time limit. */
async function unlessTimedOut(query: () => Promise<AnalyticsRow[]>): Promise<AnalyticsRow[] | undefined> {
  try {
    return await query();
  } catch (error) {
    if (errorCode(error) === TIMED_OUT) return undefined;
    throw error;
  }
}
