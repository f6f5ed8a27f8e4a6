import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { newUuid } from '../../database/identifiers.js';
import { toPageResponse, windowOf } from '../../http/pagination/page.js';
import type { PageQuery } from '../../http/pagination/page-query.dto.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import type { CreateScimGroupMappingRequest } from './dto/create-scim-group-mapping-request.dto.js';
import type { CreateScimGroupMappingResponse, ListScimGroupMappingsResponse } from './dto/scim-group-mapping.dto.js';
import { ScimNotEnabled } from './scim.errors.js';
import { toMappingResponse } from './scim.mapper.js';
import { ScimRepository } from './scim.repository.js';

/** Groups of an identity provider, and the roles that they give in workspaces. */
@Injectable()
export class ScimService {
  constructor(
    private readonly repository: ScimRepository,
    private readonly organizations: OrganizationsService,
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
    await this.requireScim(caller);
    const now = new Date();
    const mapping = {
      id: newUuid(),
      organizationId: caller.organizationId,
      scimGroupId: input.scim_group_id.toLowerCase(),
      workspaceId: input.workspace_id.toLowerCase(),
      role: input.role ?? 'member',
      createdAt: now,
      updatedAt: now,
    };
    await this.repository.insertMapping(mapping);
    return { data: toMappingResponse(mapping) };
  }

  /**
   * Lists the organization's mappings, oldest first (SERVICE.md, section 4.5).
   *
   * @throws ScimNotEnabled
   */
  async listMappings(caller: ManagementPrincipal, input: PageQuery): Promise<ListScimGroupMappingsResponse> {
    await this.requireScim(caller);
    return toPageResponse(
      await this.repository.mappingsPage(caller.organizationId, windowOf(input)),
      toMappingResponse,
    );
  }

  /** Makes a group, as an identity provider would push it. @returns its id */
  async addGroup(
    manager: EntityManager,
    organizationId: string,
    displayName: string,
    externalId: string | null,
  ): Promise<string> {
    const id = newUuid();
    const now = new Date();
    const group = { id, organizationId, displayName, externalId, createdAt: now, updatedAt: now };
    await this.repository.insertGroup(manager, group);
    return id;
  }

  private async requireScim({ organizationId }: ManagementPrincipal): Promise<void> {
    if (!(await this.organizations.isScimEnabled(organizationId))) throw new ScimNotEnabled();
  }
}
