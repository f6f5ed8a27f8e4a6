import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../../persistence/statements.js';
import type { Actor } from '../../audit/audit-trail.js';
import {
  type ChangedMembers,
  type MemberHook,
  MemberHooks,
  type OneMember,
} from '../../organizations/members/member-hooks.js';
import { MemberIdentitiesRepository } from '../identities/member-identities.repository.js';
import { SessionsRepository } from './sessions.repository.js';

/** Signs members out who are deactivated, and forgets those who are erased: who is reactivated signs in anew. */
@Injectable()
export class MemberSessionsHook implements MemberHook, OnModuleInit {
  constructor(
    private readonly hooks: MemberHooks,
    private readonly repository: SessionsRepository,
    private readonly identities: MemberIdentitiesRepository,
  ) {}

  onModuleInit(): void {
    this.hooks.register(this);
  }

  async deactivated(tx: Transaction, _actor: Actor, { organizationId, userIds }: ChangedMembers): Promise<void> {
    await this.repository.endThoseOf(tx, organizationId, userIds);
  }

  async ended(tx: Transaction, actor: Actor, members: ChangedMembers): Promise<void> {
    await this.deactivated(tx, actor, members);
  }

  /** Forgets who the person was at identity providers. */
  async erased(tx: Transaction, _actor: Actor, { organizationId, userId }: OneMember): Promise<Record<string, number>> {
    return { identities: await this.identities.deleteAllOf(tx, organizationId, userId) };
  }
}
