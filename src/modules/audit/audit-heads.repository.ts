import { Injectable } from '@nestjs/common';
import { statement } from '../../persistence/statement.js';
import { type Transaction, Statements } from '../../persistence/statements.js';

/** The last link of an organization's chain. */
export interface ChainHead {
  readonly organization_id: string;
  readonly sequence: string;
  /** In lowercase hexadecimal. */
  readonly hash: string;
}

/** The last link of a chain, and when its event was recorded. */
export interface DatedHead {
  readonly sequence: string;
  /** In lowercase hexadecimal. */
  readonly hash: string;
  readonly createdAt: Date | null;
}

/** The head of one chain. */
export const HEAD_OF_CHAIN = statement<DatedHead, [organizationId: string]>(
  'audit_head',
  `SELECT head.sequence, encode(head.hash, 'hex') AS hash, link.created_at AS "createdAt"
    FROM audit_heads head
    LEFT JOIN audit_links link ON link.organization_id = $1 AND link.sequence = head.sequence
    WHERE head.organization_id = $1`,
);

/** Takes the turn to log the heads, where they were not logged in the last 24 hours and no other replica does it now. */
export const LOCK_HEAD_LOG = statement<{ id: number }>(
  'audit_head_log_take_turn',
  `SELECT id FROM audit_head_log WHERE id = 1 AND logged_at <= now() - interval '24 hours'
    FOR NO KEY UPDATE SKIP LOCKED`,
);

/** Remembers that the heads are logged. */
export const MARK_HEADS_LOGGED = statement(
  'audit_head_log_end_turn',
  'UPDATE audit_head_log SET logged_at = now() WHERE id = 1',
);

export const HEADS_AFTER = statement<ChainHead, [organizationId: string, limit: number]>(
  'audit_heads_after',
  `SELECT organization_id, sequence, encode(hash, 'hex') AS hash FROM audit_heads
    WHERE organization_id > $1 ORDER BY organization_id LIMIT $2`,
);

/** The heads of all chains, and when they were logged. */
@Injectable()
export class AuditHeadsRepository {
  constructor(private readonly statements: Statements) {}

  /**
   * Does work once a day, whichever of the replicas comes first.
   *
   * @param work returns whether there was anything to do; otherwise it is tried again the next time
   * @returns whether it was done now
   */
  async onceADay(work: (tx: Transaction) => Promise<boolean>): Promise<boolean> {
    return this.statements.transaction(async (tx) => {
      if ((await tx.first(LOCK_HEAD_LOG, [])) === undefined) return false;
      if (!(await work(tx))) return false;
      await tx.write(MARK_HEADS_LOGGED, []);
      return true;
    });
  }

  /** The head of a chain; undefined before its first event. */
  async headOf(organizationId: string): Promise<DatedHead | undefined> {
    return this.statements.first(HEAD_OF_CHAIN, [organizationId]);
  }

  /** Some heads, in the order of organizations. @param organizationId the id after which they begin */
  after(tx: Transaction, organizationId: string, limit: number): Promise<ChainHead[]> {
    return tx.rows(HEADS_AFTER, [organizationId, limit]);
  }
}
