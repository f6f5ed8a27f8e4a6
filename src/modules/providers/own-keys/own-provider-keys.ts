import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import type { ProviderConnection } from '../connections/provider-connection.js';
import type { ConnectionsByProvider } from '../connections/provider-connections.js';
import { EncryptedOwnKeys } from './encrypted-own-keys.js';
import {
  type CallerKeyRow,
  type KeyRules,
  type RestrictableKey,
  type KeyUse,
  namesOf,
  OwnKeysRepository,
  type StoredKey,
  type UsableKeyRow,
} from './own-keys.repository.js';

export type { RestrictableKey, KeyUse };

/** The provider keys of a caller for a model. */
export interface OwnKeys {
  /** In the order in which they are tried, the fallbacks last. */
  readonly keys: readonly OwnKey[];
  /** The providers for which the credentials of the deployment are not used, even if no key is left. */
  readonly withoutShared: ReadonlySet<string>;
}

/** No keys, and no rules. */
export const NO_OWN_KEYS: OwnKeys = { keys: [], withoutShared: new Set() };

/** How a provider can be called for a model. */
export interface ProviderWays {
  /** Whether the credentials of the deployment may be used. */
  readonly isSharedAllowed: boolean;
  /** What each usable key declares of zero data retention; null where it goes by the endpoint. */
  readonly declaredZdr: readonly (boolean | null)[];
}

/**
 * Says how a provider can be called for a model, by its canonical slug with the suffix of a variant.
 *
 * @param isPrivate whether it is a provider of the organization's own, which needs no connection of the deployment
 */
export type OwnKeyCheck = (provider: string, model: string, isPrivate: boolean) => ProviderWays;

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
  /** Whether it may answer requests that demand zero data retention; null for what the endpoint says. */
  readonly declaredZdr: boolean | null;
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
   * The keys for a caller and a model. A key whose provider has no address, or that cannot be decrypted, is left out, but what it
   * says of the credentials of the deployment stands.
   *
   * @param reachable the providers that can be called with a provider key, read for this request
   */
  async ofCaller(use: KeyUse, reachable: ConnectionsByProvider): Promise<OwnKeys> {
    const rows = await this.repository.usable(use);
    const withoutShared = new Set(
      rows.filter((row) => forbidsShared(row, row.isForModel)).map(({ provider }) => provider),
    );
    const keys = rows.flatMap((row) => {
      if (!row.isForModel) return [];
      const connection = reachable.get(row.provider);
      const apiKey = connection && this.apiKeyOf(row);
      return apiKey === undefined ? [] : [ownKey(row, { ...connection!, apiKey, isOwnKey: true })];
    });
    return { keys, withoutShared };
  }

  /**
   * Prepares the question how providers can be called, for all models at once: the keys and rules of {@link ofCaller}.
   *
   * @param reachable the providers that can be called with a provider key
   */
  async checkOf(key: RestrictableKey, reachable: ConnectionsByProvider): Promise<OwnKeyCheck> {
    const rows = await this.repository.ofCaller(key);
    return (provider, model, isPrivate) => {
      const ofProvider = rows
        .filter((row) => row.provider === provider)
        .map((row) => ({ row, isForModel: isForModel(row, model) }));
      return {
        isSharedAllowed: !ofProvider.some(({ row, isForModel: isForIt }) => forbidsShared(row, isForIt)),
        declaredZdr: ofProvider
          .filter(
            ({ row, isForModel: isForIt }) =>
              isForIt && (isPrivate || reachable.has(provider)) && this.apiKeyOf(row) !== undefined,
          )
          .map(({ row }) => row.declaredZdr),
      };
    };
  }

  /** The providers for which an organization has a key in any of its workspaces. */
  async providersOf(organizationId: string): Promise<ReadonlySet<string>> {
    return this.repository.providersOf(organizationId);
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

function ownKey(
  { id, name, provider, isFallback, declaredZdr, sortOrder }: UsableKeyRow,
  connection: ProviderConnection,
): OwnKey {
  return { id, name, provider, connection, isFallback, declaredZdr, sortOrder };
}

/** Whether the credentials of the deployment for the provider of a key are not used. @param isForIt whether the key is for the model */
function forbidsShared({ isRequired, isByokOnly }: KeyRules, isForIt: boolean): boolean {
  return isByokOnly || (isRequired && isForIt);
}

function isForModel({ allowedModels }: Pick<CallerKeyRow, 'allowedModels'>, model: string): boolean {
  return allowedModels === null || namesOf(model).some((name) => allowedModels.includes(name));
}
