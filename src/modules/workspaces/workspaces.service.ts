import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { newUuid } from '../../database/identifiers.js';
import { toPageResponse, windowOf } from '../../http/pagination/page.js';
import type { PageQuery } from '../../http/pagination/page-query.dto.js';
import type { MemberRole } from '../organizations/member-role.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import type { BudgetInterval } from './budget-interval.js';
import type { BudgetPath } from './dto/budget-path.dto.js';
import type { DeleteWorkspaceBudgetResponse } from './dto/delete-workspace-budget-response.dto.js';
import type { ListWorkspaceMembersResponse } from './dto/workspace-member.dto.js';
import type { WorkspacePath } from './dto/workspace-path.dto.js';
import type { WorkspaceEntity } from './entities/workspace.entity.js';
import { WorkspaceNotFound } from './workspaces.errors.js';
import { toImplicitMemberResponse, toMemberResponse } from './workspaces.mapper.js';
import { WorkspacesRepository } from './workspaces.repository.js';

/** A workspace to be made. */
export interface NewWorkspace {
  readonly name: string;
  readonly slug: string;
  readonly isDefault: boolean;
  readonly createdBy: string;
}

/** Workspaces, their members and their budgets. */
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
   * Removes the budget of an interval, if there is one (SERVICE.md, section 4.11).
   *
   * @throws WorkspaceNotFound
   */
  async deleteBudget(caller: ManagementPrincipal, input: BudgetPath): Promise<DeleteWorkspaceBudgetResponse> {
    const { id } = await this.get(caller.organizationId, input.id);
    await this.repository.deleteBudget(caller.organizationId, id, input.interval);
    return { deleted: true };
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

  /** The organization's default workspace; undefined once that is deleted. */
  async defaultWorkspaceId(organizationId: string): Promise<string | undefined> {
    return this.repository.defaultId(organizationId);
  }

  /** Makes a workspace. @returns its id */
  async create(manager: EntityManager, organizationId: string, workspace: NewWorkspace): Promise<string> {
    const id = newUuid();
    await this.repository.insert(manager, {
      ...workspace,
      id,
      organizationId,
      description: null,
      createdAt: new Date(),
      updatedAt: null,
    });
    return id;
  }

  /** Makes a member of the organization one of the workspace. */
  async addMember(
    manager: EntityManager,
    organizationId: string,
    workspaceId: string,
    userId: string,
    role: MemberRole,
  ): Promise<void> {
    const member = { id: newUuid(), organizationId, workspaceId, userId, role, createdAt: new Date() };
    await this.repository.insertMember(manager, member);
  }

  /** Sets what the workspace may spend in an interval, in US dollars. */
  async setBudget(
    manager: EntityManager,
    organizationId: string,
    workspaceId: string,
    interval: BudgetInterval,
    limitUsd: number,
  ): Promise<void> {
    const now = new Date();
    const budget = { id: newUuid(), organizationId, workspaceId, interval, limitUsd, createdAt: now, updatedAt: now };
    await this.repository.upsertBudget(manager, budget);
  }
}
