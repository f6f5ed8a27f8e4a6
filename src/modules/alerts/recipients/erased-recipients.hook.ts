import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../../persistence/statements.js';
import type { Actor } from '../../audit/audit-trail.js';
import { type ErasedMember, type MemberHook, MemberHooks } from '../../organizations/members/member-hooks.js';
import { ErasedRecipientsRepository } from './erased-recipients.repository.js';

/** Takes the address of a person who is erased out of the alerts that are sent to it. */
@Injectable()
export class ErasedRecipientsHook implements MemberHook, OnModuleInit {
  constructor(
    private readonly hooks: MemberHooks,
    private readonly repository: ErasedRecipientsRepository,
  ) {}

  onModuleInit(): void {
    this.hooks.register(this);
  }

  async erased(
    tx: Transaction,
    _actor: Actor,
    { organizationId, email }: ErasedMember,
  ): Promise<Readonly<Record<string, number>>> {
    return { alerts: email === '' ? 0 : await this.repository.erase(tx, organizationId, email) };
  }
}
