import { Injectable } from '@nestjs/common';
import { Statements } from '../../../persistence/statements.js';
import { errorCode } from '../../../persistence/system-error.js';
import { AnalyticsTimeout } from '../usage.errors.js';
import { type AnalyticsRow, type AnalyticsSearch, analyticsStatement } from './analytics-statement.js';

/** The SQLSTATE of a statement that took longer than its time limit. */
const TIMED_OUT = '57014';

/** The totals that queries are answered from. */
@Injectable()
export class AnalyticsRepository {
  constructor(private readonly statements: Statements) {}

  /** @throws AnalyticsTimeout when the rows cannot be found within the time limit of a statement */
  async rows(organizationId: string, search: AnalyticsSearch): Promise<AnalyticsRow[]> {
    const { statement, values } = analyticsStatement(organizationId, search);
    try {
      return await this.statements.rows(statement, values);
    } catch (error) {
      throw errorCode(error) === TIMED_OUT ? new AnalyticsTimeout() : error;
    }
  }
}
