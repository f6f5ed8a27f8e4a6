import { Injectable } from '@nestjs/common';
import { DEFAULT_ROLE } from '../../../auth/roles.js';
import type { ProvisioningPrincipal } from '../../../auth/principal.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import type { MediaAnswer } from '../../../http/media-answer.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { emailKeyOf, MembersService } from '../../organizations/members/members.service.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { DirectoryHooks } from './directory-hooks.js';
import { isShown, narrowed, readListRequest, readView, type View } from './list-request.js';
import { patchOperationsOf } from './patch-path.js';
import { AttributeTaken, ResourceNotFound } from './provisioning.errors.js';
import { requireProvisioning, requireVersion } from './request-checks.js';
import { listResponse, scimAnswer } from './scim-answer.js';
import type { ScimCall } from './scim-base.js';
import {
  changedAttributes,
  toStoredUser,
  toUserDescription,
  toUserDocument,
  toUserResource,
  versionOfUser,
} from './scim-users.mapper.js';
import {
  type GroupOfUser,
  type ProvisionedUser,
  ScimUsersRepository,
  type TakenAttribute,
} from './scim-users.repository.js';
import { patchedUser, readUserDocument, type UserDocument } from './user-document.js';

/** The most operations of a PATCH of a user. */
const MAXIMUM_OPERATIONS = 200;

/**
 * The members of an organization, as its directory provisions them (docs/interface/scim-provisioning.md#users). All of a request is done in
 * one transaction, with what follows for keys and sessions.
 */
@Injectable()
export class ScimUsersService {
  constructor(
    private readonly repository: ScimUsersRepository,
    private readonly members: MembersService,
    private readonly organizations: OrganizationsService,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly directories: DirectoryHooks,
  ) {}

  /** Lists users, oldest first. @throws ProvisioningNotEnabled, BadRequestError */
  async list(call: ScimCall, input: Readonly<Record<string, unknown>>): Promise<MediaAnswer> {
    const { organizationId } = call.caller;
    await requireProvisioning(this.organizations, organizationId);
    const { filter, startIndex, count, view } = readListRequest(input);
    const page = await this.repository.page(organizationId, filter, { limit: count, offset: startIndex - 1 });
    const resources = await this.resources(call, page.items, view);
    return scimAnswer(200, listResponse(resources, page.totalCount, startIndex));
  }

  /** One user, or a 304 for a client that has this version. @throws ProvisioningNotEnabled, ResourceNotFound */
  async get(call: ScimCall, id: string, query: Readonly<Record<string, unknown>>): Promise<MediaAnswer> {
    const { organizationId } = call.caller;
    await requireProvisioning(this.organizations, organizationId);
    const user = await this.repository.read(organizationId, id);
    if (user === undefined) throw new ResourceNotFound();
    const version = versionOfUser(user);
    if (call.ifNoneMatch?.split(',').some((tag) => tag.trim() === version) === true) {
      return scimAnswer(304, undefined, { version });
    }
    return this.answer(call, 200, user, query);
  }

  /**
   * Adds a member with the role `member`.
   *
   * @throws ProvisioningNotEnabled, BadRequestError
   * @throws AttributeTaken for a name, external id or address that another member has
   */
  async create(call: ScimCall, body: object, query: Readonly<Record<string, unknown>>): Promise<MediaAnswer> {
    const { caller } = call;
    const { organizationId } = caller;
    await requireProvisioning(this.organizations, organizationId);
    const document = readUserDocument(body);
    const user = await this.statements.transaction(async (tx) => {
      await this.repository.lockOrganization(tx, organizationId);
      await this.requireFree(tx, organizationId, '', document);
      const description = toUserDescription(document);
      const [userId] = await this.members.add(tx, caller, organizationId, [{ ...description, role: DEFAULT_ROLE }]);
      await this.repository.write(tx, caller, userId!, toStoredUser(document));
      if (document.active === false) await this.setActive(tx, caller, userId!, false);
      return (await this.repository.find(tx, organizationId, userId!))!;
    });
    return this.answer(call, 201, user, query);
  }

  /** Replaces what the schema knows of a user; without `active` it stays as it is. @throws as {@link change} does */
  async replace(
    call: ScimCall,
    id: string,
    body: object,
    query: Readonly<Record<string, unknown>>,
  ): Promise<MediaAnswer> {
    return this.change(call, id, query, (_, userId) => readUserDocument(body, userId));
  }

  /** Changes a user by operations (docs/interface/scim-provisioning.md#patch). @throws as {@link change} does */
  async patch(
    call: ScimCall,
    id: string,
    body: object,
    query: Readonly<Record<string, unknown>>,
  ): Promise<MediaAnswer> {
    const operations = patchOperationsOf(body, MAXIMUM_OPERATIONS);
    return this.change(call, id, query, (before, userId) => patchedUser(before, operations, userId));
  }

