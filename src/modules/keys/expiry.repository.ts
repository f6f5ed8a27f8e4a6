import { Injectable } from '@nestjs/common';
import { Statements } from '../../database/statements.js';
import type { ReasonedIssue } from '../../http/errors/issue.js';

/** Whether a time has come. */
export const TIME_IS_PAST = {
  name: 'time_is_past',
  text: 'SELECT $1::timestamptz <= now() AS is_past',
};

/** Judges expiries by the clock of the database, which all replicas share: their own may differ by any amount. */
@Injectable()
export class ExpiryRepository {
  constructor(private readonly statements: Statements) {}

  /** A key that has expired before it exists is a mistake. @returns what is wrong with the field `expires_at` of a request */
  async faultsOf(expiresAt: string | null | undefined): Promise<ReasonedIssue[]> {
    if (expiresAt === undefined || expiresAt === null) return [];
    const row = await this.statements.first<{ is_past: boolean }>(TIME_IS_PAST, [new Date(expiresAt)]);
    return row!.is_past ? [{ path: 'expires_at', message: 'must lie in the future' }] : [];
  }
}
