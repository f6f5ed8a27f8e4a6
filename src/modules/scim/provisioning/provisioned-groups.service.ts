import { Injectable } from '@nestjs/common';
import { isUuid, newUuid } from '../../../persistence/identifiers.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import type { MediaAnswer } from '../../../http/media-answer.js';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { type Actor, AuditTrail } from '../../audit/audit-trail.js';
import { created, updated } from '../../audit/audited-event.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import type { ScimGroupEntity } from '../entities/scim-group.entity.js';
import { ScimGroupNotFound } from '../scim.errors.js';
import { ScimGroupsRepository } from '../scim-groups.repository.js';
import { ScimGroupsService } from '../scim-groups.service.js';
import { type GroupChange, groupChangeOf, readGroupDocument } from './group-document.js';
import { isAskedFor, isShown, narrowed, readListRequest, readView, type View } from './list-request.js';
import { memberChangeOf } from './member-steps.js';
import { patchOperationsOf } from './patch-path.js';
import { type GroupMember, ProvisionedGroupsRepository } from './provisioned-groups.repository.js';
import { AttributeTaken, INVALID_VALUE, ResourceNotFound } from './provisioning.errors.js';
import { requireProvisioning, requireVersion } from './request-checks.js';
import { listResponse, scimAnswer } from './scim-answer.js';
import type { ScimCall } from './scim-base.js';
import { GROUP_SCHEMA } from './scim-path.js';
import { ScimUsersRepository } from './scim-users.repository.js';

/** The most operations of a PATCH of a group: Okta sends one for each member. */
const MAXIMUM_OPERATIONS = 10_000;

/** How many unknown members an answer names. */
const NAMED_UNKNOWN = 10;

/**
 * The groups that the directory of an organization pushes (docs/interface/scim-provisioning.md#groups). Triggers update the memberships of
 * mapped workspaces (docs/adr/0010).
 */
