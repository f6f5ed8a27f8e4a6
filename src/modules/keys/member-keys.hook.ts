import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../persistence/statements.js';
import type { Actor } from '../audit/audit-trail.js';
import {
  type ChangedMembers,
  type ChangedMemberStates,
  type ErasedMember,
  type MemberHook,
  MemberHooks,
} from '../organizations/members/member-hooks.js';
import { MembersService } from '../organizations/members/members.service.js';
import { MemberKeysRepository } from './member-keys.repository.js';

/**
 * The keys of members. Those of a deactivated member are suspended, until the reactivation; those of one who has ended are disabled for good,
 * and stay with what they have spent (docs/interface/members.md#keys).
 */
@Injectable()
export class MemberKeysHook implements MemberHook, OnModuleInit {
  constructor(
    private readonly hooks: MemberHooks,
    private readonly members: MembersService,
    private readonly repository: MemberKeysRepository,
  ) {}

  onModuleInit(): void {
    this.hooks.register(this);
  }

  async deactivated(tx: Transaction, actor: Actor, members: ChangedMemberStates): Promise<void> {
    await this.repository.deleteUnusedCodes(tx, members);
    await this.repository.suspend(tx, actor, members, await this.suspendsApiKeys(tx, members));
  }

  async reactivated(tx: Transaction, actor: Actor, members: ChangedMemberStates): Promise<void> {
    await this.repository.reinstate(tx, actor, members);
  }

  async ended(tx: Transaction, actor: Actor, members: ChangedMemberStates): Promise<void> {
    await this.repository.deleteUnusedCodes(tx, members);
    await this.repository.end(tx, actor, members);
  }

  /** Management keys from before there were permissions have had all rights until now; from here on they follow the role as well. */
  async roleChanged(tx: Transaction, _actor: Actor, members: ChangedMembers): Promise<void> {
    await this.repository.followRoles(tx, members);
  }

  async erased(tx: Transaction, _actor: Actor, member: ErasedMember): Promise<Readonly<Record<string, number>>> {
    return { keys: await this.repository.erase(tx, member) };
  }

  /** A member who is deactivated now is treated as if that had been in force then. */
  async settingsChanged(tx: Transaction, actor: Actor, organizationId: string): Promise<void> {
    const suspends = await this.suspendsApiKeys(tx, { organizationId, userIds: [] });
    if (suspends) await this.repository.suspendOfDeactivated(tx, actor, organizationId);
    else await this.repository.reinstateOfDeactivated(tx, actor, organizationId);
  }

  private async suspendsApiKeys(tx: Transaction, { organizationId }: ChangedMembers): Promise<boolean> {
    return (await this.members.keysOfDeactivatedMembers(tx, organizationId)) === 'suspend';
  }
}
