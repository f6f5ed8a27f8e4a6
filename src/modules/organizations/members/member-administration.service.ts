import { Injectable } from '@nestjs/common';
import { ADMINISTRATOR, type MemberRole } from '../../../auth/roles.js';
import { PERMISSIONS } from '../../../auth/permissions.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { requirePermissions } from '../../../auth/required-rights.js';
import { withEntityTag } from '../../../http/entity-tags.js';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { Precondition } from '../../../http/precondition.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { type Actor, AuditTrail } from '../../audit/audit-trail.js';
import { roleOf } from '../dto/organization-member.dto.js';
import { EMAIL_REQUIRED, MemberEnded, OrganizationMemberNotFound } from '../organizations.errors.js';
import { type MemberWithUser, statusOf, tagOfMember, toOrganizationMemberResponse } from '../organizations.mapper.js';
import type {
  CreateOrganizationMemberRequest,
  ErasedOrganizationMemberResponse,
  OrganizationMemberPath,
  OrganizationMemberResponse,
  UpdateOrganizationMemberRequest,
} from './member.dto.js';
import { MemberErasureService } from './member-erasure.service.js';
import { MembersRepository } from './members.repository.js';
import { MembersService } from './members.service.js';

/** What administrators do with single members (docs/interface/members.md). */
@Injectable()
export class MemberAdministrationService {
  constructor(
    private readonly repository: MembersRepository,
    private readonly members: MembersService,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly erasure: MemberErasureService,
  ) {}

  /**
   * Adds a member.
   *
   * @throws BadRequestError for a person without an address
   * @throws PermissionMissing for an administrator, by a caller who is restricted
   * @throws MemberEmailTaken
   */
  async create(
    caller: ManagementPrincipal,
    input: CreateOrganizationMemberRequest,
  ): Promise<OrganizationMemberResponse> {
    const { organizationId } = caller;
    const kind = input.kind ?? 'person';
    if (kind === 'person' && input.email === undefined) throw BadRequestError.of([EMAIL_REQUIRED.at('email')]);
    const role = roleOf(input.role);
    requireMayGrant(caller, role);
    return this.statements.transaction(async (tx) => {
      const member = { name: input.name, email: input.email ?? '', role, kind };
      const [userId] = await this.members.add(tx, caller, organizationId, [member]);
      return this.answer(tx, organizationId, userId!);
    });
  }

  /** @throws OrganizationMemberNotFound */
  async get(
    { organizationId }: ManagementPrincipal,
    { id }: OrganizationMemberPath,
  ): Promise<OrganizationMemberResponse> {
    const member = await this.repository.find(organizationId, id);
    if (member === undefined) throw new OrganizationMemberNotFound();
    return shown(member);
  }

  /**
   * Changes a member. Absent fields stay; without a change nothing is written.
   *
   * @throws OrganizationMemberNotFound
   * @throws PreconditionFailed
   * @throws MemberEnded
   * @throws PermissionMissing if the member would become, or be again, an administrator, by a caller who is restricted
   */
  async update(
    caller: ManagementPrincipal,
    { id, ...input }: OrganizationMemberPath & UpdateOrganizationMemberRequest,
    precondition = Precondition.NONE,
  ): Promise<OrganizationMemberResponse> {
    const { organizationId } = caller;
    return this.statements.transaction(async (tx) => {
      // The order of locks: the organization, then the member.
      await this.members.keysOfDeactivatedMembers(tx, organizationId);
      const before = await this.repository.lock(tx, organizationId, id);
      if (before === undefined) throw new OrganizationMemberNotFound();
      precondition.require(tagOfMember(before));
      if (before.endedAt !== null) throw new MemberEnded();
      const role = input.role === undefined ? before.role : roleOf(input.role);
      const isRaised = role !== before.role || (input.status === 'active' && statusOf(before) !== 'active');
      if (isRaised) requireMayGrant(caller, role);
      await this.rename(tx, caller, before, input.name);
      await this.apply(tx, caller, before, role, input.status);
      return this.answer(tx, organizationId, id);
    });
  }

  /**
   * Erases a member who is deactivated or has ended, for good.
   *
   * @throws OrganizationMemberNotFound
   * @throws MemberIsActive
   */
  async erase(caller: ManagementPrincipal, { id }: OrganizationMemberPath): Promise<ErasedOrganizationMemberResponse> {
    const counts = await this.erasure.erase(caller, { organizationId: caller.organizationId, userId: id });
    const { generations = 0, keys = 0, identities = 0, alerts = 0 } = counts;
    return { data: { id, generations, keys, identities, alerts } };
  }

  private async apply(
    tx: Transaction,
    actor: Actor,
    { organizationId, userId, role: earlier }: MemberWithUser,
    role: MemberRole,
    status: UpdateOrganizationMemberRequest['status'],
  ): Promise<void> {
    const members = { organizationId, userIds: [userId] };
    if (role !== earlier) await this.members.changeRole(tx, actor, { ...members, role });
    if (status === 'deactivated') await this.members.deactivate(tx, actor, { ...members, by: 'administrator' });
    if (status === 'active') await this.members.reactivate(tx, actor, { ...members, by: 'administrator' });
  }

  /** The trail says that a member has another name, and not which. */
  private async rename(
    tx: Transaction,
    actor: Actor,
    { organizationId, userId, userName }: MemberWithUser,
    name: string | undefined,
  ): Promise<void> {
    if (name === undefined || name === userName) return;
    await this.repository.rename(tx, organizationId, userId, name);
    const event = { action: 'member.update', targetId: userId, changes: { is_renamed: { after: true } } };
    await this.audit.record(tx, organizationId, actor, event);
  }

  private async answer(tx: Transaction, organizationId: string, userId: string): Promise<OrganizationMemberResponse> {
    // The transaction has locked the member or made it, so it is there.
    return shown((await this.repository.lock(tx, organizationId, userId))!);
  }
}

function shown(member: MemberWithUser): OrganizationMemberResponse {
  return withEntityTag({ data: toOrganizationMemberResponse(member) }, tagOfMember(member));
}

/**
 * An administrator may do everything, so only a caller who may everything makes one: a restricted key would give more than it has.
 *
 * @throws PermissionMissing
 */
function requireMayGrant(caller: ManagementPrincipal, role: MemberRole): void {
  if (role === ADMINISTRATOR) requirePermissions(caller, PERMISSIONS);
}
