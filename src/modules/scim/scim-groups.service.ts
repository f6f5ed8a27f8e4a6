import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { isUuid, newUuid } from '../../persistence/identifiers.js';
import { type Transaction, Statements } from '../../persistence/statements.js';
import { type PageQuery, toPageRequest, toPageResponse } from '../../http/pagination/pagination.js';
import { type Actor, AuditTrail } from '../audit/audit-trail.js';
import { type AuditedChange, type AuditedChanges, type AuditedEvent, created } from '../audit/audited-event.js';
import type { OneMember } from '../organizations/members/member-hooks.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { WorkspaceHooks } from '../workspaces/workspace-hooks.js';
import type {
  ListScimGroupMembersQuery,
  ListScimGroupMembersResponse,
  ListScimGroupsResponse,
  ScimGroupPath,
} from './dto/scim.dto.js';
import { requireScim } from './require-scim.js';
import { ScimGroupNotFound } from './scim.errors.js';
import { toGroupMemberResponse, toGroupResponse } from './scim.mapper.js';
import { type ScimGroupOverview, ScimGroupsRepository } from './scim-groups.repository.js';

export type { ScimGroupOverview };

/** A group as an identity provider pushes it. */
export interface NewScimGroup {
  readonly displayName: string;
  /** The identity provider's id of the group. */
  readonly externalId: string | null;
}

/** Users who join a group, and users who leave it. */
interface MembersToWrite {
  readonly joining?: readonly string[];
  readonly leaving?: readonly string[];
}

/**
 * Provisions the groups of an identity provider and their members. Triggers update the memberships of mapped
 * workspaces (docs/adr/0010).
 */
@Injectable()
export class ScimGroupsService {
  constructor(
    private readonly repository: ScimGroupsRepository,
    private readonly organizations: OrganizationsService,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly hooks: WorkspaceHooks,
  ) {}

  /**
   * Lists the groups that the identity provider has pushed, oldest first.
   *
   * @throws ScimNotEnabled
   */
  async list(caller: ManagementPrincipal, input: PageQuery): Promise<ListScimGroupsResponse> {
    await requireScim(this.organizations, caller.organizationId);
    return toPageResponse(await this.repository.page(caller.organizationId, toPageRequest(input)), toGroupResponse);
  }

  /**
   * Lists the members of a group, deactivated ones too.
   *
   * @throws ScimNotEnabled
   * @throws ScimGroupNotFound also for an id that is not a UUID
   */
  async listMembers(
    { organizationId }: ManagementPrincipal,
    { id, ...page }: ScimGroupPath & ListScimGroupMembersQuery,
  ): Promise<ListScimGroupMembersResponse> {
    await requireScim(this.organizations, organizationId);
    const group = isUuid(id) ? await this.repository.find(organizationId, id) : undefined;
    if (group === undefined) throw new ScimGroupNotFound();
    const members = await this.repository.membersPage(organizationId, group.id, toPageRequest(page));
    return toPageResponse(members, toGroupMemberResponse);
  }

  /** Every group, oldest first, for an operator: also of an organization that has SCIM no more. */
  async all(organizationId: string): Promise<ScimGroupOverview[]> {
    return this.repository.overview(this.statements, organizationId);
  }

  /** Creates a group without members. @returns its id */
  async add(actor: Actor, organizationId: string, { displayName, externalId }: NewScimGroup): Promise<string> {
    const id = newUuid();
    return this.statements.transaction(async (tx) => {
      await this.repository.insert(tx, { id, organizationId, displayName, externalId });
      const changes = created({ display_name: displayName, external_id: externalId });
      await this.audit.record(tx, organizationId, actor, eventOf('create', id, changes));
      return id;
    });
  }

