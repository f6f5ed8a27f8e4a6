import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ClientPrincipal, ManagementPrincipal } from '../../auth/principal.js';
import { newUuid } from '../../database/identifiers.js';
import type { DeleteKeysResponse } from './dto/delete-key-response.dto.js';
import type { KeyPath } from './dto/key-path.dto.js';
import { KeyDeletionRateLimit } from './key-deletion-rate-limit.js';
import { issueCredential } from './key-format.js';
import { KeyNotFound } from './keys.errors.js';
import { type NewKey, newKeyRow } from './new-key.js';
import { KeysRepository } from './keys.repository.js';

const HASH = /^[0-9a-f]{64}$/;

/** A key or client that was just made, with its secret, which is known this once. */
export interface Issued {
  readonly id: string;
  readonly plaintext: string;
  /** SHA-256 in lowercase hex. */
  readonly hash: string;
}

/** Management keys, API keys and Connect clients. */
@Injectable()
export class KeysService {
  constructor(
    private readonly repository: KeysRepository,
    private readonly rateLimit: KeyDeletionRateLimit,
  ) {}

  /**
   * Deletes a key; from then on no replica accepts it (SERVICE.md, section 4.3a). A client reaches only the keys that it
   * created, and cannot tell others from none.
   *
   * @throws TooManyKeyDeletions
   * @throws KeyNotFound
   */
  async delete(caller: ManagementPrincipal | ClientPrincipal, input: KeyPath): Promise<DeleteKeysResponse> {
    await this.rateLimit.count(caller.credentialId);
    const connectClientId = caller.kind === 'client_secret' ? caller.connectClientId : undefined;
    const deleted =
      HASH.test(input.hash) &&
      (await this.repository.deleteKey(caller.organizationId, Buffer.from(input.hash, 'hex'), connectClientId));
    if (!deleted) throw new KeyNotFound();
    return { deleted: true };
  }

  /** Makes a key of either kind. */
  async issue(manager: EntityManager, key: NewKey): Promise<Issued> {
    const { row, plaintext } = newKeyRow(key);
    await this.repository.insertKey(manager, row);
    return { id: row.id, plaintext, hash: row.hash.toString('hex') };
  }

  /** Makes a Connect client with a secret. */
  async createClient(
    manager: EntityManager,
    organizationId: string,
    name: string,
    callbackUrls: string[],
  ): Promise<Issued> {
    const { plaintext, hash } = issueCredential('client_secret');
    const id = newUuid();
    const client = { id, organizationId, name, callbackUrls, secretHash: hash, createdAt: new Date() };
    await this.repository.insertClient(manager, client);
    return { id, plaintext, hash: hash.toString('hex') };
  }
}