@Injectable()
export class ProvisionedGroupsService {
  constructor(
    private readonly repository: ProvisionedGroupsRepository,
    private readonly groups: ScimGroupsRepository,
    private readonly service: ScimGroupsService,
    private readonly users: ScimUsersRepository,
    private readonly organizations: OrganizationsService,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Lists groups, oldest first, with their members where these are asked for by name: then the page ends before the group with which it would
   * have too many of them, and says so by `itemsPerPage` (RFC 7644, section 3.4.2.4).
   *
   * @throws ProvisioningNotEnabled, BadRequestError
   */
  async list({ caller, base }: ScimCall, input: Readonly<Record<string, unknown>>): Promise<MediaAnswer> {
    const { organizationId } = caller;
    await requireProvisioning(this.organizations, organizationId);
    const { filter, startIndex, count, view } = readListRequest(input);
    const page = await this.repository.page(organizationId, filter, { limit: count, offset: startIndex - 1 });
    const groups = isAskedFor(view, 'members')
      ? await this.withMembers(organizationId, page.items)
      : page.items.map(bare);
    const resources = groups.map(({ group, members }) => narrowed(resourceOf(group, members, base), view));
    return scimAnswer(200, listResponse(resources, page.totalCount, startIndex));
  }

  /** The first of some groups with their members, as many as can be shown. */
  private async withMembers(organizationId: string, groups: readonly ScimGroupEntity[]): Promise<ShownGroup[]> {
    if (groups.length === 0) return [];
    const count = await this.repository.shownWithMembers(
      organizationId,
      groups.map(({ id }) => id),
    );
    const shown = groups.slice(0, count);
    const members = await this.repository.membersOf(
      organizationId,
      shown.map(({ id }) => id),
    );
    return shown.map((group) => ({ group, members: members.get(group.id) }));
  }

  /** One group with its members, or a 304 for a client that has this version. @throws ProvisioningNotEnabled, ResourceNotFound */
  async get(call: ScimCall, id: string, query: Readonly<Record<string, unknown>>): Promise<MediaAnswer> {
    const { organizationId } = call.caller;
    await requireProvisioning(this.organizations, organizationId);
    const group = isUuid(id) ? await this.repository.read(organizationId, id) : undefined;
    if (group === undefined) throw new ResourceNotFound();
    const version = versionOf(group);
    if (call.ifNoneMatch?.split(',').some((tag) => tag.trim() === version) === true) {
      return scimAnswer(304, undefined, { version });
    }
    return this.answer(call, 200, group, readView(query));
  }

  /**
   * Adds a group with its members.
   *
   * @throws ProvisioningNotEnabled, BadRequestError
   * @throws AttributeTaken for a name or external id that another group has
   */
  async create(call: ScimCall, body: object, query: Readonly<Record<string, unknown>>): Promise<MediaAnswer> {
    const { caller } = call;
    const { organizationId } = caller;
    await requireProvisioning(this.organizations, organizationId);
    const change = readGroupDocument(body);
    const names = { displayName: change.displayName, externalId: change.externalId ?? null };
    const group = await this.statements.bulk.transaction(async (tx) => {
      const id = newUuid();
      await this.users.lockOrganization(tx, organizationId);
      await this.requireFree(tx, organizationId, id, names);
      await this.groups.insert(tx, { id, organizationId, ...names });
      const changes = created({ display_name: names.displayName, external_id: names.externalId });
      await this.audit.record(tx, organizationId, caller, { action: 'scim_group.create', targetId: id, changes });
      await this.groups.lockForNoKeyUpdate(tx, organizationId, id);
      await this.writeMembers(tx, caller, organizationId, id, change);
      return (await this.repository.find(tx, organizationId, id))!;
    });
    return this.answer(call, 201, group, readView(query));
  }

  /** Replaces the names of a group, and its members if it lists them. @throws as {@link change} does */
  async replace(
    call: ScimCall,
    id: string,
    body: object,
    query: Readonly<Record<string, unknown>>,
  ): Promise<MediaAnswer> {
    const group = await this.change(call, id, (known) => readGroupDocument(body, known));
    return this.answer(call, 200, group, readView(query));
  }

  /**
   * Changes a group by operations (docs/interface/scim-provisioning.md#patch). It answers nothing, but where attributes are asked for
   * (RFC 7644, section 3.5.2).
   *
   * @throws as {@link change} does
   */
  async patch(
    call: ScimCall,
    id: string,
    body: object,
    query: Readonly<Record<string, unknown>>,
  ): Promise<MediaAnswer> {
    const operations = patchOperationsOf(body, MAXIMUM_OPERATIONS);
    const view = readView(query);
    const group = await this.change(call, id, (known) => groupChangeOf(operations, known));
    if (view.attributes !== undefined) return this.answer(call, 200, group, view);
    return scimAnswer(204, undefined, { version: versionOf(group) });
  }

  /** Deletes a group with its mappings; its users stay. @throws ProvisioningNotEnabled, ResourceNotFound */
  async delete({ caller, ifMatch }: ScimCall, id: string): Promise<MediaAnswer> {
    const { organizationId } = caller;
    await requireProvisioning(this.organizations, organizationId);
    if (ifMatch !== undefined && isUuid(id)) {
      const group = await this.repository.read(organizationId, id);
      if (group !== undefined) requireVersion(ifMatch, versionOf(group));
    }
    try {
      await this.service.remove(caller, organizationId, id);
    } catch (error) {
      if (error instanceof ScimGroupNotFound) throw new ResourceNotFound();
      throw error;
    }
    return scimAnswer(204);
  }

  /**
   * Changes a group. What changes nothing writes nothing.
   *
   * @returns the group as it is now
   * @throws ProvisioningNotEnabled, ResourceNotFound, VersionMismatch, AttributeTaken, BadRequestError
   */
  private async change(
    { caller, ifMatch }: ScimCall,
    id: string,
    read: (id: string) => GroupChange,
  ): Promise<ScimGroupEntity> {
    const { organizationId } = caller;
    await requireProvisioning(this.organizations, organizationId);
    if (!isUuid(id)) throw new ResourceNotFound();
    return this.statements.bulk.transaction(async (tx) => {
      const change = read(id);
      // Names are judged by one transaction at a time, and the organization is locked before its groups.
      const isNamed = change.displayName !== undefined || change.externalId !== undefined;
      if (isNamed) await this.users.lockOrganization(tx, organizationId);
      if (!(await this.groups.lockForNoKeyUpdate(tx, organizationId, id))) throw new ResourceNotFound();
      const before = (await this.repository.find(tx, organizationId, id))!;
      requireVersion(ifMatch, versionOf(before));
      const after = {
        ...before,
        displayName: change.displayName ?? before.displayName,
        externalId: change.externalId === undefined ? before.externalId : change.externalId,
      };
      const isRenamed = after.displayName !== before.displayName || after.externalId !== before.externalId;
      if (isRenamed) {
        await this.requireFree(tx, organizationId, id, after);
        const changes = updated(auditedNames(before), auditedNames(after));
        await this.audit.record(tx, organizationId, caller, { action: 'scim_group.update', targetId: id, changes });
      }
      const hasOtherMembers = await this.writeMembers(tx, caller, organizationId, id, change);
      return isRenamed || hasOtherMembers ? this.repository.update(tx, after) : before;
    });
  }

  /**
   * Computes who joins and who leaves, and writes each in one statement, however many operations have said it.
   *
   * @param tx holds the group
   * @returns whether anyone did
   */
  private async writeMembers(
    tx: Transaction,
    actor: Actor,
    organizationId: string,
    id: string,
    change: Pick<GroupChange, 'members'>,
  ): Promise<boolean> {
    const { replacesMembers, added, removed } = await memberChangeOf(change.members, (condition, joining) =>
      this.repository.matching(tx, organizationId, id, joining, condition),
    );
    const before = replacesMembers ? await this.groups.usersOf(tx, organizationId, id) : [];
    const leaving = replacesMembers ? before.filter((userId) => !added.has(userId)) : [...removed];
    const known = new Set(before);
    const joining = [...added].filter((userId) => !known.has(userId));
    await this.requireUsers(tx, organizationId, joining);
    const { joined, left } = await this.service.writeMembers(tx, actor, organizationId, id, { joining, leaving });
    return joined + left > 0;
  }

  /** @throws BadRequestError that names users who are not members: directories push users first */
  private async requireUsers(tx: Transaction, organizationId: string, userIds: readonly string[]): Promise<void> {
    if (userIds.length === 0) return;
    const known = await this.repository.known(tx, organizationId, userIds);
    const unknown = userIds.filter((userId) => !known.has(userId));
    if (unknown.length === 0) return;
    const issues = unknown
      .slice(0, NAMED_UNKNOWN)
      .map((userId) =>
        INVALID_VALUE.at(
          'members',
          `names ${userId.slice(0, 100).toWellFormed()}, who is no user of this organization`,
        ),
      );
    throw BadRequestError.of(issues);
  }

  private async requireFree(
    tx: Transaction,
    organizationId: string,
    id: string,
    names: Pick<ScimGroupEntity, 'displayName' | 'externalId'>,
  ): Promise<void> {
    const taken = await this.repository.taken(tx, organizationId, id, names);
    if (taken !== undefined) {
      throw new AttributeTaken(`${taken.attribute} is taken by the group ${taken.id} of this organization.`);
    }
  }

  private async answer(call: ScimCall, status: 200 | 201, group: ScimGroupEntity, view: View): Promise<MediaAnswer> {
    const { organizationId } = call.caller;
    const members = isShown(view, 'members') ? await this.repository.membersOf(organizationId, [group.id]) : undefined;
    const resource = narrowed(resourceOf(group, members?.get(group.id), call.base), view);
    const location = `${call.base}/Groups/${group.id}`;
    return scimAnswer(status, resource, { version: versionOf(group), ...(status === 201 && { location }) });
  }
}

/** A group as it is shown. */
interface ShownGroup {
  readonly group: ScimGroupEntity;
  /** Undefined where they are not shown. */
  readonly members: readonly GroupMember[] | undefined;
}

function bare(group: ScimGroupEntity): ShownGroup {
  return { group, members: undefined };
}

/** The version of a group, as a weak entity tag: when it was changed last. */
function versionOf({ updatedAt }: ScimGroupEntity): string {
  return `W/"${updatedAt.getTime().toString(36)}"`;
}

/** A group as SCIM shows it. @param members undefined where they are not shown */
function resourceOf(
  group: ScimGroupEntity,
  members: readonly GroupMember[] | undefined,
  base: string,
): Record<string, unknown> {
  return {
    schemas: [GROUP_SCHEMA],
    id: group.id,
    ...(group.externalId !== null && { externalId: group.externalId }),
    displayName: group.displayName,
    ...(members !== undefined && {
      members: members.map(({ userId, userName }) => ({
        value: userId,
        $ref: `${base}/Users/${userId}`,
        display: userName,
        type: 'User',
      })),
    }),
    meta: {
      resourceType: 'Group',
      created: group.createdAt.toISOString(),
      lastModified: group.updatedAt.toISOString(),
      location: `${base}/Groups/${group.id}`,
      version: versionOf(group),
    },
  };
}

function auditedNames({ displayName, externalId }: ScimGroupEntity): Record<string, unknown> {
  return { display_name: displayName, external_id: externalId };
}
