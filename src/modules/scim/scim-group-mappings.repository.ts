import { Injectable } from '@nestjs/common';
import { statement } from '../../persistence/statement.js';
import { type Transaction, Statements } from '../../persistence/statements.js';
import { quotaStatement } from '../../persistence/quota-statement.js';
import { type Page, pageOfOrganization, type PageRequest } from '../../persistence/page-statement.js';
import { type Actor, auditedInsert, auditEventOf } from '../audit/audit-trail.js';
import type { AuditedEvent } from '../audit/audited-event.js';
import { ScimGroupMappingEntity } from './entities/scim-group.entity.js';
import { deletionById, rowById } from '../../persistence/row-statements.js';
import { changedNow, CREATED_AND_UPDATED_NOW } from '../../persistence/row-times.js';

/** How many scim group mappings an organization has, against its quota. */
export const MAPPINGS_QUOTA = quotaStatement('scim_group_mappings_quota', 'scim_group_mappings', 'scim_group_mappings');

/** The row of a new mapping, without the times that the database sets. */
export type NewMappingRow = Omit<ScimGroupMappingEntity, 'createdAt' | 'updatedAt'>;

/** Inserts a mapping, and records it. Triggers make the group's members those of the workspace. */
export const INSERT_SCIM_MAPPING = auditedInsert(
  'scim_group_mapping_insert',
  ScimGroupMappingEntity,
  CREATED_AND_UPDATED_NOW,
);

/** A page of an organization's mappings. */
export const SCIM_MAPPINGS_PAGE = pageOfOrganization<ScimGroupMappingEntity>({
  name: 'scim_group_mappings_page',
  entity: ScimGroupMappingEntity,
});

/** A mapping of an organization. */
export const SCIM_MAPPING_BY_ID = rowById('scim_group_mapping_by_id', ScimGroupMappingEntity);

/** Holds the workspace of a mapping. */
export const LOCK_MAPPED_WORKSPACE_FOR_NO_KEY_UPDATE = statement<{ id: string }, [organizationId: string, id: string]>(
  'scim_mapped_workspace_lock',
  `SELECT w.id FROM workspaces w WHERE w.organization_id = $1 AND w.id = (
      SELECT m.workspace_id FROM scim_group_mappings m WHERE m.organization_id = $1 AND m.id = $2)
    FOR NO KEY UPDATE`,
);

/** Changes the role of a mapping. Triggers converge the memberships. */
export const UPDATE_SCIM_MAPPING = statement<
  Pick<ScimGroupMappingEntity, 'updatedAt'>,
  [organizationId: string, id: string, role: ScimGroupMappingEntity['role']]
>(
  'scim_group_mapping_update',
  `UPDATE scim_group_mappings SET role = $3, updated_at = ${changedNow()} WHERE organization_id = $1 AND id = $2
    RETURNING updated_at AS "updatedAt"`,
);

/**
 * Turns memberships from the mapping into manual ones with the mapping's role, so that its deletion changes nothing
 * afterwards.
 */
export const KEEP_MAPPED_MEMBERS = statement<object, [organizationId: string, id: string]>(
  'scim_group_mapping_keep_members',
  'SELECT keep_members_of_scim_mapping($1, $2)',
);

/** Deletes a mapping. Triggers converge the memberships. */
export const DELETE_SCIM_MAPPING = deletionById('scim_group_mapping_delete', ScimGroupMappingEntity);

/** The rows of mappings from groups to workspaces. */
@Injectable()
export class ScimGroupMappingsRepository {
  constructor(private readonly statements: Statements) {}

  /**
   * Inserts a mapping and its audit event in one statement. The constraints see to it that group and workspace are the
   * organization's, and that the pair is new.
   *
   * @returns the mapping as it is stored
   */
  async insert(
    tx: Transaction,
    mapping: NewMappingRow,
    actor: Actor,
    event: AuditedEvent,
  ): Promise<ScimGroupMappingEntity> {
    const values = INSERT_SCIM_MAPPING.values(mapping, auditEventOf(mapping.organizationId, actor, event));
    return { ...mapping, ...(await tx.first(INSERT_SCIM_MAPPING, values))! };
  }

  async page(organizationId: string, request: PageRequest): Promise<Page<ScimGroupMappingEntity>> {
    return this.statements.page(SCIM_MAPPINGS_PAGE, [organizationId], request);
  }

  async find(organizationId: string, id: string): Promise<ScimGroupMappingEntity | undefined> {
    return this.statements.first(SCIM_MAPPING_BY_ID, [organizationId, id]);
  }

  /**
   * Locks a mapping until the transaction ends. Its workspace is locked first, as in the deletion of a workspace, so that the
   * two cannot dead-lock.
   */
  async lockForNoKeyUpdate(
    tx: Transaction,
    organizationId: string,
    id: string,
  ): Promise<ScimGroupMappingEntity | undefined> {
    await tx.rows(LOCK_MAPPED_WORKSPACE_FOR_NO_KEY_UPDATE, [organizationId, id]);
    return tx.first(SCIM_MAPPING_BY_ID, [organizationId, id]);
  }

  /** Writes the role of a mapping. @param tx holds the mapping @returns it as it is stored */
  async update(tx: Transaction, mapping: ScimGroupMappingEntity): Promise<ScimGroupMappingEntity> {
    return {
      ...mapping,
      ...(await tx.first(UPDATE_SCIM_MAPPING, [mapping.organizationId, mapping.id, mapping.role]))!,
    };
  }

  /** Keeps the members of a mapping before it is deleted. @param tx has locked the workspace */
  async keepMembers(tx: Transaction, organizationId: string, id: string): Promise<void> {
    await tx.rows(KEEP_MAPPED_MEMBERS, [organizationId, id]);
  }

  async delete(tx: Transaction, organizationId: string, id: string): Promise<void> {
    await tx.write(DELETE_SCIM_MAPPING, [organizationId, id]);
  }
}
