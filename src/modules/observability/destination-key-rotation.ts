import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../persistence/statements.js';
import { type KeyRotationListener, KeyRotationListeners, type RotatedKey } from '../keys/key-rotation-listeners.js';
import { ObservabilityRepository } from './observability.repository.js';

/** Updates the key hashes of destinations when a key is rotated. */
@Injectable()
export class DestinationKeyRotation implements KeyRotationListener, OnModuleInit {
  constructor(
    private readonly listeners: KeyRotationListeners,
    private readonly repository: ObservabilityRepository,
  ) {}

  onModuleInit(): void {
    this.listeners.register(this);
  }

  async onKeyRotated(tx: Transaction, { organizationId, before, after }: RotatedKey): Promise<void> {
    await this.repository.replaceKeyHash(tx, organizationId, before, after);
  }
}
