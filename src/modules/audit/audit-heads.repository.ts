import { Injectable } from '@nestjs/common';
import { type StatementRunner, Statements } from '../../database/statements.js';

/** The last link of an organization's chain. */
export interface ChainHead {
  readonly organization_id: string;
  readonly sequence: string;
  /** In lowercase hexadecimal. */
  readonly hash: string;
}

/** Takes the turn to log the heads, where they were not logged in the last 24 hours and no other replica does it now. */
export const TAKE_TURN = {
  name: 'audit_head_log_take_turn',
  text: `SELECT id FROM audit_head_log WHERE id = 1 AND logged_at <= now() - interval '24 hours'
    FOR NO KEY UPDATE SKIP LOCKED`,
};

/** Remembers that the heads are logged. */
export const END_TURN = {
  name: 'audit_head_log_end_turn',
  text: 'UPDATE audit_head_log SET logged_at = now() WHERE id = 1',
};

/** The heads of the organizations behind one. */
export const HEADS_AFTER = {
  name: 'audit_heads_after',
  text: `SELECT organization_id, sequence, encode(hash, 'hex') AS hash FROM audit_heads
    WHERE organization_id > $1 ORDER BY organization_id LIMIT $2`,
};

/** The heads of all chains, and when they were logged. */
@Injectable()
export class AuditHeadsRepository {
  constructor(private readonly statements: Statements) {}

  /**
   * Does work once a day, whichever of the replicas comes first.
   *
   * @returns whether it was done now
   */
  async onceADay(work: (on: StatementRunner) => Promise<void>): Promise<boolean> {
    return this.statements.transaction(async (on) => {
      if ((await on.first(TAKE_TURN, [])) === undefined) return false;
      await work(on);
      await on.write(END_TURN, []);
      return true;
    });
  }

  /** Some heads, in the order of organizations. @param organizationId behind which they begin */
  after(on: StatementRunner, organizationId: string, limit: number): Promise<ChainHead[]> {
    return on.rows<ChainHead>(HEADS_AFTER, [organizationId, limit]);
  }
}
