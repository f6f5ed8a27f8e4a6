import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { rowById } from '../../../persistence/row-statements.js';
import { statement } from '../../../persistence/statement.js';
import { type StatementRunner, Statements, type Transaction } from '../../../persistence/statements.js';
import { ScimSyncJobEntity } from '../entities/scim-sync-job.entity.js';

/** How long a process has a job before another one may take it over, in seconds. It is told anew with each group. */
const LEASE_S = 60;

/** How long jobs are kept after their end. */
const KEPT = `interval '90 days'`;

const COLUMNS = columnsOf(ScimSyncJobEntity, 'j');

/** Inserts a job, unless the organization has one that has not ended. */
export const INSERT_SYNC_JOB = statement<{ id: string }, [organizationId: string, id: string]>(
  'scim_sync_job_insert',
  `INSERT INTO scim_sync_jobs (organization_id, id, status, created_at) VALUES ($1, $2, 'queued', now())
    ON CONFLICT (organization_id) WHERE finished_at IS NULL DO NOTHING RETURNING id`,
);

/** The job of an organization that has not ended. */
export const OPEN_SYNC_JOB = statement<ScimSyncJobEntity, [organizationId: string]>(
  'scim_sync_job_open',
  `SELECT ${COLUMNS} FROM scim_sync_jobs j WHERE j.organization_id = $1 AND j.finished_at IS NULL`,
);

export const SYNC_JOB_BY_ID = rowById('scim_sync_job_by_id', ScimSyncJobEntity);

/** Organizations with a job that no process has. */
export const ORGANIZATIONS_WITH_SYNC_JOBS = statement<{ organization_id: string }, [most: number]>(
  'scim_sync_jobs_due',
  `SELECT organization_id FROM scim_sync_jobs WHERE finished_at IS NULL AND coalesce(leased_until <= now(), true)
    ORDER BY organization_id LIMIT $1`,
);

/** Takes the job of an organization, unless another process has it. */
export const CLAIM_SYNC_JOB = statement<{ id: string }, [organizationId: string]>(
  'scim_sync_job_claim',
  `UPDATE scim_sync_jobs SET status = 'running', started_at = least(started_at, statement_timestamp()),
      leased_until = statement_timestamp() + interval '${LEASE_S} seconds'
    WHERE organization_id = $1 AND id = (
      SELECT id FROM scim_sync_jobs WHERE organization_id = $1 AND finished_at IS NULL
        AND (leased_until IS NULL OR leased_until <= statement_timestamp()) FOR UPDATE SKIP LOCKED LIMIT 1) RETURNING id`,
);

export const PROLONG_SYNC_JOB = statement<never, [organizationId: string, id: string]>(
  'scim_sync_job_prolong',
  `UPDATE scim_sync_jobs SET leased_until = statement_timestamp() + interval '${LEASE_S} seconds'
    WHERE organization_id = $1 AND id = $2 AND status = 'running'`,
);

export const END_SYNC_JOB = statement<
  never,
  [
    organizationId: string,
    id: string,
    status: 'succeeded' | 'failed',
    syncedGroups: number | null,
    deletedGroups: number | null,
    errorMessage: string | null,
  ]
>(
  'scim_sync_job_end',
  `UPDATE scim_sync_jobs SET status = $3, synced_groups = $4, deleted_groups = $5, error_message = $6, leased_until = NULL,
      finished_at = statement_timestamp()
    WHERE organization_id = $1 AND id = $2 AND status = 'running'`,
);

export const DELETE_OLD_SYNC_JOBS = statement<never, [organizationId: string]>(
  'scim_sync_jobs_delete_old',
  `DELETE FROM scim_sync_jobs WHERE organization_id = $1 AND finished_at < now() - ${KEPT}`,
);

/** The groups of an organization behind one of them, in the order of their ids. */
export const GROUPS_TO_SYNC = statement<{ id: string }, [organizationId: string, after: string, most: number]>(
  'scim_groups_to_sync',
  'SELECT id FROM scim_groups WHERE organization_id = $1 AND id > $2::uuid ORDER BY id LIMIT $3',
);

/** Locks the workspaces that a group is mapped to, in the order of docs/adr/0010. */
export const LOCK_WORKSPACES_OF_GROUP = statement<{ id: string }, [organizationId: string, groupId: string]>(
  'scim_sync_workspaces_lock',
  `SELECT w.id FROM workspaces w WHERE w.organization_id = $1 AND NOT w.is_default AND w.id IN (
      SELECT workspace_id FROM scim_group_mappings WHERE organization_id = $1 AND scim_group_id = $2)
    ORDER BY w.id FOR NO KEY UPDATE`,
);

