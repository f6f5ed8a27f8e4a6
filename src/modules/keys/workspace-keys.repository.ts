import { Injectable } from '@nestjs/common';
import { type Statement, statement } from '../../persistence/statement.js';
import { changedNow } from '../../persistence/row-times.js';
import type { Transaction } from '../../persistence/statements.js';
import type { ChangedMemberships } from '../workspaces/workspace-hooks.js';
import type { SuspensionCause } from './suspension-causes.js';

const IN_WORKSPACE = 'organization_id = $1 AND workspace_id = $2';

// A key for inference that names no workspace is in the default one; a management key is in none.
const IN_DEFAULT_WORKSPACE = `organization_id = $1
  AND (workspace_id = $2 OR workspace_id IS NULL AND kind = 'api_key')`;

const IS_ACTIVE = 'NOT disabled AND (expires_at IS NULL OR expires_at > now())';

/** Counts the active keys, and holds all of them as they are: none is enabled again after the count. */
function countActiveStatement(
  name: string,
  where: string,
): Statement<{ active: number }, [organizationId: string, workspaceId: string]> {
  return statement(
    name,
    `WITH held AS MATERIALIZED (
        SELECT ${IS_ACTIVE} AS is_active FROM api_keys WHERE ${where} ORDER BY id FOR UPDATE)
      SELECT count(*) FILTER (WHERE is_active)::integer AS active FROM held`,
  );
}

/** How many keys one statement deletes at most: each looks for what refers to it, and a statement has its time. */
const BATCH = 2_000;

/** Deletes some of the keys that are not active. */
function deleteInactiveStatement(
  name: string,
  where: string,
): Statement<{ hash: string }, [organizationId: string, workspaceId: string]> {
  return statement(
    name,
    // As an array, of which PostgreSQL expects few elements: each key is looked up by its id, not among the organization's.
    `DELETE FROM api_keys USING unnest(ARRAY(
        SELECT id FROM api_keys WHERE ${where} AND NOT (${IS_ACTIVE}) LIMIT ${BATCH})) AS inactive (id)
      WHERE api_keys.organization_id = $1 AND api_keys.id = inactive.id
      RETURNING encode(hash, 'hex') AS hash`,
  );
}

/** Deletes the codes of a workspace. The foreign key would too, but would look up each code by the key that it was exchanged for. */
export const DELETE_WORKSPACE_CODES = statement<never, [organizationId: string, workspaceId: string]>(
  'workspace_codes_delete',
  `DELETE FROM authorization_codes WHERE ${IN_WORKSPACE}`,
);

/** Locks the keys of a workspace other than the default one, and counts the active ones. */
export const LOCK_KEYS_AND_COUNT_ACTIVE = countActiveStatement('workspace_keys_active', IN_WORKSPACE);

/** Locks the keys of the default workspace, and counts the active ones. */
export const LOCK_KEYS_AND_COUNT_ACTIVE_IN_DEFAULT = countActiveStatement(
  'workspace_keys_active_default',
  IN_DEFAULT_WORKSPACE,
);

/** Deletes the inactive keys of a workspace other than the default one. */
export const DELETE_INACTIVE_KEYS = deleteInactiveStatement('workspace_keys_delete', IN_WORKSPACE);

/** Deletes the inactive keys of the default workspace. */
export const DELETE_INACTIVE_KEYS_IN_DEFAULT = deleteInactiveStatement(
  'workspace_keys_delete_default',
  IN_DEFAULT_WORKSPACE,
);

/** The users among some who have active keys in a workspace other than the default one. */
export const USERS_WITH_ACTIVE_KEYS = statement<
  { user_id: string },
  [organizationId: string, workspaceId: string, userIds: readonly string[]]
>(
  'workspace_keys_active_owners',
  `SELECT DISTINCT user_id FROM api_keys WHERE ${IN_WORKSPACE} AND user_id = ANY ($3::text[]) AND ${IS_ACTIVE}`,
);

type ChangedValues = [organizationId: string, workspaceIds: readonly string[], userIds: readonly string[]];

/** A key that was suspended or is no more, with the causes before and now. */
export interface SuspensionChange {
  /** SHA-256 in lowercase hex. */
  readonly hash: string;
  readonly before: readonly SuspensionCause[];
  readonly after: readonly SuspensionCause[];
}

const MEMBERSHIP: SuspensionCause = 'workspace_membership';

/**
 * Changes whether the keys that some users have in workspaces are suspended for want of a membership. The default workspace has all members
 * of the organization without a row for each.
 *
 * @param which the keys that are changed, as `k`
 * @param causes their causes from now on
 */
