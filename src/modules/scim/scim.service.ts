import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { isUuid, newUuid } from '../../database/identifiers.js';
import { type StatementRunner, Statements } from '../../database/statements.js';
import { toPageResponse, windowOf } from '../../http/pagination/page.js';
import type { PageQuery } from '../../http/pagination/page-query.dto.js';
import { Quotas } from '../../limits/quotas.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { type AuditedChanges, type AuditedEvent, created, updated } from '../audit/audited-event.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import type { CreateScimGroupMappingRequest } from './dto/create-scim-group-mapping-request.dto.js';
import type {
  DeleteScimGroupMappingQuery,
  DeleteScimGroupMappingResponse,
} from './dto/delete-scim-group-mapping.dto.js';
import type {
  CreateScimGroupMappingResponse,
  GetScimGroupMappingResponse,
  ListScimGroupMappingsResponse,
  UpdateScimGroupMappingResponse,
} from './dto/scim-group-mapping.dto.js';
import type { ScimGroupMappingPath } from './dto/scim-group-mapping-path.dto.js';
import type { UpdateScimGroupMappingRequest } from './dto/update-scim-group-mapping-request.dto.js';
import type { ScimGroupMappingEntity } from './entities/scim-group-mapping.entity.js';
import { requireScim } from './require-scim.js';
import { ScimGroupMappingNotFound } from './scim.errors.js';
import { toAuditedMapping, toMappingResponse } from './scim.mapper.js';
import { MAPPINGS_QUOTA, type NewMappingRow, ScimRepository } from './scim.repository.js';

/**
 * The roles that groups of an identity provider give in workspaces. Whoever is in a mapped group is a member of the
 * workspace; the database sees to that whenever a group or a mapping changes (docs/adr/0010).
 */
@Injectable()
export class ScimService {
  constructor(
    private readonly repository: ScimRepository,
    private readonly organizations: OrganizationsService,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Gives the members of a group a role in a workspace (SERVICE.md, section 4.4).
   *
   * @throws ScimNotEnabled
   * @throws NotFoundError for a group or workspace that is not the organization's
   * @throws ConflictError when the pair is mapped already
   */
  async createMapping(
    caller: ManagementPrincipal,
    input: CreateScimGroupMappingRequest,
  ): Promise<CreateScimGroupMappingResponse> {
    await requireScim(this.organizations, caller.organizationId);
    await this.quotas.requireRoom(caller.organizationId, MAPPINGS_QUOTA);
    const row = {
      id: newUuid(),
      organizationId: caller.organizationId,
      scimGroupId: input.scim_group_id.toLowerCase(),
      workspaceId: input.workspace_id.toLowerCase(),
      role: input.role ?? 'member',
    } as const;
    const event = eventOf('create', row, created(toAuditedMapping(row)));
    return { data: toMappingResponse(await this.repository.insertMapping(row, caller, event)) };
  }

  /**
   * Lists the organization's mappings, oldest first (SERVICE.md, section 4.5).
   *
   * @throws ScimNotEnabled
   */
  async listMappings(caller: ManagementPrincipal, input: PageQuery): Promise<ListScimGroupMappingsResponse> {
    await requireScim(this.organizations, caller.organizationId);
    return toPageResponse(
      await this.repository.mappingsPage(caller.organizationId, windowOf(input)),
      toMappingResponse,
    );
  }

  /**
   * One mapping.
   *
   * @throws ScimNotEnabled
   * @throws ScimGroupMappingNotFound
   */
  async getMapping(caller: ManagementPrincipal, { id }: ScimGroupMappingPath): Promise<GetScimGroupMappingResponse> {
    await requireScim(this.organizations, caller.organizationId);
    const mapping = isUuid(id) ? await this.repository.findMapping(caller.organizationId, id) : undefined;
    if (mapping === undefined) throw new ScimGroupMappingNotFound();
    return { data: toMappingResponse(mapping) };
  }

  /**
   * Changes the role that a mapping gives, and so that of its members. The role that it has already changes nothing.
   *
   * @throws ScimNotEnabled
   * @throws ScimGroupMappingNotFound
   */
  async updateMapping(
    caller: ManagementPrincipal,
    { id, role }: ScimGroupMappingPath & UpdateScimGroupMappingRequest,
  ): Promise<UpdateScimGroupMappingResponse> {
    await requireScim(this.organizations, caller.organizationId);
    return this.statements.transactionOfAnySize(async (on) => {
      const before = await this.hold(on, caller, id);
      if (before.role === role) return { data: toMappingResponse(before) };
      const after = await this.repository.updateMapping(on, { ...before, role });
      const event = eventOf('update', after, updated(toAuditedMapping(before), toAuditedMapping(after)));
      await this.audit.record(on, caller.organizationId, caller, event);
      return { data: toMappingResponse(after) };
    });
  }

  /**
   * Deletes a mapping, and with it the memberships that come from it alone; unless they are to be kept, as if they had been
   * given by hand, with the role that the mapping gave.
   *
   * @throws ScimNotEnabled
   * @throws ScimGroupMappingNotFound
   */
  async deleteMapping(
    caller: ManagementPrincipal,
    { id, keep_members: keep }: ScimGroupMappingPath & DeleteScimGroupMappingQuery,
  ): Promise<DeleteScimGroupMappingResponse> {
    const { organizationId } = caller;
    await requireScim(this.organizations, organizationId);
    return this.statements.transactionOfAnySize(async (on) => {
      const mapping = await this.hold(on, caller, id);
      if (keep) await this.repository.keepMembers(on, organizationId, mapping.id);
      await this.repository.deleteMapping(on, organizationId, mapping.id);
      const event = eventOf('delete', mapping, { keep_members: { after: keep } });
      await this.audit.record(on, organizationId, caller, event);
      return { deleted: true };
    });
  }

  private async hold(
    on: StatementRunner,
    { organizationId }: ManagementPrincipal,
    id: string,
  ): Promise<ScimGroupMappingEntity> {
    const mapping = isUuid(id) ? await this.repository.holdMapping(on, organizationId, id) : undefined;
    if (mapping === undefined) throw new ScimGroupMappingNotFound();
    return mapping;
  }
}

function eventOf(verb: string, { id }: NewMappingRow, changes: AuditedChanges): AuditedEvent {
  return { action: `scim_group_mapping.${verb}`, target: { type: 'scim_group_mapping', id }, changes };
}