/** Gives the members of a group the roles of its mappings that they lack, as the triggers do; it lowers none. @returns whose changed */
export const GRANT_ROLES_OF_GROUP = statement<{ user_id: string }, [organizationId: string, groupId: string]>(
  'scim_sync_grant',
  `INSERT INTO workspace_members AS known (id, organization_id, workspace_id, user_id, role, scim_role, created_at)
    SELECT new_uuid_v7(), $1, mapping.workspace_id, member.user_id, mapping.role, mapping.role, now()
      FROM scim_group_mappings mapping
      JOIN scim_group_members member ON member.organization_id = $1 AND member.scim_group_id = mapping.scim_group_id
      JOIN workspaces workspace ON workspace.organization_id = $1 AND workspace.id = mapping.workspace_id
        AND NOT workspace.is_default
      WHERE mapping.organization_id = $1 AND mapping.scim_group_id = $2
      ORDER BY mapping.workspace_id, member.user_id
    ON CONFLICT (organization_id, workspace_id, user_id) DO UPDATE SET scim_role = excluded.scim_role,
        role = role_of_rank(greatest(role_rank(known.role), role_rank(excluded.scim_role)))
      WHERE known.scim_role IS NULL OR role_rank(known.scim_role) < role_rank(excluded.scim_role)
    RETURNING user_id`,
);

/** Who has a role from groups in some workspaces. */
export const USERS_WITH_ROLES_OF_GROUPS = statement<
  { user_id: string },
  [organizationId: string, workspaceIds: readonly string[]]
>(
  'scim_sync_users',
  `SELECT DISTINCT user_id FROM workspace_members
    WHERE organization_id = $1 AND workspace_id = ANY ($2::uuid[]) AND scim_role IS NOT NULL`,
);

/** Sets the highest role that groups give users in workspaces, and takes away what none gives. */
export const CONVERGE_ROLES = statement<
  object,
  [organizationId: string, workspaceIds: readonly string[], userIds: readonly string[]]
>('scim_sync_converge', 'SELECT converge_workspace_members($1, $2::uuid[], $3::text[])');

/** The rows of sync jobs, and what a job does with memberships. */
@Injectable()
export class SyncJobsRepository {
  constructor(private readonly statements: Statements) {}

  /** @returns the id of the new job; undefined where one has not ended */
  async insert(tx: Transaction, organizationId: string, id: string): Promise<string | undefined> {
    return (await tx.first(INSERT_SYNC_JOB, [organizationId, id]))?.id;
  }

  async open(runner: StatementRunner, organizationId: string): Promise<ScimSyncJobEntity | undefined> {
    return runner.first(OPEN_SYNC_JOB, [organizationId]);
  }

  async find(runner: StatementRunner, organizationId: string, id: string): Promise<ScimSyncJobEntity | undefined> {
    return runner.first(SYNC_JOB_BY_ID, [organizationId, id]);
  }

  /** Organizations with a job that no process has. */
  async due(most: number): Promise<string[]> {
    return (await this.statements.rows(ORGANIZATIONS_WITH_SYNC_JOBS, [most])).map((row) => row.organization_id);
  }

  /** @returns the id of the job that this process has now; undefined if another one has it */
  async claim(organizationId: string): Promise<string | undefined> {
    return (await this.statements.first(CLAIM_SYNC_JOB, [organizationId]))?.id;
  }

  async prolong(organizationId: string, id: string): Promise<void> {
    await this.statements.write(PROLONG_SYNC_JOB, [organizationId, id]);
  }

  async succeed(organizationId: string, id: string, syncedGroups: number): Promise<void> {
    // A directory pushes what it deletes: none is found to be gone here.
    await this.statements.write(END_SYNC_JOB, [organizationId, id, 'succeeded', syncedGroups, 0, null]);
    await this.statements.write(DELETE_OLD_SYNC_JOBS, [organizationId]);
  }

  async fail(organizationId: string, id: string, message: string): Promise<void> {
    await this.statements.write(END_SYNC_JOB, [organizationId, id, 'failed', null, null, message]);
  }

  async groups(organizationId: string, after: string, most: number): Promise<string[]> {
    return (await this.statements.rows(GROUPS_TO_SYNC, [organizationId, after, most])).map(({ id }) => id);
  }

  /**
   * Derives anew what a group gives in the workspaces that it is mapped to.
   *
   * @param tx holds the group
   * @returns the workspaces, and the users who may have another role there
   */
  async converge(
    tx: Transaction,
    organizationId: string,
    groupId: string,
  ): Promise<{ workspaceIds: string[]; userIds: string[] }> {
    const workspaceIds = (await tx.rows(LOCK_WORKSPACES_OF_GROUP, [organizationId, groupId])).map(({ id }) => id);
    if (workspaceIds.length === 0) return { workspaceIds, userIds: [] };
    await tx.rows(GRANT_ROLES_OF_GROUP, [organizationId, groupId]);
    const rows = await tx.rows(USERS_WITH_ROLES_OF_GROUPS, [organizationId, workspaceIds]);
    const userIds = rows.map((row) => row.user_id);
    await tx.rows(CONVERGE_ROLES, [organizationId, workspaceIds, userIds]);
    return { workspaceIds, userIds };
  }
}
