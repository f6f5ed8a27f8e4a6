import { Injectable } from '@nestjs/common';
import { changedNow } from '../../../persistence/row-times.js';
import { statement } from '../../../persistence/statement.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { type Actor, auditedRowsStatement, auditEventOf } from '../../audit/audit-trail.js';
import { activeOwner } from '../active-owner.js';
import type { ApiKeyKind } from '../credentials/key-format.js';
import type { SuspensionCause } from '../suspension-causes.js';

/** The new owner of keys, who stays an active member until the transaction ends. */
export const HOLD_NEW_OWNER = statement<{ user_id: string }, [organizationId: string, userId: string]>(
  'key_transfer_hold_owner',
  `WITH ${activeOwner('$1', '$2')} SELECT user_id FROM owner`,
);

/** A key to transfer, with whether its owner has ended. */
export interface TransferableKey {
  readonly id: string;
  readonly kind: ApiKeyKind;
  readonly userId: string;
  readonly hasEnded: boolean;
}

/** A key by its hash, during the grace of a rotation by the old one as well. */
export const KEY_TO_TRANSFER = statement<TransferableKey, [organizationId: string, hash: Buffer]>(
  'key_to_transfer',
  `SELECT k.id, k.kind, k.user_id AS "userId", m.ended_at IS NOT NULL AS "hasEnded"
    FROM api_keys k JOIN organization_members m ON m.organization_id = $1 AND m.user_id = k.user_id
    WHERE k.organization_id = $1 AND (k.hash = $2 OR k.previous_hash = $2 AND k.previous_hash_expires_at > now())`,
);

export const MEMBER_HAS_ENDED = statement<{ hasEnded: boolean }, [organizationId: string, userId: string]>(
  'key_transfer_former_owner',
  `SELECT ended_at IS NOT NULL AS "hasEnded" FROM organization_members WHERE organization_id = $1 AND user_id = $2`,
);

type TransferValues = [organizationId: string, newOwner: string, formerOwner: string, keyId: string | null];

const DEACTIVATED: SuspensionCause = 'member_deactivated';
const NOT_IN_WORKSPACE: SuspensionCause = 'workspace_membership';

/**
 * Gives another member $2 keys for inference of a member $3 who has not ended: one where $4 names it, all otherwise. The new owner is active,
 * so that no key stays suspended for the former one, and a key whose workspace the new one is in is not suspended for that either.
 */
export const TRANSFER_KEYS = auditedRowsStatement<never, TransferValues>(
  'keys_transfer',
  `UPDATE api_keys k SET user_id = $2, updated_at = ${changedNow('k.updated_at')},
      suspension_causes = CASE WHEN EXISTS (SELECT FROM workspace_members w
          WHERE w.organization_id = $1 AND w.workspace_id = k.workspace_id AND w.user_id = $2)
        THEN array_remove(array_remove(k.suspension_causes, '${DEACTIVATED}'), '${NOT_IN_WORKSPACE}')
        ELSE array_remove(k.suspension_causes, '${DEACTIVATED}') END
    FROM held WHERE k.organization_id = $1 AND k.id = held.id`,
  4,
  {
    with: `held AS MATERIALIZED (
        SELECT k.id, k.user_id, k.suspension_causes FROM api_keys k
        WHERE k.organization_id = $1 AND k.user_id = $3 AND k.user_id <> $2 AND k.kind = 'api_key'
          AND ($4::uuid IS NULL OR k.id = $4)
        ORDER BY k.id FOR NO KEY UPDATE OF k)`,
    returning: `encode(k.hash, 'hex') AS hash, held.user_id AS former_owner, k.user_id AS new_owner,
      held.suspension_causes AS causes_before, k.suspension_causes AS causes_after`,
    targetId: 'change.hash',
    changes: `jsonb_strip_nulls(jsonb_build_object(
      'creator_user_id', jsonb_build_object('before', change.former_owner, 'after', change.new_owner),
      'suspension_causes', CASE WHEN change.causes_before <> change.causes_after
        THEN jsonb_build_object('before', change.causes_before, 'after', change.causes_after) END))`,
  },
);

/** The keys for inference of a member. */
export const KEYS_OF_MEMBER = statement<{ hash: string }, [organizationId: string, userId: string]>(
  'key_transfer_keys_of_member',
  `SELECT encode(k.hash, 'hex') AS hash FROM api_keys k
    WHERE k.organization_id = $1 AND k.user_id = $2 AND k.kind = 'api_key'`,
);

/** The rows of keys that change their owner. */
@Injectable()
export class KeyTransfersRepository {
  constructor(private readonly statements: Statements) {}

  async find(organizationId: string, hash: Buffer): Promise<TransferableKey | undefined> {
    return this.statements.first(KEY_TO_TRANSFER, [organizationId, hash]);
  }

  /** The hashes of the keys for inference of a member. */
  async keysOf(organizationId: string, userId: string): Promise<string[]> {
    return (await this.statements.rows(KEYS_OF_MEMBER, [organizationId, userId])).map(({ hash }) => hash);
  }

  /** @returns undefined if there is no such member */
  async hasEnded(tx: Transaction, organizationId: string, userId: string): Promise<boolean | undefined> {
    return (await tx.first(MEMBER_HAS_ENDED, [organizationId, userId]))?.hasEnded;
  }

  /** @returns whether the user is an active member, and stays one until the transaction ends */
  async holdNewOwner(tx: Transaction, organizationId: string, userId: string): Promise<boolean> {
    return (await tx.first(HOLD_NEW_OWNER, [organizationId, userId])) !== undefined;
  }

  /** @param keyId all keys for inference of the former owner, if absent @returns how many have changed their owner */
  async transfer(
    tx: Transaction,
    actor: Actor,
    organizationId: string,
    owners: { readonly from: string; readonly to: string },
    keyId?: string,
  ): Promise<number> {
    const event = auditEventOf(organizationId, actor, { action: 'key.transfer' });
    const values: TransferValues = [organizationId, owners.to, owners.from, keyId ?? null];
    return tx.write(TRANSFER_KEYS, TRANSFER_KEYS.values(values, event));
  }
}
