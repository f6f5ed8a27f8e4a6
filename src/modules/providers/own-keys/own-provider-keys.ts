import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import type { ProviderConnection } from '../connections/provider-connection.js';
import type { ConnectionsByProvider } from '../connections/provider-connections.js';
import { EncryptedOwnKeys } from './encrypted-own-keys.js';
import {
  type RestrictableKey,
  type KeyUse,
  namesOf,
  OwnKeysRepository,
  type StoredKey,
  type UsableKeyRow,
} from './own-keys.repository.js';

export type { RestrictableKey, KeyUse };

/** Whether a provider key lets a provider be called for a model, by its canonical slug with the suffix of a variant. */
export type OwnKeyCheck = (provider: string, model: string) => boolean;

/** The number of decrypted keys that a process keeps. */
const REMEMBERED = 10_000;

/** A key of the organization's own that a request may use. */
export interface OwnKey {
  readonly id: string;
  readonly name: string | null;
  /** The slug of the provider. */
  readonly provider: string;
  /** How the provider is called with this key: the connection of the deployment, or its well-known address. */
  readonly connection: ProviderConnection;
  /** Whether it is tried after the credentials of the deployment, and not before them. */
  readonly isFallback: boolean;
  /** The place among the provider keys for this provider. */
  readonly sortOrder: number;
}

/** A key that was decrypted from these bytes; undefined if it could not be. */
interface DecryptedKey {
  readonly bytes: Buffer;
  readonly apiKey: string | undefined;
}

/**
 * The provider keys that a request may use. They are read with every request, so that a key that was disabled or deleted through
 * any replica is not used; only their decryption is remembered, for as long as the encrypted bytes are the same.
 */
@Injectable()
export class OwnProviderKeys {
  private readonly decrypted = new LRUCache<string, DecryptedKey>({ max: REMEMBERED });

  constructor(
    private readonly repository: OwnKeysRepository,
    private readonly encrypted: EncryptedOwnKeys,
    private readonly logger: ServiceLogger,
  ) {}

  /**
   * The keys for a caller and a model: those that are tried first come first, the fallbacks last. A key whose provider has no
   * address, or that cannot be decrypted, is left out.
   *
   * @param reachable the providers that can be called with a provider key, read for this request
   */
  async ofCaller(use: KeyUse, reachable: ConnectionsByProvider): Promise<readonly OwnKey[]> {
    const rows = await this.repository.usable(use);
    return rows.flatMap((row) => {
      const connection = reachable.get(row.provider);
      const apiKey = connection && this.apiKeyOf(row);
      return apiKey === undefined ? [] : [ownKey(row, { ...connection!, apiKey })];
    });
  }

  /**
   * Prepares the question which providers the provider keys make callable, for all models at once: the keys of {@link ofCaller}.
   *
   * @param reachable the providers that can be called with a provider key
   */
  async checkOf(key: RestrictableKey, reachable: ConnectionsByProvider): Promise<OwnKeyCheck> {
    const rows = await this.repository.ofCaller(key);
    const usable = rows.filter((row) => reachable.has(row.provider) && this.apiKeyOf(row) !== undefined);
    return (provider, model) =>
      usable.some(({ provider: ofKey, allowedModels }) => {
        return (
          ofKey === provider && (allowedModels === null || namesOf(model).some((name) => allowedModels.includes(name)))
        );
      });
  }

  private apiKeyOf(row: StoredKey): string | undefined {
    const place = [row.organizationId, row.workspaceId, row.provider, row.id].join('/');
    const known = this.decrypted.get(place);
    if (known?.bytes.equals(row.encryptedKey) === true) return known.apiKey;
    const apiKey = this.decrypt(row);
    this.decrypted.set(place, { bytes: row.encryptedKey, apiKey });
    return apiKey;
  }

  private decrypt(row: StoredKey): string | undefined {
    try {
      return this.encrypted.decrypted(row);
    } catch (error) {
      this.logger.warn(`provider key ${row.id} cannot be read: ${(error as Error).message}`);
      return undefined;
    }
  }
}

function ownKey({ id, name, provider, isFallback, sortOrder }: UsableKeyRow, connection: ProviderConnection): OwnKey {
  return { id, name, provider, connection, isFallback, sortOrder };
}