function suspensionStatement(name: string, which: string, causes: string): Statement<SuspensionChange, ChangedValues> {
  return statement(
    name,
    `WITH held AS MATERIALIZED (
        SELECT k.id, k.suspension_causes FROM api_keys k
        WHERE k.organization_id = $1 AND k.workspace_id = ANY ($2::uuid[]) AND k.user_id = ANY ($3::text[])
          AND k.kind = 'api_key' AND ${which}
          AND NOT EXISTS (SELECT FROM workspaces w
            WHERE w.organization_id = $1 AND w.id = k.workspace_id AND w.is_default)
        ORDER BY k.id FOR NO KEY UPDATE OF k)
      UPDATE api_keys k SET suspension_causes = ${causes}, updated_at = ${changedNow('k.updated_at')} FROM held
      WHERE k.organization_id = $1 AND k.id = held.id
      RETURNING encode(k.hash, 'hex') AS hash, held.suspension_causes AS before, k.suspension_causes AS after`,
  );
}

const IS_MEMBER = `EXISTS (SELECT FROM workspace_members m
            WHERE m.organization_id = $1 AND m.workspace_id = k.workspace_id AND m.user_id = k.user_id)`;

/** Suspends the keys of users who are not members of their workspaces. */
export const SUSPEND_KEYS_OF_FORMER_MEMBERS = suspensionStatement(
  'workspace_keys_suspend',
  `NOT ('${MEMBERSHIP}' = ANY (k.suspension_causes)) AND NOT ${IS_MEMBER}`,
  `array_append(k.suspension_causes, '${MEMBERSHIP}')`,
);

/** Lifts that from the keys of users who are members of their workspaces. */
export const REINSTATE_KEYS_OF_MEMBERS = suspensionStatement(
  'workspace_keys_reinstate',
  `'${MEMBERSHIP}' = ANY (k.suspension_causes) AND ${IS_MEMBER}`,
  `array_remove(k.suspension_causes, '${MEMBERSHIP}')`,
);

/** The rows of the keys of one workspace, within the transaction that deletes it or removes members. */
@Injectable()
export class WorkspaceKeysRepository {
  /** How many keys of the workspace are active; until the transaction ends no key of it is changed. */
  async lockForUpdateAndCountActive(
    tx: Transaction,
    organizationId: string,
    workspaceId: string,
    isDefault: boolean,
  ): Promise<number> {
    const statement = isDefault ? LOCK_KEYS_AND_COUNT_ACTIVE_IN_DEFAULT : LOCK_KEYS_AND_COUNT_ACTIVE;
    return (await tx.first(statement, [organizationId, workspaceId]))?.active ?? 0;
  }

  /** Deletes the keys of the workspace that are disabled or expired. @returns their hashes */
  async deleteInactive(
    tx: Transaction,
    organizationId: string,
    workspaceId: string,
    isDefault: boolean,
  ): Promise<string[]> {
    const statement = isDefault ? DELETE_INACTIVE_KEYS_IN_DEFAULT : DELETE_INACTIVE_KEYS;
    const hashes: string[] = [];
    for (;;) {
      const keys = await tx.rows(statement, [organizationId, workspaceId]);
      hashes.push(...keys.map(({ hash }) => hash));
      if (keys.length < BATCH) return hashes;
    }
  }

  /** Deletes the codes whose keys would be in the workspace, and those whose keys are. */
  async deleteCodes(tx: Transaction, organizationId: string, workspaceId: string): Promise<void> {
    await tx.write(DELETE_WORKSPACE_CODES, [organizationId, workspaceId]);
  }

  /** Suspends the keys of those who are no members now, whatever state they are in. @returns the keys that were not suspended so before */
  async suspendThoseOfFormerMembers(tx: Transaction, changed: ChangedMemberships): Promise<SuspensionChange[]> {
    return tx.rows(SUSPEND_KEYS_OF_FORMER_MEMBERS, valuesOf(changed));
  }

  /** Lifts that from the keys of those who are members now. @returns the keys that it was lifted from */
  async reinstateThoseOfMembers(tx: Transaction, changed: ChangedMemberships): Promise<SuspensionChange[]> {
    return tx.rows(REINSTATE_KEYS_OF_MEMBERS, valuesOf(changed));
  }

  /** The users among some who have active keys in the workspace. */
  async usersWithActiveKeys(
    tx: Transaction,
    organizationId: string,
    workspaceId: string,
    userIds: readonly string[],
  ): Promise<string[]> {
    return (await tx.rows(USERS_WITH_ACTIVE_KEYS, [organizationId, workspaceId, userIds])).map((row) => row.user_id);
  }
}

function valuesOf({ organizationId, workspaceIds, userIds }: ChangedMemberships): ChangedValues {
  return [organizationId, workspaceIds, userIds];
}
