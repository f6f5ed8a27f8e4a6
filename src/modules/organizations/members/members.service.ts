import { Injectable } from '@nestjs/common';
import { ADMINISTRATOR, type MemberRole } from '../../../auth/roles.js';
import { newUserId, newUuid } from '../../../persistence/identifiers.js';
import type { Transaction } from '../../../persistence/statements.js';
import { type Actor, AuditTrail } from '../../audit/audit-trail.js';
import { created } from '../../audit/audited-event.js';
import { statusOf } from '../organizations.mapper.js';
import type { KeysOfDeactivatedMembers, MemberKind, MemberStatus } from '../member-role.js';
import { MemberEmailTaken } from '../organizations.errors.js';
import {
  type ChangedMemberRoles,
  type ChangedMembers,
  type ChangedMemberStates,
  MemberHooks,
  type OneMember,
} from './member-hooks.js';
import { type ChangedMember, type MemberNames, MembersRepository } from './members.repository.js';

/** A member to add. */
export interface NewMember {
  readonly name: string;
  /** Empty for none, which only a service may have. */
  readonly email: string;
  readonly role: MemberRole;
  /** A person if absent. */
  readonly kind?: MemberKind;
  readonly givenName?: string | null;
  readonly familyName?: string | null;
}

/** A member, as the command line lists them. */
export interface ListedMember {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly kind: MemberKind;
  readonly status: MemberStatus;
}

/**
 * The members of an organization and their states (docs/interface/members.md). Everything is done to several members at once, in the
 * transaction of the caller, recorded for each of them, and followed by the {@link MemberHooks}. Members of other organizations, those who
 * have ended, and those who are as they shall be already, are left out.
 *
 * Locks are taken in one order: the organization, its members by their ids, and then what they have. A transaction that adds members as well
 * does that first.
 */
