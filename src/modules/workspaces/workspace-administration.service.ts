import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { type StatementRunner, Statements } from '../../database/statements.js';
import { BadRequestError } from '../../http/errors/domain-error.js';
import { toPageResponse, windowOf } from '../../http/pagination/page.js';
import type { PageQuery } from '../../http/pagination/page-query.dto.js';
import { Quotas } from '../../limits/quotas.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { created, deleted, updated } from '../audit/audited-event.js';
import type { DeleteWorkspaceQuery, DeleteWorkspaceResponse } from './dto/delete-workspace.dto.js';
import type { WorkspacePath } from './dto/workspace-path.dto.js';
import type { CreateWorkspaceRequest, UpdateWorkspaceRequest } from './dto/workspace-request.dto.js';
import type {
  CreateWorkspaceResponse,
  GetWorkspaceResponse,
  ListWorkspacesResponse,
  UpdateWorkspaceResponse,
} from './dto/workspace.dto.js';
import type { WorkspaceEntity } from './entities/workspace.entity.js';
import { newWorkspaceRow } from './new-workspace.js';
import { WorkspaceTenants } from './workspace-tenants.js';
import { DELETION_NOT_CONFIRMED, WorkspaceNotFound } from './workspaces.errors.js';
import { toSettings, toWorkspaceResponse, withSettings } from './workspaces.mapper.js';
import { WORKSPACES_QUOTA, WorkspacesRepository } from './workspaces.repository.js';
import { WorkspacesService } from './workspaces.service.js';

/** Lists, makes, changes and deletes workspaces. */
@Injectable()
export class WorkspaceAdministrationService {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly repository: WorkspacesRepository,
    private readonly tenants: WorkspaceTenants,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly quotas: Quotas,
  ) {}

  /** Lists the organization's workspaces, oldest first. */
  async list({ organizationId }: ManagementPrincipal, input: PageQuery): Promise<ListWorkspacesResponse> {
    return toPageResponse(await this.repository.page(organizationId, windowOf(input)), toWorkspaceResponse);
  }

  /** @throws WorkspaceNotFound */
  async read({ organizationId }: ManagementPrincipal, input: WorkspacePath): Promise<GetWorkspaceResponse> {
    return { data: toWorkspaceResponse(await this.workspaces.get(organizationId, input.id)) };
  }

  /**
   * Makes a workspace. Nobody is a member of it, not even who made it: members are added, or mapped from groups.
   *
   * @throws ConflictError where the organization has a workspace of this slug
   */
  async create(caller: ManagementPrincipal, input: CreateWorkspaceRequest): Promise<CreateWorkspaceResponse> {
    const { organizationId, userId } = caller;
    await this.quotas.requireRoom(organizationId, WORKSPACES_QUOTA);
    const { name, slug } = input;
    const row = newWorkspaceRow(organizationId, { name, slug, isDefault: false, createdBy: userId });
    const workspace = await this.statements.transaction(async (on) => {
      const added = await this.repository.add(on, withSettings(row, input));
      await this.audit.record(on, organizationId, caller, {
        action: 'workspace.create',
        target: { type: 'workspace', id: added.id },
        changes: created(toSettings(added)),
      });
      return added;
    });
    return { data: toWorkspaceResponse(workspace) };
  }

  /**
   * Changes what the request names, of any workspace. Where that is what it was, nothing is written or recorded.
   *
   * @throws WorkspaceNotFound
   * @throws ConflictError where another workspace of the organization has the slug
   */
  async update(
    caller: ManagementPrincipal,
    { id: reference, ...input }: WorkspacePath & UpdateWorkspaceRequest,
  ): Promise<UpdateWorkspaceResponse> {
    const workspace = await this.statements.transaction(async (on) => {
      const before = await this.locked(on, caller, reference);
      const after = withSettings(before, input);
      const changes = updated(toSettings(before), toSettings(after));
      if (Object.keys(changes).length === 0) return before;
      const changed = await this.repository.update(on, after);
      const target = { type: 'workspace', id: before.id };
      await this.audit.record(on, before.organizationId, caller, { action: 'workspace.update', target, changes });
      return changed;
    });
    return { data: toWorkspaceResponse(workspace) };
  }

  /**
   * Deletes a workspace with everything in it, unless a module objects: keys do while any of them is active. Nothing can be
   * put into it meanwhile.
   *
   * @throws WorkspaceNotFound
   * @throws BadRequestError where it must stay, and for the default workspace without confirmation
   */
  async delete(
    caller: ManagementPrincipal,
    input: WorkspacePath & DeleteWorkspaceQuery,
  ): Promise<DeleteWorkspaceResponse> {
    await this.statements.transactionOfAnySize(async (on) => {
      const workspace = await this.locked(on, caller, input.id);
      const { organizationId, id, isDefault } = workspace;
      const isConfirmed = !isDefault || input.confirm_default_workspace_deletion === true;
      const faults = [
        ...(isConfirmed ? [] : [DELETION_NOT_CONFIRMED]),
        ...(await this.tenants.objections(on, workspace)),
      ];
      if (faults.length > 0) throw BadRequestError.of(faults);
      const removed = await this.tenants.leave(on, workspace);
      await this.repository.delete(on, organizationId, id);
      await this.audit.record(on, organizationId, caller, {
        action: 'workspace.delete',
        target: { type: 'workspace', id },
        changes: deleted({ ...toSettings(workspace), ...removed }),
      });
    });
    return { deleted: true };
  }

  private async locked(
    on: StatementRunner,
    { organizationId }: ManagementPrincipal,
    reference: string,
  ): Promise<WorkspaceEntity> {
    const workspace = await this.repository.lock(on, organizationId, reference);
    if (workspace === undefined) throw new WorkspaceNotFound();
    return workspace;
  }
}
