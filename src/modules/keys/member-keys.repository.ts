import { Injectable } from '@nestjs/common';
import { changedNow } from '../../persistence/row-times.js';
import { statement } from '../../persistence/statement.js';
import type { Transaction } from '../../persistence/statements.js';
import { type Actor, auditedRowsStatement, type AuditedStatement, auditEventOf } from '../audit/audit-trail.js';
import type { ChangedMembers, OneMember } from '../organizations/members/member-hooks.js';
import type { SuspensionCause } from './suspension-causes.js';

const DEACTIVATED: SuspensionCause = 'member_deactivated';

const IS_SUSPENDED = `'${DEACTIVATED}' = ANY (k.suspension_causes)`;

/** Suspended: with the cause, once. */
const SUSPENDED = `CASE WHEN ${IS_SUSPENDED} THEN k.suspension_causes
        ELSE array_append(k.suspension_causes, '${DEACTIVATED}') END`;

const REINSTATED = `array_remove(k.suspension_causes, '${DEACTIVATED}')`;

const OF_MEMBERS = 'k.user_id = ANY ($2::text[])';

const OF_DEACTIVATED_MEMBERS = `k.user_id = ANY (ARRAY(
          SELECT m.user_id FROM organization_members m WHERE m.organization_id = $1 AND m.deactivated_at IS NOT NULL))`;

const OF_DEACTIVATED_WHO_HAVE_NOT_ENDED = `k.user_id = ANY (ARRAY(
          SELECT m.user_id FROM organization_members m
          WHERE m.organization_id = $1 AND m.deactivated_at IS NOT NULL AND m.ended_at IS NULL))`;

/**
 * Changes keys for what their owners are, in one statement with an event for each. Keys that are as they shall be stay untouched.
 *
 * @param parameters how many the conditions have
 * @param which the keys that are changed, as `k`
 * @param set their columns from now on
 */
function changeStatement<Values extends readonly unknown[]>(
  name: string,
  parameters: number,
  which: string,
  set: string,
): AuditedStatement<never, Values> {
  return auditedRowsStatement<never, Values>(
    name,
    `UPDATE api_keys k SET ${set}, updated_at = ${changedNow('k.updated_at')} FROM held
      WHERE k.organization_id = $1 AND k.id = held.id`,
    parameters,
    {
      with: `held AS MATERIALIZED (
        SELECT k.id, k.suspension_causes, k.disabled FROM api_keys k WHERE k.organization_id = $1 AND ${which}
        ORDER BY k.id FOR NO KEY UPDATE OF k)`,
      returning: `encode(k.hash, 'hex') AS hash, held.suspension_causes AS causes_before, k.suspension_causes AS causes_after,
        held.disabled AS disabled_before, k.disabled AS disabled_after`,
      targetId: 'change.hash',
      changes: `jsonb_strip_nulls(jsonb_build_object(
        'suspension_causes', CASE WHEN change.causes_before <> change.causes_after
          THEN jsonb_build_object('before', change.causes_before, 'after', change.causes_after) END,
        'disabled', CASE WHEN change.disabled_before <> change.disabled_after
          THEN jsonb_build_object('before', change.disabled_before, 'after', change.disabled_after) END))`,
    },
  );
}

type OfMembers = [organizationId: string, userIds: readonly string[]];

/** Suspends the keys of members; those for inference only where $3 says so. */
export const SUSPEND_KEYS_OF_MEMBERS = changeStatement<[...OfMembers, suspendsApiKeys: boolean]>(
  'member_keys_suspend',
  3,
  `${OF_MEMBERS} AND NOT ${IS_SUSPENDED} AND ($3::boolean OR k.kind <> 'api_key')`,
  `suspension_causes = ${SUSPENDED}`,
);

/** Lifts that from the keys of members. */
export const REINSTATE_KEYS_OF_MEMBERS = changeStatement<OfMembers>(
  'member_keys_reinstate',
  2,
  `${OF_MEMBERS} AND ${IS_SUSPENDED}`,
  `suspension_causes = ${REINSTATED}`,
);

/** Disables the keys of members, and suspends them, so that no one enables them again. */
export const END_KEYS_OF_MEMBERS = changeStatement<OfMembers>(
  'member_keys_end',
  2,
  `${OF_MEMBERS} AND NOT (k.disabled AND ${IS_SUSPENDED})`,
  `disabled = true, suspension_causes = ${SUSPENDED}`,
);

/** Suspends the keys for inference of all who are deactivated. */
export const SUSPEND_API_KEYS_OF_DEACTIVATED = changeStatement<[organizationId: string]>(
  'deactivated_member_keys_suspend',
  1,
  `k.kind = 'api_key' AND ${OF_DEACTIVATED_MEMBERS} AND NOT ${IS_SUSPENDED}`,
  `suspension_causes = ${SUSPENDED}`,
);

/** Lifts that from the keys for inference of those who are deactivated, but of none who has ended. */
export const REINSTATE_API_KEYS_OF_DEACTIVATED = changeStatement<[organizationId: string]>(
  'deactivated_member_keys_reinstate',
  1,
  `k.kind = 'api_key' AND ${OF_DEACTIVATED_WHO_HAVE_NOT_ENDED} AND ${IS_SUSPENDED}`,
  `suspension_causes = ${REINSTATED}`,
);

