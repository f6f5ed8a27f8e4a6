import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type MemberHook, MemberHooks, type OneMember } from '../organizations/members/member-hooks.js';
import { ResponseCache } from './response-cache.service.js';

/** Deletes the cached answers of an organization when a person is erased: an entry does not say whose request it answered first. */
@Injectable()
export class PurgeMemberHook implements MemberHook, OnModuleInit {
  constructor(
    private readonly hooks: MemberHooks,
    private readonly cache: ResponseCache,
  ) {}

  onModuleInit(): void {
    this.hooks.register(this);
  }

  async erasing({ organizationId }: OneMember): Promise<Readonly<Record<string, number>>> {
    await this.cache.purge(organizationId);
    return {};
  }
}