  /**
   * Ends a member for good: keys are disabled and stay with what they have spent, the names are free again.
   *
   * @throws ProvisioningNotEnabled, ResourceNotFound
   */
  async delete({ caller, ifMatch }: ScimCall, id: string): Promise<MediaAnswer> {
    const { organizationId } = caller;
    await requireProvisioning(this.organizations, organizationId);
    await this.statements.bulk.transaction(async (tx) => {
      await this.repository.lockOrganization(tx, organizationId);
      const user = await this.repository.find(tx, organizationId, id);
      if (user === undefined) throw new ResourceNotFound();
      requireVersion(ifMatch, versionOfUser(user));
      await this.members.end(tx, caller, { organizationId, userIds: [user.userId], by: 'directory' });
    });
    return scimAnswer(204);
  }

  /**
   * Changes a user. What changes nothing writes nothing.
   *
   * @throws ProvisioningNotEnabled, ResourceNotFound, VersionMismatch, AttributeTaken, BadRequestError
   */
  private async change(
    call: ScimCall,
    id: string,
    query: Readonly<Record<string, unknown>>,
    changed: (before: UserDocument, userId: string) => UserDocument,
  ): Promise<MediaAnswer> {
    const { caller, ifMatch } = call;
    const { organizationId } = caller;
    await requireProvisioning(this.organizations, organizationId);
    const user = await this.statements.transaction(async (tx) => {
      await this.repository.lockOrganization(tx, organizationId);
      const found = await this.repository.find(tx, organizationId, id);
      if (found === undefined) throw new ResourceNotFound();
      requireVersion(ifMatch, versionOfUser(found));
      const before = toUserDocument(found);
      const after = changed(before, found.userId);
      await this.writeAttributes(tx, caller, found, before, after);
      if (after.active !== undefined && after.active !== before.active) {
        await this.setActive(tx, caller, found.userId, after.active);
      }
      return (await this.repository.find(tx, organizationId, found.userId))!;
    });
    return this.answer(call, 200, user, query);
  }

  private async writeAttributes(
    tx: Transaction,
    caller: ProvisioningPrincipal,
    found: ProvisionedUser,
    before: UserDocument,
    after: UserDocument,
  ): Promise<void> {
    const { organizationId } = caller;
    const { userId } = found;
    const attributes = changedAttributes(before, after);
    if (attributes.length === 0) return;
    await this.requireFree(tx, organizationId, userId, after);
    const { externalId } = toStoredUser(after);
    const issuer = await this.repository.write(tx, caller, userId, toStoredUser(after));
    const isTakenOver = found.scimUserName === null;
    if (isTakenOver || found.externalId !== externalId || found.issuer !== issuer) {
      await this.directories.memberIdentified(tx, caller, { organizationId, userId, issuer, externalId });
    }
    await this.members.describe(tx, organizationId, userId, toUserDescription(after));
    const changes = { provisioned_attributes: { after: attributes } };
    await this.audit.record(tx, organizationId, caller, { action: 'member.update', targetId: userId, changes });
  }

  private async setActive(
    tx: Transaction,
    caller: ProvisioningPrincipal,
    userId: string,
    isActive: boolean,
  ): Promise<void> {
    const change = { organizationId: caller.organizationId, userIds: [userId], by: 'directory' } as const;
    await (isActive ? this.members.reactivate(tx, caller, change) : this.members.deactivate(tx, caller, change));
  }

  /** @throws AttributeTaken, whose message says to an administrator of the directory what can be done */
  private async requireFree(
    tx: Transaction,
    organizationId: string,
    userId: string,
    document: UserDocument,
  ): Promise<void> {
    const emailKey = emailKeyOf(toUserDescription(document).email);
    const taken = await this.repository.taken(tx, organizationId, userId, toStoredUser(document), emailKey);
    if (taken !== undefined) throw new AttributeTaken(conflictOf(taken));
  }

  private async answer(
    call: ScimCall,
    status: 200 | 201,
    user: ProvisionedUser,
    query: Readonly<Record<string, unknown>>,
  ): Promise<MediaAnswer> {
    const [resource] = await this.resources(call, [user], readView(query));
    const location = `${call.base}/Users/${user.userId}`;
    return scimAnswer(status, resource, { version: versionOfUser(user), ...(status === 201 && { location }) });
  }

  private async resources(
    { caller, base }: ScimCall,
    users: readonly ProvisionedUser[],
    view: View,
  ): Promise<object[]> {
    const userIds = isShown(view, 'groups') ? users.map(({ userId }) => userId) : [];
    const groups = userIds.length === 0 ? [] : await this.repository.groupsOf(caller.organizationId, userIds);
    const byUser = new Map<string, GroupOfUser[]>(users.map(({ userId }) => [userId, []]));
    for (const group of groups) byUser.get(group.userId)!.push(group);
    return users.map((user) => narrowed(toUserResource(user, byUser.get(user.userId)!, base), view));
  }
}

function conflictOf({ attribute, userId, isManual }: TakenAttribute): string {
  if (!isManual) {
    return `${attribute === 'email' ? 'The e-mail address' : attribute} is taken by the user ${userId} of this organization.`;
  }
  return `A member who was made by hand has this address: ${userId}. Link it in the directory (a search for userName finds it) and update it, instead of creating another one.`;
}
