import { Injectable } from '@nestjs/common';
import { DEFAULT_ROLE } from '../../auth/roles.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { withEntityTag } from '../../http/entity-tags.js';
import { Precondition } from '../../http/precondition.js';
import { isUuid, newUuid } from '../../persistence/identifiers.js';
import { type Transaction, Statements } from '../../persistence/statements.js';
import { type PageQuery, toPageRequest, toPageResponse } from '../../http/pagination/pagination.js';
import { Quotas } from '../organization-limits/quotas.js';
import { type Actor, AuditTrail } from '../audit/audit-trail.js';
import { type AuditedChanges, type AuditedEvent, created, updated } from '../audit/audited-event.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import type {
  CreateScimGroupMappingRequest,
  CreateScimGroupMappingResponse,
  DeleteScimGroupMappingQuery,
  DeleteScimGroupMappingResponse,
  GetScimGroupMappingResponse,
  ListScimGroupMappingsResponse,
  ScimGroupMappingPath,
  UpdateScimGroupMappingRequest,
  UpdateScimGroupMappingResponse,
} from './dto/scim.dto.js';
import type { ScimGroupMappingEntity } from './entities/scim-group.entity.js';
import { requireScim } from './require-scim.js';
import { ScimGroupMappingNotFound } from './scim.errors.js';
import { toAuditedMapping, tagOfMapping, toMappingResponse } from './scim.mapper.js';
import { MAPPINGS_QUOTA, type NewMappingRow, ScimGroupMappingsRepository } from './scim-group-mappings.repository.js';
import { WorkspaceHooks } from '../workspaces/workspace-hooks.js';
import { ScimGroupsRepository } from './scim-groups.repository.js';

/**
 * Mappings of identity provider groups to workspaces. Triggers make the members of a mapped group members of the
 * workspace (docs/adr/0010).
 */
@Injectable()
export class ScimGroupMappingsService {
  constructor(
    private readonly repository: ScimGroupMappingsRepository,
    private readonly organizations: OrganizationsService,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly quotas: Quotas,
    private readonly groups: ScimGroupsRepository,
    private readonly hooks: WorkspaceHooks,
  ) {}

  /**
   * Gives the members of a group a role in a workspace (docs/interface/scim.md#mappings).
   *
   * @throws ScimNotEnabled
   * @throws ScimGroupNotFound, WorkspaceNotFound
   * @throws ScimGroupMappingExists when the pair is mapped already
   */
  async createMapping(
    caller: ManagementPrincipal,
    input: CreateScimGroupMappingRequest,
  ): Promise<CreateScimGroupMappingResponse> {
    await requireScim(this.organizations, caller.organizationId);
    await this.quotas.requireBelowQuota(caller.organizationId, MAPPINGS_QUOTA);
    const row = {
      id: newUuid(),
      organizationId: caller.organizationId,
      scimGroupId: input.scim_group_id.toLowerCase(),
      workspaceId: input.workspace_id.toLowerCase(),
      role: input.role ?? DEFAULT_ROLE,
    } as const;
    const event = eventOf('create', row, created(toAuditedMapping(row)));
    return this.statements.bulk.transaction(async (tx) => {
      const mapping = await this.repository.insert(tx, row, caller, event);
      await this.followMembers(tx, caller, mapping);
      return shown(mapping);
    });
  }

  /**
   * Lists the organization's mappings, oldest first.
   *
   * @throws ScimNotEnabled
   */
  async listMappings(caller: ManagementPrincipal, input: PageQuery): Promise<ListScimGroupMappingsResponse> {
    await requireScim(this.organizations, caller.organizationId);
    return toPageResponse(await this.repository.page(caller.organizationId, toPageRequest(input)), toMappingResponse);
  }

  /**
   * One mapping.
   *
   * @throws ScimNotEnabled
   * @throws ScimGroupMappingNotFound
   */
  async getMapping(caller: ManagementPrincipal, { id }: ScimGroupMappingPath): Promise<GetScimGroupMappingResponse> {
    await requireScim(this.organizations, caller.organizationId);
    const mapping = isUuid(id) ? await this.repository.find(caller.organizationId, id) : undefined;
    if (mapping === undefined) throw new ScimGroupMappingNotFound();
    return shown(mapping);
  }

  /**
   * Changes the role of a mapping and of its members. The same role changes nothing.
   *
   * @throws ScimNotEnabled
   * @throws ScimGroupMappingNotFound
   */
  async updateMapping(
    caller: ManagementPrincipal,
    { id, role }: ScimGroupMappingPath & UpdateScimGroupMappingRequest,
    precondition = Precondition.NONE,
  ): Promise<UpdateScimGroupMappingResponse> {
    await requireScim(this.organizations, caller.organizationId);
    return this.statements.bulk.transaction(async (tx) => {
      const before = await this.hold(tx, caller, id);
      precondition.require(tagOfMapping(before));
      if (before.role === role) return shown(before);
      const after = await this.repository.update(tx, { ...before, role });
      const event = eventOf('update', after, updated(toAuditedMapping(before), toAuditedMapping(after)));
      await this.audit.record(tx, caller.organizationId, caller, event);
      return shown(after);
    });
  }

  /**
   * Deletes a mapping. Memberships from this mapping only are deleted too, or kept as manual memberships with the role
   * of the mapping.
   *
   * @throws ScimNotEnabled
   * @throws ScimGroupMappingNotFound
   */
  async deleteMapping(
    caller: ManagementPrincipal,
    { id, keep_members: keep }: ScimGroupMappingPath & DeleteScimGroupMappingQuery,
    precondition = Precondition.NONE,
  ): Promise<DeleteScimGroupMappingResponse> {
    const { organizationId } = caller;
    await requireScim(this.organizations, organizationId);
    return this.statements.bulk.transaction(async (tx) => {
      const mapping = await this.hold(tx, caller, id);
      precondition.require(tagOfMapping(mapping));
      if (keep) await this.repository.keepMembers(tx, organizationId, mapping.id);
      await this.repository.delete(tx, organizationId, mapping.id);
      const event = eventOf('delete', mapping, { keep_members: { after: keep } });
      await this.audit.record(tx, organizationId, caller, event);
      if (!keep) await this.followMembers(tx, caller, mapping);
      return { deleted: true };
    });
  }

  private async followMembers(
    tx: Transaction,
    actor: Actor,
    { organizationId, scimGroupId, workspaceId }: ScimGroupMappingEntity,
  ): Promise<void> {
    const userIds = await this.groups.usersOf(tx, organizationId, scimGroupId);
    await this.hooks.membershipsChanged(tx, actor, { organizationId, workspaceIds: [workspaceId], userIds });
  }

  private async hold(
    tx: Transaction,
    { organizationId }: ManagementPrincipal,
    id: string,
  ): Promise<ScimGroupMappingEntity> {
    const mapping = isUuid(id) ? await this.repository.lockForNoKeyUpdate(tx, organizationId, id) : undefined;
    if (mapping === undefined) throw new ScimGroupMappingNotFound();
    return mapping;
  }
}

function eventOf(verb: string, { id }: NewMappingRow, changes: AuditedChanges): AuditedEvent {
  return { action: `scim_group_mapping.${verb}`, targetId: id, changes };
}

function shown(mapping: ScimGroupMappingEntity): GetScimGroupMappingResponse {
  return withEntityTag({ data: toMappingResponse(mapping) }, tagOfMapping(mapping));
}