@Injectable()
export class MembersService {
  constructor(
    private readonly repository: MembersRepository,
    private readonly hooks: MemberHooks,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Adds members, each with a new user. The trail has their ids, roles and kinds, and neither names nor addresses.
   *
   * @returns the ids of the users, in the order of the members
   * @throws MemberEmailTaken if another member has an address without regard to case, or two of these have the same
   */
  async add(
    tx: Transaction,
    actor: Actor,
    organizationId: string,
    members: readonly NewMember[],
  ): Promise<readonly string[]> {
    await this.repository.lockOrganization(tx, organizationId);
    const emails = members.flatMap(({ email }) => (email === '' ? [] : emailKeyOf(email)));
    const isRepeated = new Set(emails).size < emails.length;
    if (isRepeated || (await this.repository.takenEmails(tx, organizationId, emails)).length > 0) {
      throw new MemberEmailTaken();
    }
    const userIds: string[] = [];
    for (const member of members) {
      const userId = await this.insert(tx, organizationId, member);
      const { role, kind = 'person' } = member;
      const event = { action: 'member.create', targetId: userId, changes: created({ role, kind }) };
      await this.audit.record(tx, organizationId, actor, event);
      userIds.push(userId);
    }
    return userIds;
  }

  /** Every member, whatever their status, oldest first. */
  async all(organizationId: string): Promise<ListedMember[]> {
    return (await this.repository.all(organizationId)).map((member) => ({
      userId: member.userId,
      name: member.userName,
      email: member.userEmail,
      role: member.role,
      kind: member.kind,
      status: statusOf(member),
    }));
  }

  /** Adds a member of whom nothing is recorded: for the first of an organization. @returns the id of the user */
  async insert(tx: Transaction, organizationId: string, member: NewMember): Promise<string> {
    const { name, email, role, kind = 'person', givenName = null, familyName = null } = member;
    const userId = newUserId();
    const state = { deactivatedAt: null, deactivatedBy: null, endedAt: null };
    const names = { name, email, emailKey: email === '' ? null : emailKeyOf(email), givenName, familyName };
    const row = { id: newUuid(), organizationId, userId, role, kind, ...names, ...state };
    await this.repository.insert(tx, { id: userId, name, email }, row);
    return userId;
  }

  /**
   * Writes what the organization calls a member, in its own row: what other organizations say of the user stays.
   *
   * @param tx has locked the organization, and judged whether the address is free
   */
  async describe(
    tx: Transaction,
    organizationId: string,
    userId: string,
    names: Omit<MemberNames, 'emailKey'>,
  ): Promise<void> {
    await this.repository.describe(tx, organizationId, userId, { ...names, emailKey: emailKeyOf(names.email) });
  }

  /** Gives members another role. @returns the users whose role has changed */
  async changeRole(tx: Transaction, actor: Actor, members: ChangedMemberRoles): Promise<readonly string[]> {
    const userIds = idsOf(await this.repository.changeRole(tx, actor, members));
    await this.hooks.roleChanged(tx, actor, { ...members, userIds });
    if (members.role !== ADMINISTRATOR) await this.recordLossOfAdministrators(tx, actor, members, userIds);
    return userIds;
  }

  /**
   * Gives a member the role that something automatic says, such as a claim at a sign-in: unlike an administrator it never takes the role of
   * the last active administrator, because a mapping that fails would leave the organization without one. Two that ask at once wait for
   * each other.
   *
   * @returns whether the role has changed
   */
  async changeRoleUnlessLast(
    tx: Transaction,
    actor: Actor,
    { organizationId, userId, role }: OneMember & { readonly role: MemberRole },
  ): Promise<boolean> {
    if (role !== ADMINISTRATOR && (await this.repository.isAdministrator(tx, organizationId, userId))) {
      const administrators = await this.repository.lockActiveAdministrators(tx, organizationId);
      if (administrators.every((administrator) => administrator === userId)) return false;
    }
    return (await this.changeRole(tx, actor, { organizationId, userIds: [userId], role })).length > 0;
  }

  /**
   * Deactivates members: they count as nothing, and their keys are refused, from the end of the transaction on. A directory deactivates
   * no services, and does not bring back whom an administrator has deactivated.
   *
   * @returns the users whose state has changed
   */
  async deactivate(tx: Transaction, actor: Actor, members: ChangedMemberStates): Promise<readonly string[]> {
    await this.repository.holdKeysSetting(tx, members.organizationId);
    const changed = await this.repository.deactivate(tx, actor, members);
    await this.hooks.deactivated(tx, actor, { ...members, userIds: idsOf(changed) });
    await this.recordLossOfAdministrators(tx, actor, members, administratorsAmong(changed));
    return idsOf(changed);
  }

  /** Lets members count again, with what they had. @returns the users whose state has changed */
  async reactivate(tx: Transaction, actor: Actor, members: ChangedMemberStates): Promise<readonly string[]> {
    await this.repository.holdKeysSetting(tx, members.organizationId);
    const userIds = idsOf(await this.repository.reactivate(tx, actor, members));
    await this.hooks.reactivated(tx, actor, { ...members, userIds });
    return userIds;
  }

  /**
   * Deactivates members for good: their keys are disabled, and stay with what they have spent. Their addresses are free for new members.
   * A directory ends no services.
   *
   * @returns the users whose state has changed
   */
  async end(tx: Transaction, actor: Actor, members: ChangedMemberStates): Promise<readonly string[]> {
    await this.repository.holdKeysSetting(tx, members.organizationId);
    const changed = await this.repository.end(tx, actor, members);
    await this.hooks.ended(tx, actor, { ...members, userIds: idsOf(changed) });
    await this.recordLossOfAdministrators(tx, actor, members, administratorsAmong(changed));
    return idsOf(changed);
  }

  /** What becomes of keys of members who are deactivated in this transaction, which waits for changes of that. */
  async keysOfDeactivatedMembers(tx: Transaction, organizationId: string): Promise<KeysOfDeactivatedMembers> {
    return (await this.repository.holdKeysSetting(tx, organizationId)) ?? 'suspend';
  }

  /** @param administrators who were administrators until now */
  private async recordLossOfAdministrators(
    tx: Transaction,
    actor: Actor,
    { organizationId }: ChangedMembers,
    administrators: readonly string[],
  ): Promise<void> {
    if (administrators.length === 0 || (await this.repository.hasActiveAdministrator(tx, organizationId))) return;
    const changes = { administrators: { before: administrators } };
    const event = { action: 'organization.lose_administrators', targetId: organizationId, changes };
    await this.audit.record(tx, organizationId, actor, event);
  }
}

/** An address as it is compared with others: without regard to case. */
export function emailKeyOf(email: string): string {
  return email.toLowerCase();
}

function idsOf(members: readonly ChangedMember[]): string[] {
  return members.map(({ userId }) => userId);
}

function administratorsAmong(members: readonly ChangedMember[]): string[] {
  return idsOf(members.filter(({ role }) => role === ADMINISTRATOR));
}
