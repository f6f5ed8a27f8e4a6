import { Injectable } from '@nestjs/common';
import type { MemberRole } from '../../../auth/roles.js';
import type { Transaction } from '../../../persistence/statements.js';
import type { Actor } from '../../audit/audit-trail.js';
import type { DeactivatedBy } from '../member-role.js';

/** Members of an organization whose state has changed. */
export interface ChangedMembers {
  readonly organizationId: string;
  readonly userIds: readonly string[];
}

/** One member of an organization. */
export interface OneMember {
  readonly organizationId: string;
  readonly userId: string;
}

/** A member whose identity has been erased, with the address that they had; empty for none. */
export interface ErasedMember extends OneMember {
  readonly email: string;
}

/** Members whose state has changed, with who has changed it. */
export interface ChangedMemberStates extends ChangedMembers {
  readonly by: DeactivatedBy;
}

/** Members whose role has changed, with the role that they have now. */
export interface ChangedMemberRoles extends ChangedMembers {
  readonly role: MemberRole;
}

/**
 * What a module does when members of an organization change. It is called in the transaction of the change, after it, while the rows of the
 * members are locked, and writes what follows from it in few statements, however many members there are: all of it is in force with the
 * change, or none.
 */
export interface MemberHook {
  /** The members count as nothing from now on, until they are reactivated. */
  deactivated?(tx: Transaction, actor: Actor, members: ChangedMemberStates): Promise<void>;

  /** They count again. What was taken away for another reason is not given back. */
  reactivated?(tx: Transaction, actor: Actor, members: ChangedMemberStates): Promise<void>;

  /** They count as nothing for good, whether they were deactivated before or not. */
  ended?(tx: Transaction, actor: Actor, members: ChangedMemberStates): Promise<void>;

  /** They have another role, whatever state they are in. */
  roleChanged?(tx: Transaction, actor: Actor, members: ChangedMemberRoles): Promise<void>;

  /**
   * A member who is not active will be erased: erases what is too much for one transaction, in parts, so that it can be repeated.
   *
   * @returns how much it was, by what it is called in the trail
   */
  erasing?(member: OneMember): Promise<Readonly<Record<string, number>>>;

  /**
   * A member has ended and is erased: erases what names the person. Rows that others refer to stay, without the person.
   *
   * @returns as {@link erasing}
   */
  erased?(tx: Transaction, actor: Actor, member: ErasedMember): Promise<Readonly<Record<string, number>>>;

  /** The organization treats keys of members who are deactivated in another way from now on. */
  settingsChanged?(tx: Transaction, actor: Actor, organizationId: string): Promise<void>;
}

/** The hooks of dependent modules, which register them when they start. */
@Injectable()
export class MemberHooks {
  private readonly hooks: MemberHook[] = [];

  register(hook: MemberHook): void {
    this.hooks.push(hook);
  }

  async deactivated(tx: Transaction, actor: Actor, members: ChangedMemberStates): Promise<void> {
    if (members.userIds.length === 0) return;
    for (const hook of this.hooks) await hook.deactivated?.(tx, actor, members);
  }

  async reactivated(tx: Transaction, actor: Actor, members: ChangedMemberStates): Promise<void> {
    if (members.userIds.length === 0) return;
    for (const hook of this.hooks) await hook.reactivated?.(tx, actor, members);
  }

  async ended(tx: Transaction, actor: Actor, members: ChangedMemberStates): Promise<void> {
    if (members.userIds.length === 0) return;
    for (const hook of this.hooks) await hook.ended?.(tx, actor, members);
  }

  async roleChanged(tx: Transaction, actor: Actor, members: ChangedMemberRoles): Promise<void> {
    if (members.userIds.length === 0) return;
    for (const hook of this.hooks) await hook.roleChanged?.(tx, actor, members);
  }

  async erasing(member: OneMember): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const hook of this.hooks) Object.assign(counts, await hook.erasing?.(member));
    return counts;
  }

  async erased(tx: Transaction, actor: Actor, member: ErasedMember): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const hook of this.hooks) Object.assign(counts, await hook.erased?.(tx, actor, member));
    return counts;
  }

  async settingsChanged(tx: Transaction, actor: Actor, organizationId: string): Promise<void> {
    for (const hook of this.hooks) await hook.settingsChanged?.(tx, actor, organizationId);
  }
}
