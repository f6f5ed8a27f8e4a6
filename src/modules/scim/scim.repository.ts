import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../database/entity-columns.js';
import { rowInsert } from '../../database/insert-statement.js';
import { PageReader } from '../../database/page-reader.js';
import { resumablePage } from '../../database/resumable-page.js';
import { type StatementRunner, Statements } from '../../database/statements.js';
import { quotaStatement } from '../../limits/quotas.js';
import type { Page, PageWindow } from '../../http/pagination/page.js';
import { auditedStatement, auditEventOf, type Actor } from '../audit/audit-trail.js';
import type { AuditedEvent } from '../audit/audited-event.js';
import { ScimGroupMappingEntity } from './entities/scim-group-mapping.entity.js';

/** How many scim group mappings an organization has, against its quota. */
export const MAPPINGS_QUOTA = quotaStatement('scim_group_mappings_quota', {
  kind: 'scim_group_mappings',
  table: 'scim_group_mappings',
});

/** The row of a mapping to be made, but for the time at which the database makes it. */
export type NewMappingRow = Omit<ScimGroupMappingEntity, 'createdAt' | 'updatedAt'>;

// The database says when: the clocks of replicas may differ, and the list is in this order.
export const SCIM_MAPPING_INSERT = rowInsert(ScimGroupMappingEntity, { createdAt: 'now()', updatedAt: 'now()' });

/** Inserts a mapping, and records it. Triggers make the group's members those of the workspace. */
export const INSERT_SCIM_MAPPING = auditedStatement(
  'scim_group_mapping_insert',
  `${SCIM_MAPPING_INSERT.into} VALUES (${SCIM_MAPPING_INSERT.parameters})`,
  SCIM_MAPPING_INSERT.count,
  {
    returning: 'created_at, updated_at',
    answer: '(SELECT created_at FROM change) AS "createdAt", (SELECT updated_at FROM change) AS "updatedAt"',
  },
);

/** A page of an organization's mappings. */
export const SCIM_MAPPINGS_PAGE = resumablePage({
  name: 'scim_group_mappings_page',
  entity: ScimGroupMappingEntity,
  where: 'organization_id = $1',
  parameters: 1,
  scope: '$1',
  order: ['createdAt', 'id'],
});

/** A mapping of an organization. */
export const SCIM_MAPPING_BY_ID = {
  name: 'scim_group_mapping_by_id',
  text: `SELECT ${columnsOf(ScimGroupMappingEntity, 'm')} FROM scim_group_mappings m
    WHERE m.organization_id = $1 AND m.id = $2`,
};

/** Holds the workspace of a mapping. */
export const LOCK_MAPPED_WORKSPACE = {
  name: 'scim_mapped_workspace_lock',
  text: `SELECT w.id FROM workspaces w WHERE w.organization_id = $1 AND w.id = (
      SELECT m.workspace_id FROM scim_group_mappings m WHERE m.organization_id = $1 AND m.id = $2)
    FOR NO KEY UPDATE`,
};

// Not now(): the transaction may have begun before the one whose change it waited for.
/** Changes the role of a mapping. Triggers converge the memberships. */
export const UPDATE_SCIM_MAPPING = {
  name: 'scim_group_mapping_update',
  text: `UPDATE scim_group_mappings SET role = $3, updated_at = clock_timestamp() WHERE organization_id = $1 AND id = $2
    RETURNING updated_at AS "updatedAt"`,
};

/**
 * Makes the memberships that a mapping gives ones that were given by hand as well, and takes from them what it gives: all that
 * its deletion would change afterwards.
 */
export const KEEP_MAPPED_MEMBERS = {
  name: 'scim_group_mapping_keep_members',
  text: 'SELECT keep_members_of_scim_mapping($1, $2)',
};

/** Deletes a mapping. Triggers converge the memberships. */
export const DELETE_SCIM_MAPPING = {
  name: 'scim_group_mapping_delete',
  text: 'DELETE FROM scim_group_mappings WHERE organization_id = $1 AND id = $2',
};

type MappingTimes = Pick<ScimGroupMappingEntity, 'createdAt' | 'updatedAt'>;

/** The rows of mappings from groups to workspaces. */
@Injectable()
export class ScimRepository {
  constructor(
    private readonly statements: Statements,
    private readonly pages: PageReader,
  ) {}

  /**
   * Inserts a mapping and its audit event in one statement. The constraints see to it that group and workspace are the
   * organization's, and that the pair is new.
   *
   * @returns the mapping as it is stored
   */
  async insertMapping(mapping: NewMappingRow, actor: Actor, event: AuditedEvent): Promise<ScimGroupMappingEntity> {
    const row = auditEventOf(mapping.organizationId, actor, event);
    const values = INSERT_SCIM_MAPPING.values(SCIM_MAPPING_INSERT.values(mapping), row);
    return { ...mapping, ...(await this.statements.firstOfAnySize<MappingTimes>(INSERT_SCIM_MAPPING, values))! };
  }

  async mappingsPage(organizationId: string, window: PageWindow): Promise<Page<ScimGroupMappingEntity>> {
    return this.pages.read(SCIM_MAPPINGS_PAGE, [organizationId], window);
  }

  async findMapping(organizationId: string, id: string): Promise<ScimGroupMappingEntity | undefined> {
    return this.statements.first(SCIM_MAPPING_BY_ID, [organizationId, id]);
  }

  /**
   * A mapping that nobody else changes until the transaction ends. Its workspace is held first, as it is by whoever deletes
   * the workspace, so that neither waits for the other in turn.
   */
  async holdMapping(
    on: StatementRunner,
    organizationId: string,
    id: string,
  ): Promise<ScimGroupMappingEntity | undefined> {
    await on.rows(LOCK_MAPPED_WORKSPACE, [organizationId, id]);
    return on.first(SCIM_MAPPING_BY_ID, [organizationId, id]);
  }

  /** Writes the role of a mapping. @param on holds the mapping @returns it as it is stored */
  async updateMapping(on: StatementRunner, mapping: ScimGroupMappingEntity): Promise<ScimGroupMappingEntity> {
    const values = [mapping.organizationId, mapping.id, mapping.role];
    return { ...mapping, ...(await on.first<Pick<MappingTimes, 'updatedAt'>>(UPDATE_SCIM_MAPPING, values))! };
  }

  /** Has the members of a mapping that is about to be deleted stay. @param on holds the workspace */
  async keepMembers(on: StatementRunner, organizationId: string, id: string): Promise<void> {
    await on.rows(KEEP_MAPPED_MEMBERS, [organizationId, id]);
  }

  async deleteMapping(on: StatementRunner, organizationId: string, id: string): Promise<void> {
    await on.write(DELETE_SCIM_MAPPING, [organizationId, id]);
  }
}