  /**
   * Deletes a group, its mappings, and the memberships that come from it only.
   *
   * @throws ScimGroupNotFound
   */
  async remove(actor: Actor, organizationId: string, id: string): Promise<void> {
    await this.statements.bulk.transaction(async (tx) => {
      if (!isUuid(id) || !(await this.repository.lockForUpdate(tx, organizationId, id))) throw new ScimGroupNotFound();
      const userIds = await this.repository.usersOf(tx, organizationId, id);
      const workspaceIds = await this.repository.workspacesOf(tx, organizationId, id);
      await this.repository.delete(tx, organizationId, id);
      await this.audit.record(tx, organizationId, actor, eventOf('delete', id, {}));
      await this.hooks.membershipsChanged(tx, actor, { organizationId, workspaceIds, userIds });
    });
  }

  /**
   * Adds members of the organization to a group, deactivated or not; existing members stay.
   *
   * @returns the number of new members
   * @throws ScimGroupNotFound
   * @throws BadRequestError that names each user who is not a member of the organization; then no one is added
   */
  async addMembers(actor: Actor, organizationId: string, id: string, userIds: readonly string[]): Promise<number> {
    return this.statements.bulk.transaction(async (tx) => {
      await this.hold(tx, organizationId, id);
      await this.organizations.requireMembersOrDeactivated(tx, organizationId, userIds, 'user_ids');
      return (await this.writeMembers(tx, actor, organizationId, id, { joining: userIds })).joined;
    });
  }

  /**
   * Puts a member into the groups that an identity provider names at a sign-in, by their external ids or names, and takes them out of all
   * others. Groups that do not exist are none. Nothing happens where a directory decides about the member.
   */
  async putInto(
    tx: Transaction,
    actor: Actor,
    { organizationId, userId }: OneMember,
    names: readonly string[],
  ): Promise<void> {
    if (await this.repository.isProvisioned(tx, organizationId, userId)) return;
    for (const { id, isNamed } of await this.repository.misplaced(tx, organizationId, userId, names)) {
      // It may have been deleted since.
      if (!(await this.repository.lockForNoKeyUpdate(tx, organizationId, id))) continue;
      await this.writeMembers(tx, actor, organizationId, id, isNamed ? { joining: [userId] } : { leaving: [userId] });
    }
  }

  /**
   * Removes users from a group; others are ignored.
   *
   * @returns the number of removed members
   * @throws ScimGroupNotFound
   */
  async removeMembers(actor: Actor, organizationId: string, id: string, userIds: readonly string[]): Promise<number> {
    return this.statements.bulk.transaction(async (tx) => {
      await this.hold(tx, organizationId, id);
      return (await this.writeMembers(tx, actor, organizationId, id, { leaving: userIds })).left;
    });
  }

  /**
   * Writes who joins a group and who leaves it. Each is recorded, and what depends on memberships follows.
   *
   * @param tx holds the group
   * @returns how many were not in it, and how many were
   */
  async writeMembers(
    tx: Transaction,
    actor: Actor,
    organizationId: string,
    id: string,
    { joining = [], leaving = [] }: MembersToWrite,
  ): Promise<{ readonly joined: number; readonly left: number }> {
    const record = async (verb: string, change: AuditedChange): Promise<void> =>
      this.audit.record(tx, organizationId, actor, eventOf(verb, id, { user_ids: change }));
    const joined = joining.length === 0 ? [] : await this.repository.insertMembers(tx, organizationId, id, joining);
    if (joined.length > 0) await record('add_members', { after: joined });
    const left = leaving.length === 0 ? [] : await this.repository.deleteMembers(tx, organizationId, id, leaving);
    if (left.length > 0) await record('remove_members', { before: left });
    const userIds = [...joined, ...left];
    if (userIds.length > 0) {
      const workspaceIds = await this.repository.workspacesOf(tx, organizationId, id);
      await this.hooks.membershipsChanged(tx, actor, { organizationId, workspaceIds, userIds });
    }
    return { joined: joined.length, left: left.length };
  }

  private async hold(tx: Transaction, organizationId: string, id: string): Promise<void> {
    if (!isUuid(id) || !(await this.repository.lockForNoKeyUpdate(tx, organizationId, id)))
      throw new ScimGroupNotFound();
  }
}

function eventOf(verb: string, id: string, changes: AuditedChanges): AuditedEvent {
  return { action: `scim_group.${verb}`, targetId: id, changes };
}
