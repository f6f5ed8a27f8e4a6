import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { type Transaction, Statements } from '../../persistence/statements.js';
import { toPageRequest, toPageResponse } from '../../http/pagination/pagination.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { Quotas } from '../organization-limits/quotas.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { created, deleted, updated } from '../audit/audited-event.js';
import type {
  CreateWorkspaceRequest,
  CreateWorkspaceResponse,
  DeleteWorkspaceQuery,
  DeleteWorkspaceResponse,
  GetWorkspaceResponse,
  ListWorkspacesQuery,
  ListWorkspacesResponse,
  UpdateWorkspaceRequest,
  UpdateWorkspaceResponse,
  WorkspacePath,
} from './dto/workspace.dto.js';
import type { ListWorkspaceMembersQuery, ListWorkspaceMembersResponse } from './members/workspace-member.dto.js';
import type { WorkspaceEntity } from './entities/workspace.entity.js';
import { newWorkspaceRow } from './new-workspace.js';
import { WorkspaceHooks } from './workspace-hooks.js';
import { DELETION_NOT_CONFIRMED, WorkspaceNotFound } from './workspaces.errors.js';
import {
  tagOfWorkspace,
  toMemberResponse,
  toSettings,
  toWorkspaceResponse,
  withSettings,
} from './workspaces.mapper.js';
import { WORKSPACES_QUOTA, WorkspacesRepository } from './workspaces.repository.js';
import { WorkspaceLookupService } from './workspace-lookup.service.js';
import { withEntityTag } from '../../http/entity-tags.js';
import { Precondition } from '../../http/precondition.js';
import { requireNoIssues } from '../../http/errors/require-all.js';

/** Lists, creates, changes and deletes workspaces. */
@Injectable()
export class WorkspacesService {
  constructor(
    private readonly workspaces: WorkspaceLookupService,
    private readonly repository: WorkspacesRepository,
    private readonly organizations: OrganizationsService,
    private readonly hooks: WorkspaceHooks,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly quotas: Quotas,
  ) {}

  /** Lists the workspaces that the caller sees, oldest first. */
  async list(caller: ManagementPrincipal, input: ListWorkspacesQuery): Promise<ListWorkspacesResponse> {
    const { organizationId, userId, onlyOwn } = caller;
    const window = toPageRequest(input);
    const page = onlyOwn
      ? this.repository.pageOfMember(organizationId, userId, window)
      : this.repository.page(organizationId, window);
    return toPageResponse(await page, toWorkspaceResponse);
  }

  /**
   * Lists the members of a workspace, oldest first (docs/interface/workspaces-and-budgets.md#members). All members of the
   * organization are members of its default workspace.
   *
   * @throws WorkspaceNotFound
   */
  async listMembers(
    caller: ManagementPrincipal,
    input: WorkspacePath & ListWorkspaceMembersQuery,
  ): Promise<ListWorkspaceMembersResponse> {
    const { organizationId } = caller;
    const { id, isDefault } = await this.workspaces.get(organizationId, input.id);
    if (isDefault) {
      const page = await this.organizations.membersPage(organizationId, toPageRequest(input));
      return toPageResponse(page, (member) => toMemberResponse({ ...member, workspaceId: id }));
    }
    return toPageResponse(
      await this.repository.membersPage(organizationId, id, toPageRequest(input)),
      toMemberResponse,
    );
  }

  /** @throws WorkspaceNotFound */
  async read(caller: ManagementPrincipal, input: WorkspacePath): Promise<GetWorkspaceResponse> {
    const workspace = await this.workspaces.get(caller.organizationId, input.id);
    if (!(await this.workspaces.isSeenBy(caller, workspace.id))) throw new WorkspaceNotFound();
    return shown(workspace);
  }

