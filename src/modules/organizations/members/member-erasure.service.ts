import { Injectable } from '@nestjs/common';
import { Statements } from '../../../persistence/statements.js';
import { type Actor, AuditTrail } from '../../audit/audit-trail.js';
import { created } from '../../audit/audited-event.js';
import { MemberIsActive, OrganizationMemberNotFound } from '../organizations.errors.js';
import { type MemberWithUser, statusOf } from '../organizations.mapper.js';
import { MemberHooks, type OneMember } from './member-hooks.js';
import { MembersRepository } from './members.repository.js';
import { MembersService } from './members.service.js';

/** How much was erased, by what it was. */
export type ErasedCounts = Readonly<Record<string, number>>;

/**
 * Erases the content and the identity of one person (docs/interface/members.md#erasure). Records, costs and sums stay, with an id that says
 * nothing any more, and the audit trail stays whole.
 */
@Injectable()
export class MemberErasureService {
  constructor(
    private readonly repository: MembersRepository,
    private readonly members: MembersService,
    private readonly hooks: MemberHooks,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Ends a member who is deactivated, and erases them. What is too much for one transaction is erased ahead, in parts: an erasure that has
   * failed is repeated as a whole, and one that has nothing left to erase records nothing.
   *
   * @throws OrganizationMemberNotFound
   * @throws MemberIsActive
   */
  async erase(actor: Actor, { organizationId, userId }: OneMember): Promise<ErasedCounts> {
    const member = { organizationId, userId };
    requireInactive(await this.repository.find(organizationId, userId));
    const ahead = await this.hooks.erasing(member);
    return this.statements.bulk.transaction(async (tx) => {
      await this.members.keysOfDeactivatedMembers(tx, organizationId);
      const { userName, userEmail } = requireInactive(await this.repository.lock(tx, organizationId, userId));
      await this.members.end(tx, actor, { organizationId, userIds: [userId], by: 'administrator' });
      await this.repository.eraseIdentity(tx, organizationId, userId);
      const within = await this.hooks.erased(tx, actor, { ...member, email: userEmail });
      const counts = { ...ahead, ...within };
      const isNew = userName !== '' || userEmail !== '' || Object.values(counts).some((count) => count > 0);
      if (isNew) {
        const event = { action: 'member.erase', targetId: userId, changes: created(counts) };
        await this.audit.record(tx, organizationId, actor, event);
      }
      return counts;
    });
  }
}

/** @throws OrganizationMemberNotFound, MemberIsActive */
function requireInactive(member: MemberWithUser | undefined): MemberWithUser {
  if (member === undefined) throw new OrganizationMemberNotFound();
  if (statusOf(member) === 'active') throw new MemberIsActive();
  return member;
}
