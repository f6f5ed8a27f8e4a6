import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { newUuid } from '../../database/identifiers.js';
import type { ReasonedIssue } from '../../http/errors/issue.js';
import { toPageResponse, windowOf } from '../../http/pagination/page.js';
import type { PageQuery } from '../../http/pagination/page-query.dto.js';
import type { MemberRole } from '../organizations/member-role.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import type { ListWorkspaceMembersResponse } from './dto/workspace-member.dto.js';
import type { WorkspacePath } from './dto/workspace-path.dto.js';
import type { WorkspaceEntity } from './entities/workspace.entity.js';
import { type NewWorkspace, newWorkspaceRow } from './new-workspace.js';
import { NO_DEFAULT_WORKSPACE, UNKNOWN_WORKSPACE, WorkspaceNotFound } from './workspaces.errors.js';
import { toImplicitMemberResponse, toMemberResponse } from './workspaces.mapper.js';
import { WorkspacesRepository } from './workspaces.repository.js';

/** Workspaces and their members, as everybody asks for them. */
@Injectable()
export class WorkspacesService {
  constructor(
    private readonly repository: WorkspacesRepository,
    private readonly organizations: OrganizationsService,
  ) {}

  /**
   * Lists the members of a workspace, oldest first (SERVICE.md, section 4.9). Everybody in the organization is a member
   * of its default workspace.
   *
   * @throws WorkspaceNotFound
   */
  async listMembers(
    caller: ManagementPrincipal,
    input: WorkspacePath & PageQuery,
  ): Promise<ListWorkspaceMembersResponse> {
    const { organizationId } = caller;
    const { id, isDefault } = await this.get(organizationId, input.id);
    if (isDefault) {
      const page = await this.organizations.membersPage(organizationId, windowOf(input));
      return toPageResponse(page, (member) => toImplicitMemberResponse(member, id));
    }
    return toPageResponse(await this.repository.membersPage(organizationId, id, windowOf(input)), toMemberResponse);
  }

  /**
   * A workspace of the organization.
   *
   * @param reference its id or its slug
   * @throws WorkspaceNotFound
   */
  async get(organizationId: string, reference: string): Promise<WorkspaceEntity> {
    const workspace = await this.repository.find(organizationId, reference);
    if (workspace === undefined) throw new WorkspaceNotFound();
    return workspace;
  }

  /** Whether the organization has a workspace of this id. */
  async has(organizationId: string, workspaceId: string): Promise<boolean> {
    return (await this.repository.find(organizationId, workspaceId)) !== undefined;
  }

  /**
   * The workspace that something is made in.
   *
   * @param requested the one that the request names; undefined for the default one
   * @returns its id, or what is wrong with the request
   */
  async idFor(organizationId: string, requested: string | undefined): Promise<string | ReasonedIssue> {
    if (requested === undefined) return (await this.defaultWorkspaceId(organizationId)) ?? NO_DEFAULT_WORKSPACE;
    return (await this.has(organizationId, requested)) ? requested.toLowerCase() : UNKNOWN_WORKSPACE;
  }

  /** The organization's default workspace; undefined once that is deleted. */
  async defaultWorkspaceId(organizationId: string): Promise<string | undefined> {
    return this.repository.defaultId(organizationId);
  }

  /** Makes a workspace. @returns its id */
  async create(manager: EntityManager, organizationId: string, workspace: NewWorkspace): Promise<string> {
    const row = newWorkspaceRow(organizationId, workspace);
    await this.repository.insert(manager, row);
    return row.id;
  }

  /** Makes a member of the organization one of the workspace, by hand. */
  async addMember(
    manager: EntityManager,
    organizationId: string,
    workspaceId: string,
    userId: string,
    role: MemberRole,
  ): Promise<void> {
    const sources = { role, manualRole: role, scimRole: null };
    const member = { id: newUuid(), organizationId, workspaceId, userId, ...sources };
    await this.repository.insertMember(manager, member);
  }
}
