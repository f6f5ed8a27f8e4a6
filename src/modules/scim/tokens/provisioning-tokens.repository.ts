import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { deletionById, rowById } from '../../../persistence/row-statements.js';
import { CREATED_NOW } from '../../../persistence/row-times.js';
import { statement } from '../../../persistence/statement.js';
import { type StatementRunner, Statements, type Transaction } from '../../../persistence/statements.js';
import { type Actor, auditedInsert, auditEventOf } from '../../audit/audit-trail.js';
import type { AuditedEvent } from '../../audit/audited-event.js';
import { ProvisioningTokenEntity } from '../entities/provisioning-token.entity.js';

/** What a new token is judged by. */
export interface LiveTokens {
  /** How many tokens of the organization have not expired. */
  readonly live: number;
  /** Whether the new one would have expired before it exists. */
  readonly isPast: boolean;
}

/** The row of a new token, without its time, which the database sets. */
export type NewProvisioningToken = Omit<ProvisioningTokenEntity, 'createdAt'>;

export const INSERT_PROVISIONING_TOKEN = auditedInsert(
  'provisioning_token_insert',
  ProvisioningTokenEntity,
  CREATED_NOW,
);

/** The tokens of an organization, oldest first. */
export const PROVISIONING_TOKENS = statement<ProvisioningTokenEntity, [organizationId: string]>(
  'provisioning_tokens',
  `SELECT ${columnsOf(ProvisioningTokenEntity, 't')} FROM provisioning_tokens t
    WHERE t.organization_id = $1 ORDER BY t.created_at, t.id`,
);

/** Has the tokens of an organization made and counted one transaction after the other. */
export const LOCK_ORGANIZATION_OF_TOKENS = statement<{ id: string }, [organizationId: string]>(
  'provisioning_tokens_lock',
  'SELECT id FROM organizations WHERE id = $1 FOR NO KEY UPDATE',
);

/** How many tokens of an organization have not expired, and whether a new one would have expired before it exists. */
export const LIVE_PROVISIONING_TOKENS = statement<LiveTokens, [organizationId: string, expiresAt: Date | null]>(
  'provisioning_tokens_live',
  `SELECT count(*)::integer AS live, coalesce($2::timestamptz <= now(), false) AS "isPast" FROM provisioning_tokens
    WHERE organization_id = $1 AND coalesce(expires_at > now(), true)`,
);

/** Deletes tokens that expired long ago. Until then the list says why a directory has stopped. */
export const DELETE_EXPIRED_TOKENS = statement<never, [organizationId: string]>(
  'provisioning_tokens_delete_expired',
  `DELETE FROM provisioning_tokens WHERE organization_id = $1 AND expires_at <= now() - interval '30 days'`,
);

/** Whether a token of an organization is bound to an issuer. */
export const PROVISIONING_TOKEN_OF_ISSUER = statement<{ id: string }, [organizationId: string, issuer: string]>(
  'provisioning_token_of_issuer',
  'SELECT id FROM provisioning_tokens WHERE organization_id = $1 AND issuer = $2 LIMIT 1',
);

export const PROVISIONING_TOKEN_BY_ID = rowById('provisioning_token_by_id', ProvisioningTokenEntity);

/** Gives a token another secret. A secret from before the last rotation is no longer accepted. */
export const ROTATE_PROVISIONING_TOKEN = statement<
  never,
  [organizationId: string, id: string, hash: Buffer, label: string, graceSeconds: number]
>(
  'provisioning_token_rotate',
  `UPDATE provisioning_tokens SET hash = $3, label = $4,
      previous_hash = CASE WHEN $5::integer > 0 THEN hash END,
      previous_hash_expires_at = now() + nullif($5::integer, 0) * interval '1 second'
    WHERE organization_id = $1 AND id = $2`,
);

export const DELETE_PROVISIONING_TOKEN = deletionById('provisioning_token_delete', ProvisioningTokenEntity);

/** The rows of provisioning tokens. */
@Injectable()
export class ProvisioningTokensRepository {
  constructor(private readonly statements: Statements) {}

  /** Inserts a token and its audit event in one statement. @returns it as it is stored */
  async insert(
    tx: Transaction,
    token: NewProvisioningToken,
    actor: Actor,
    event: AuditedEvent,
  ): Promise<ProvisioningTokenEntity> {
    const values = INSERT_PROVISIONING_TOKEN.values(token, auditEventOf(token.organizationId, actor, event));
    return { ...token, ...(await tx.first(INSERT_PROVISIONING_TOKEN, values))! };
  }

  async all(organizationId: string): Promise<ProvisioningTokenEntity[]> {
    return this.statements.rows(PROVISIONING_TOKENS, [organizationId]);
  }

  /** Lets one transaction at a time make and rotate tokens of an organization. */
  async lock(tx: Transaction, organizationId: string): Promise<void> {
    await tx.rows(LOCK_ORGANIZATION_OF_TOKENS, [organizationId]);
  }

  /** @param expiresAt of the new token, which the clock of the database judges: those of replicas may differ */
  async liveBeside(tx: Transaction, organizationId: string, expiresAt: Date | null): Promise<LiveTokens> {
    return (await tx.first(LIVE_PROVISIONING_TOKENS, [organizationId, expiresAt]))!;
  }

  async deleteExpired(tx: Transaction, organizationId: string): Promise<void> {
    await tx.write(DELETE_EXPIRED_TOKENS, [organizationId]);
  }

  async find(
    runner: StatementRunner,
    organizationId: string,
    id: string,
  ): Promise<ProvisioningTokenEntity | undefined> {
    return runner.first(PROVISIONING_TOKEN_BY_ID, [organizationId, id]);
  }

  /** @param graceSeconds how long the old secret is taken yet */
  async rotate(
    tx: Transaction,
    { organizationId, id }: ProvisioningTokenEntity,
    { hash, label }: { readonly hash: Buffer; readonly label: string },
    graceSeconds: number,
  ): Promise<void> {
    await tx.write(ROTATE_PROVISIONING_TOKEN, [organizationId, id, hash, label, graceSeconds]);
  }

  async isIssuerNamed(tx: Transaction, organizationId: string, issuer: string): Promise<boolean> {
    return (await tx.first(PROVISIONING_TOKEN_OF_ISSUER, [organizationId, issuer])) !== undefined;
  }

  /** @returns whether there was such a token */
  async delete(tx: Transaction, organizationId: string, id: string): Promise<boolean> {
    return (await tx.write(DELETE_PROVISIONING_TOKEN, [organizationId, id])) === 1;
  }
}
