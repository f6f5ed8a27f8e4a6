import { joinPath } from '../../../http/errors/issue.js';
import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { type Transaction, Statements } from '../../../persistence/statements.js';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import type { AuditedChange } from '../../audit/audited-event.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import type {
  BulkAddWorkspaceMembersRequest,
  BulkAddWorkspaceMembersResponse,
  BulkRemoveWorkspaceMembersRequest,
  BulkRemoveWorkspaceMembersResponse,
} from './workspace-member.dto.js';
import type { WorkspacePath } from '../dto/workspace.dto.js';
import { WorkspaceMembersRepository } from './workspace-members.repository.js';
import { WorkspaceHooks } from '../workspace-hooks.js';
import { IMPLICIT_MEMBERS, SCIM_MANAGED, WorkspaceNotFound } from '../workspaces.errors.js';
import { toMemberResponse } from '../workspaces.mapper.js';
import { WorkspaceLookupService } from '../workspace-lookup.service.js';
import { requireNoIssues } from '../../../http/errors/require-all.js';

/** Manual memberships of workspaces. The scim module handles memberships from groups. */
@Injectable()
export class WorkspaceMembersService {
  constructor(
    private readonly repository: WorkspaceMembersRepository,
    private readonly workspaces: WorkspaceLookupService,
    private readonly organizations: OrganizationsService,
    private readonly hooks: WorkspaceHooks,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Adds members of the organization to a workspace, with their role in the organization. Manual members stay
   * unchanged; members from SCIM groups become manual members as well.
   *
   * @throws WorkspaceNotFound
   * @throws BadRequestError for the default workspace, and for users outside the organization; then no one is added
   */
  async add(
    caller: ManagementPrincipal,
    input: WorkspacePath & BulkAddWorkspaceMembersRequest,
  ): Promise<BulkAddWorkspaceMembersResponse> {
    const { organizationId } = caller;
    return this.changing(organizationId, input, async (tx, workspaceId, userIds) => {
      const roles = await this.organizations.requireRolesOf(tx, organizationId, input.user_ids, 'user_ids');
      const added = await this.repository.insert(tx, organizationId, workspaceId, roles);
      await this.record(tx, caller, workspaceId, 'add_members', added, (after) => ({ after }));
      await this.hooks.membershipsChanged(tx, caller, { organizationId, workspaceIds: [workspaceId], userIds: added });
      const members = await this.repository.membersAmong(tx, organizationId, workspaceId, userIds);
      const byUser = new Map(members.map((member) => [member.userId, member]));
      return {
        data: userIds.flatMap((userId) => byUser.get(userId) ?? []).map(toMemberResponse),
        added_count: added.length,
      };
    });
  }

  /**
   * Removes members from a workspace. Users who are not members are ignored. With `suspend_keys` the keys of those who are removed are suspended
   * until they are members again (docs/interface/keys-and-oauth.md#suspended-keys).
   *
   * @throws WorkspaceNotFound
   * @throws BadRequestError for the default workspace, and for a member who cannot be removed; then no one is removed
   */
  async remove(
    caller: ManagementPrincipal,
    input: WorkspacePath & BulkRemoveWorkspaceMembersRequest,
  ): Promise<BulkRemoveWorkspaceMembersResponse> {
    const { organizationId } = caller;
    const suspends = input.suspend_keys === true;
    return this.changing(organizationId, input, async (tx, workspaceId, userIds) => {
      const members = await this.repository.membersAmong(tx, organizationId, workspaceId, userIds);
      const managed = members.filter(({ scimRole }) => scimRole !== null);
      const issuesByUser = [
        new Map(managed.map(({ userId }) => [userId, SCIM_MANAGED])),
        ...(suspends ? [] : await this.hooks.memberRemovalIssues(tx, { organizationId, id: workspaceId }, userIds)),
      ];
      const issues = input.user_ids.flatMap((userId, index) =>
        issuesByUser
          .flatMap((byUser) => byUser.get(userId) ?? [])
          .map((issue) => issue.at(joinPath('user_ids', index))),
      );
      requireNoIssues(issues);
      const removed = await this.repository.delete(tx, organizationId, workspaceId, userIds);
      await this.record(tx, caller, workspaceId, 'remove_members', removed, (before) => ({ before }));
      const changed = { organizationId, workspaceIds: [workspaceId], userIds: removed };
      if (suspends) await this.hooks.membershipsChanged(tx, caller, changed);
      return { removed_count: removed.length };
    });
  }

  /** Runs a change of members under a lock of the workspace. @param work gets each user once */
  private async changing<T>(
    organizationId: string,
    { id: reference, user_ids: named }: WorkspacePath & BulkAddWorkspaceMembersRequest,
    work: (tx: Transaction, workspaceId: string, userIds: readonly string[]) => Promise<T>,
  ): Promise<T> {
    const { id, isDefault } = await this.workspaces.get(organizationId, reference);
    if (isDefault) throw BadRequestError.of([IMPLICIT_MEMBERS.at('id')]);
    return this.statements.transaction(async (tx) => {
      if (!(await this.repository.lockForNoKeyUpdate(tx, organizationId, id))) throw new WorkspaceNotFound();
      return work(tx, id, [...new Set(named)]);
    });
  }

  private async record(
    tx: Transaction,
    caller: ManagementPrincipal,
    workspaceId: string,
    verb: string,
    userIds: readonly string[],
    change: (userIds: readonly string[]) => AuditedChange,
  ): Promise<void> {
    if (userIds.length === 0) return;
    const event = { action: `workspace.${verb}`, targetId: workspaceId, changes: { user_ids: change(userIds) } };
    await this.audit.record(tx, caller.organizationId, caller, event);
  }
}
