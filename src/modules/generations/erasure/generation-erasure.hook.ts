import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type MemberHook, MemberHooks, type OneMember } from '../../organizations/members/member-hooks.js';
import { GenerationErasureRepository } from './generation-erasure.repository.js';

/** Erases logged contents of a person, and what their records have of them; records, costs and sums stay. */
@Injectable()
export class GenerationErasureHook implements MemberHook, OnModuleInit {
  constructor(
    private readonly hooks: MemberHooks,
    private readonly repository: GenerationErasureRepository,
  ) {}

  onModuleInit(): void {
    this.hooks.register(this);
  }

  async erasing({ organizationId, userId }: OneMember): Promise<Readonly<Record<string, number>>> {
    return { generations: await this.repository.erase(organizationId, userId) };
  }
}
