import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../../persistence/statements.js';
import type { Actor } from '../../audit/audit-trail.js';
import { type ChangedMembers, type MemberHook, MemberHooks } from '../../organizations/members/member-hooks.js';
import { McpConnectionsRepository } from './mcp-connections.repository.js';

/** Deletes the tokens of members who are deactivated: who is reactivated connects anew. */
@Injectable()
export class MemberConnectionsHook implements MemberHook, OnModuleInit {
  constructor(
    private readonly hooks: MemberHooks,
    private readonly repository: McpConnectionsRepository,
  ) {}

  onModuleInit(): void {
    this.hooks.register(this);
  }

  async deactivated(tx: Transaction, _actor: Actor, { organizationId, userIds }: ChangedMembers): Promise<void> {
    await this.repository.deleteOf(tx, organizationId, userIds);
  }

  async ended(tx: Transaction, actor: Actor, members: ChangedMembers): Promise<void> {
    await this.deactivated(tx, actor, members);
  }
}
