import { Injectable } from '@nestjs/common';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';

/** Whether a time has come. */
export const TIME_IS_PAST = statement<{ is_past: boolean }, [time: Date]>(
  'time_is_past',
  'SELECT $1::timestamptz <= now() AS is_past',
);

/** Judges expiries by the clock of the database, which all replicas share: their own may differ by any amount. */
@Injectable()
export class ExpiryRepository {
  constructor(private readonly statements: Statements) {}

  /**
   * Refuses a key that would have expired before it exists.
   *
   * @param expiresAt the field `expires_at` of a request
   * @throws BadRequestError for a time that has passed
   */
  async requireFuture(expiresAt: string | null | undefined): Promise<void> {
    if (expiresAt === undefined || expiresAt === null) return;
    const row = await this.statements.first(TIME_IS_PAST, [new Date(expiresAt)]);
    if (row!.is_past) throw BadRequestError.of([{ path: 'expires_at', message: 'must lie in the future' }]);
  }
}