  /**
   * Creates a workspace without members; the creator is not a member either.
   *
   * @throws BadRequestError for defaults that mean nothing
   * @throws WorkspaceSlugTaken where the organization has a workspace of this slug
   */
  async create(caller: ManagementPrincipal, input: CreateWorkspaceRequest): Promise<CreateWorkspaceResponse> {
    const { organizationId, userId } = caller;
    requireNoIssues(await this.hooks.defaultsIssues(input));
    await this.quotas.requireBelowQuota(organizationId, WORKSPACES_QUOTA);
    const { name, slug } = input;
    const row = newWorkspaceRow(organizationId, { name, slug, isDefault: false, createdBy: userId });
    const workspace = await this.statements.transaction(async (tx) => {
      const added = await this.repository.insert(tx, withSettings(row, input));
      const event = { action: 'workspace.create', targetId: added.id, changes: created(toSettings(added)) };
      await this.audit.record(tx, organizationId, caller, event);
      return added;
    });
    return shown(workspace);
  }

  /**
   * Changes the fields in the request. Without a change nothing is written or recorded.
   *
   * @throws WorkspaceNotFound
   * @throws BadRequestError for other defaults than before that mean nothing
   * @throws WorkspaceSlugTaken where another workspace of the organization has the slug
   */
  async update(
    caller: ManagementPrincipal,
    { id: reference, ...input }: WorkspacePath & UpdateWorkspaceRequest,
    precondition = Precondition.NONE,
  ): Promise<UpdateWorkspaceResponse> {
    const issues = await this.hooks.defaultsIssues(input);
    const workspace = await this.statements.transaction(async (tx) => {
      const before = await this.locked(tx, caller, reference);
      precondition.require(tagOfWorkspace(before));
      const after = withSettings(before, input);
      const changes = updated(toSettings(before), toSettings(after));
      // What the workspace has already stays, whatever has become of it.
      requireNoIssues(issues.filter(({ path }) => path in changes));
      if (Object.keys(changes).length === 0) return before;
      const changed = await this.repository.update(tx, after);
      const event = { action: 'workspace.update', targetId: before.id, changes };
      await this.audit.record(tx, before.organizationId, caller, event);
      return changed;
    });
    return shown(workspace);
  }

  /**
   * Deletes a workspace with everything in it, unless it has active keys. The lock keeps other requests from adding to
   * it.
   *
   * @throws WorkspaceNotFound
   * @throws BadRequestError if it has active keys, and for the default workspace without confirmation
   */
  async delete(
    caller: ManagementPrincipal,
    input: WorkspacePath & DeleteWorkspaceQuery,
    precondition = Precondition.NONE,
  ): Promise<DeleteWorkspaceResponse> {
    await this.statements.bulk.transaction(async (tx) => {
      const workspace = await this.locked(tx, caller, input.id);
      precondition.require(tagOfWorkspace(workspace));
      const { organizationId, id, isDefault } = workspace;
      const isConfirmed = !isDefault || input.confirm_default_workspace_deletion === true;
      requireNoIssues([
        ...(isConfirmed ? [] : [DELETION_NOT_CONFIRMED.at('confirm_default_workspace_deletion')]),
        ...(await this.hooks.deletionIssues(tx, workspace)),
      ]);
      const removed = await this.hooks.beforeDelete(tx, workspace);
      await this.repository.delete(tx, organizationId, id);
      const changes = deleted({ ...toSettings(workspace), ...removed });
      await this.audit.record(tx, organizationId, caller, { action: 'workspace.delete', targetId: id, changes });
    });
    return { deleted: true };
  }

  private async locked(
    tx: Transaction,
    { organizationId }: ManagementPrincipal,
    reference: string,
  ): Promise<WorkspaceEntity> {
    const workspace = await this.repository.lockForUpdate(tx, organizationId, reference);
    if (workspace === undefined) throw new WorkspaceNotFound();
    return workspace;
  }
}

function shown(workspace: WorkspaceEntity): GetWorkspaceResponse {
  return withEntityTag({ data: toWorkspaceResponse(workspace) }, tagOfWorkspace(workspace));
}
