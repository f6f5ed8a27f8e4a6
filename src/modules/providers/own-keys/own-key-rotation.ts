import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../../persistence/statements.js';
import { type KeyRotationListener, KeyRotationListeners, type RotatedKey } from '../../keys/key-rotation-listeners.js';
import { OwnKeysRepository } from './own-keys.repository.js';

/** Updates the key hashes that restrict own keys when an API key is rotated. */
@Injectable()
export class OwnKeyRotation implements KeyRotationListener, OnModuleInit {
  constructor(
    private readonly listeners: KeyRotationListeners,
    private readonly repository: OwnKeysRepository,
  ) {}

  onModuleInit(): void {
    this.listeners.register(this);
  }

  async onKeyRotated(tx: Transaction, { organizationId, before, after }: RotatedKey): Promise<void> {
    await this.repository.replaceKeyHash(tx, organizationId, before, after);
  }
}
