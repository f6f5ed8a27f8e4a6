import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../persistence/statements.js';

/** The rotation of a key: its hash before and after. */
export interface RotatedKey {
  readonly organizationId: string;
  /** SHA-256 in lowercase hex. */
  readonly before: string;
  readonly after: string;
}

/** Implemented by modules that store the hashes of keys. */
export interface KeyRotationListener {
  /** Replaces the old hash by the new one. @param tx the transaction that rotates the key */
  onKeyRotated(tx: Transaction, key: RotatedKey): Promise<void>;
}

/** The listeners of dependent modules, which register them when they start. */
@Injectable()
export class KeyRotationListeners {
  private readonly listeners: KeyRotationListener[] = [];

  register(listener: KeyRotationListener): void {
    this.listeners.push(listener);
  }

  async onKeyRotated(tx: Transaction, key: RotatedKey): Promise<void> {
    for (const listener of this.listeners) await listener.onKeyRotated(tx, key);
  }
}
