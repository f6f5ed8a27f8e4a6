import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { type StatementRunner, Statements } from '../../database/statements.js';
import { BadRequestError } from '../../http/errors/domain-error.js';
import { AuditTrail } from '../audit/audit-trail.js';
import type { AuditedChange, AuditedEvent } from '../audit/audited-event.js';
import { unknownMember } from '../organizations/organizations.errors.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import type {
  BulkAddWorkspaceMembersRequest,
  BulkAddWorkspaceMembersResponse,
  BulkRemoveWorkspaceMembersRequest,
  BulkRemoveWorkspaceMembersResponse,
} from './dto/bulk-workspace-members.dto.js';
import type { WorkspacePath } from './dto/workspace-path.dto.js';
import { SCIM_MANAGED, unremovableMember } from './workspace-members.errors.js';
import { WorkspaceMembersRepository } from './workspace-members.repository.js';
import { WorkspaceTenants } from './workspace-tenants.js';
import { IMPLICIT_MEMBERS, WorkspaceNotFound } from './workspaces.errors.js';
import { toMemberResponse } from './workspaces.mapper.js';
import { WorkspacesService } from './workspaces.service.js';

/** Who is a member of a workspace by hand. What mapped groups give is left to the scim module. */
@Injectable()
export class WorkspaceMembersService {
  constructor(
    private readonly repository: WorkspaceMembersRepository,
    private readonly workspaces: WorkspacesService,
    private readonly organizations: OrganizationsService,
    private readonly tenants: WorkspaceTenants,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Adds members of the organization to a workspace, with the role that they have in the organization. Whoever is a member
   * by hand already stays as is; whoever is one by mapped groups alone becomes one by hand as well.
   *
   * @throws WorkspaceNotFound
   * @throws BadRequestError for the default workspace, and for users who are not the organization's; then nobody is added
   */
  async add(
    caller: ManagementPrincipal,
    input: WorkspacePath & BulkAddWorkspaceMembersRequest,
  ): Promise<BulkAddWorkspaceMembersResponse> {
    const { organizationId } = caller;
    return this.changing(organizationId, input, async (on, workspaceId, userIds) => {
      const roles = await this.organizations.rolesOf(on, organizationId, userIds);
      const isKnown = (userId: string): boolean => roles.has(userId);
      const faults = input.user_ids.flatMap((id, index) => (isKnown(id) ? [] : [unknownMember('user_ids', index)]));
      if (faults.length > 0) throw BadRequestError.of(faults);
      const added = await this.repository.add(on, organizationId, workspaceId, roles);
      await this.record(on, caller, workspaceId, 'add_members', added, (after) => ({ after }));
      const members = await this.repository.membersAmong(on, organizationId, workspaceId, userIds);
      const byUser = new Map(members.map((member) => [member.userId, member]));
      return {
        data: userIds.flatMap((userId) => byUser.get(userId) ?? []).map(toMemberResponse),
        added_count: added.length,
      };
    });
  }

  /**
   * Removes members from a workspace. Users who are no members do not matter.
   *
   * @throws WorkspaceNotFound
   * @throws BadRequestError for the default workspace, and where somebody must stay; then nobody is removed
   */
  async remove(
    caller: ManagementPrincipal,
    input: WorkspacePath & BulkRemoveWorkspaceMembersRequest,
  ): Promise<BulkRemoveWorkspaceMembersResponse> {
    const { organizationId } = caller;
    return this.changing(organizationId, input, async (on, workspaceId, userIds) => {
      const members = await this.repository.membersAmong(on, organizationId, workspaceId, userIds);
      const managed = members.filter(({ scimRole }) => scimRole !== null);
      const objections = [
        new Map(managed.map(({ userId }) => [userId, SCIM_MANAGED])),
        ...(await this.tenants.memberObjections(on, { organizationId, id: workspaceId }, userIds)),
      ];
      const faults = input.user_ids.flatMap((userId, index) =>
        objections
          .flatMap((byUser) => byUser.get(userId) ?? [])
          .map((objection) => unremovableMember(index, objection)),
      );
      if (faults.length > 0) throw BadRequestError.of(faults);
      const removed = await this.repository.remove(on, organizationId, workspaceId, userIds);
      await this.record(on, caller, workspaceId, 'remove_members', removed, (before) => ({ before }));
      return { removed_count: removed.length };
    });
  }

  /** Does what changes the members of a workspace, while nobody else does. @param work gets each user once */
  private async changing<T>(
    organizationId: string,
    { id: reference, user_ids: named }: WorkspacePath & BulkAddWorkspaceMembersRequest,
    work: (on: StatementRunner, workspaceId: string, userIds: readonly string[]) => Promise<T>,
  ): Promise<T> {
    const { id, isDefault } = await this.workspaces.get(organizationId, reference);
    if (isDefault) throw BadRequestError.of([IMPLICIT_MEMBERS]);
    return this.statements.transaction(async (on) => {
      if (!(await this.repository.hold(on, organizationId, id))) throw new WorkspaceNotFound();
      return work(on, id, [...new Set(named)]);
    });
  }

  private async record(
    on: StatementRunner,
    caller: ManagementPrincipal,
    workspaceId: string,
    verb: string,
    userIds: readonly string[],
    change: (userIds: readonly string[]) => AuditedChange,
  ): Promise<void> {
    if (userIds.length === 0) return;
    const event: AuditedEvent = {
      action: `workspace.${verb}`,
      target: { type: 'workspace', id: workspaceId },
      changes: { user_ids: change(userIds) },
    };
    await this.audit.record(on, caller.organizationId, caller, event);
  }
}
