import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ClientPrincipal, ManagementPrincipal } from '../../auth/principal.js';
import { newUuid } from '../../database/identifiers.js';
import type { DeleteKeysResponse } from './dto/delete-key-response.dto.js';
import type { KeyPath } from './dto/key-path.dto.js';
import type { ApiKeyEntity } from './entities/api-key.entity.js';
import { KeyDeletionRateLimit } from './key-deletion-rate-limit.js';
import { issueCredential } from './key-format.js';
import { KeyNotFound } from './keys.errors.js';
import { KeysRepository } from './keys.repository.js';

const HASH = /^[0-9a-f]{64}$/;

/** A key to be made; what is left out is null. */
export type NewKey = Pick<ApiKeyEntity, 'kind' | 'organizationId' | 'userId' | 'name'> &
  Partial<Pick<ApiKeyEntity, 'workspaceId' | 'connectClientId' | 'limitUsd' | 'limitReset' | 'expiresAt'>>;

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
    const { plaintext, hash, label } = issueCredential(key.kind);
    const id = newUuid();
    await this.repository.insertKey(manager, {
      id,
      organizationId: key.organizationId,
      userId: key.userId,
      kind: key.kind,
      hash,
      name: key.name,
      label,
      workspaceId: key.workspaceId ?? null,
      connectClientId: key.connectClientId ?? null,
      disabled: false,
      limitUsd: key.limitUsd ?? null,
      limitReset: key.limitReset ?? null,
      expiresAt: key.expiresAt ?? null,
      createdAt: new Date(),
      updatedAt: null,
    });
    return { id, plaintext, hash: hash.toString('hex') };
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