/** What the keys of a person who was erased are called. */
const ERASED_NAME = 'Erased';

/** Erases what the keys of a member are called, and whom a partner has them for. They are disabled by then. */
export const ERASE_KEYS_OF_MEMBER = statement<never, [organizationId: string, userId: string]>(
  'member_keys_erase',
  `UPDATE api_keys SET name = '${ERASED_NAME}', external_user = NULL, external_api_key_hash = NULL, updated_at = ${changedNow()}
    WHERE organization_id = $1 AND user_id = $2 AND (name <> '${ERASED_NAME}' OR external_user IS NOT NULL)`,
);

/** Deletes all codes of a member, which say what their keys were to be called. */
export const DELETE_ALL_CODES_OF_MEMBER = statement<never, [organizationId: string, userId: string]>(
  'member_codes_delete_all',
  'DELETE FROM authorization_codes WHERE organization_id = $1 AND user_id = $2',
);

/** Deletes the codes of members that no key was made for yet. */
export const DELETE_CODES_OF_MEMBERS = statement<never, OfMembers>(
  'member_codes_delete',
  `DELETE FROM authorization_codes WHERE organization_id = $1 AND user_id = ANY ($2::text[]) AND used_at IS NULL`,
);

/** Lets the management keys of members follow the roles of these. It is no event of its own: that of the role says it. */
export const FOLLOW_OWNER_ROLES = statement<never, [organizationId: string, userIds: readonly string[]]>(
  'member_keys_follow_roles',
  `UPDATE api_keys k SET follows_owner_role = true
    WHERE k.organization_id = $1 AND k.user_id = ANY ($2::text[]) AND k.kind = 'management_key' AND NOT k.follows_owner_role`,
);

/** The rows of the keys and codes of members, in the transaction that changes what these are. */
@Injectable()
export class MemberKeysRepository {
  /** @param suspendsApiKeys whether keys for inference are suspended, and not only management keys */
  async suspend(tx: Transaction, actor: Actor, members: ChangedMembers, suspendsApiKeys: boolean): Promise<void> {
    const values = [members.organizationId, members.userIds, suspendsApiKeys] as const;
    const event = auditEventOf(members.organizationId, actor, { action: 'key.suspend' });
    await tx.write(SUSPEND_KEYS_OF_MEMBERS, SUSPEND_KEYS_OF_MEMBERS.values([...values], event));
  }

  async reinstate(tx: Transaction, actor: Actor, { organizationId, userIds }: ChangedMembers): Promise<void> {
    const event = auditEventOf(organizationId, actor, { action: 'key.reinstate' });
    await tx.write(REINSTATE_KEYS_OF_MEMBERS, REINSTATE_KEYS_OF_MEMBERS.values([organizationId, userIds], event));
  }

  async end(tx: Transaction, actor: Actor, { organizationId, userIds }: ChangedMembers): Promise<void> {
    const event = auditEventOf(organizationId, actor, { action: 'key.disable' });
    await tx.write(END_KEYS_OF_MEMBERS, END_KEYS_OF_MEMBERS.values([organizationId, userIds], event));
  }

  /** Does what {@link suspend} does, for keys for inference of all who are deactivated. */
  async suspendOfDeactivated(tx: Transaction, actor: Actor, organizationId: string): Promise<void> {
    const event = auditEventOf(organizationId, actor, { action: 'key.suspend' });
    await tx.write(SUSPEND_API_KEYS_OF_DEACTIVATED, SUSPEND_API_KEYS_OF_DEACTIVATED.values([organizationId], event));
  }

  /** Undoes {@link suspendOfDeactivated} for all who have not ended. */
  async reinstateOfDeactivated(tx: Transaction, actor: Actor, organizationId: string): Promise<void> {
    const event = auditEventOf(organizationId, actor, { action: 'key.reinstate' });
    await tx.write(
      REINSTATE_API_KEYS_OF_DEACTIVATED,
      REINSTATE_API_KEYS_OF_DEACTIVATED.values([organizationId], event),
    );
  }

  /** @returns how many keys had a name */
  async erase(tx: Transaction, { organizationId, userId }: OneMember): Promise<number> {
    await tx.write(DELETE_ALL_CODES_OF_MEMBER, [organizationId, userId]);
    return tx.write(ERASE_KEYS_OF_MEMBER, [organizationId, userId]);
  }

  /** Deletes what keys could be made with yet. */
  async deleteUnusedCodes(tx: Transaction, { organizationId, userIds }: ChangedMembers): Promise<void> {
    await tx.write(DELETE_CODES_OF_MEMBERS, [organizationId, userIds]);
  }

  /** @see FOLLOW_OWNER_ROLES */
  async followRoles(tx: Transaction, { organizationId, userIds }: ChangedMembers): Promise<void> {
    await tx.write(FOLLOW_OWNER_ROLES, [organizationId, userIds]);
  }
}
