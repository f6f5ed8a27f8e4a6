import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { StatementRunner } from '../../database/statements.js';
import { type KeyFollower, KeyFollowers, type RotatedKey } from '../keys/key-followers.js';
import { ObservabilityRepository } from './observability.repository.js';

/** The keys whose generations a destination is told of: it goes on being told when one of them is rotated. */
@Injectable()
export class DestinationKeys implements KeyFollower, OnModuleInit {
  constructor(
    private readonly followers: KeyFollowers,
    private readonly repository: ObservabilityRepository,
  ) {}

  onModuleInit(): void {
    this.followers.register(this);
  }

  async follow(on: StatementRunner, { organizationId, before, after }: RotatedKey): Promise<void> {
    await this.repository.replaceKeyHash(on, organizationId, before, after);
  }
}
