import { Injectable } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import { CatalogService } from '../../catalog/catalog.service.js';
import { EncryptionState } from '../../encryption/encryption-state.js';
import { maskCredential } from '../../encryption/credential-mask.js';
import { ConnectionKeys } from './connection-keys.js';
import { addressOf, type ConnectionRequest, InvalidConnection } from './connection-request.js';
import { ConnectionsRepository } from './connections.repository.js';
import type { ProviderConnection } from './provider-connection.js';
import { ProviderConnections } from './provider-connections.js';

/** A connection as an operator is shown it. */
export interface ShownConnection extends Omit<ProviderConnection, 'apiKey'> {
  /** Masked; null for none. */
  readonly apiKey: string | null;
  /** Where it was given. */
  readonly sources: readonly ('builtin' | 'database' | 'environment')[];
  /** Whether it can be used: not if its credential cannot be decrypted. */
  readonly isUsable: boolean;
}

/** What an operator does with the connections of the deployment. */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly repository: ConnectionsRepository,
    private readonly connections: ProviderConnections,
    private readonly keys: ConnectionKeys,
    private readonly encryption: EncryptionState,
    private readonly catalog: CatalogService,
    private readonly environment: Environment,
    private readonly logger: ServiceLogger,
  ) {}

  /** Warns of variables that name no provider: not an error, because the next import of the catalog may bring it. */
  async warnOfUselessVariables(): Promise<void> {
    const named = [...this.environment.providers.keys()];
    const known = await this.catalog.providerSlugsOf(named);
    const reachable = named.length === 0 ? new Map() : await this.connections.reachable();
    for (const provider of named) {
      if (!known.has(provider))
        this.logger.warn(`the catalog has no provider ${provider}, which variables PROVIDER_* name`);
      else if (!reachable.has(provider)) {
        this.logger.warn(`provider ${provider} has no address: set the variable PROVIDER_*_BASE_URL`);
      }
    }
  }

  /**
   * Connects a provider, in place of the connection that it may have.
   *
   * @throws InvalidConnection
   * @throws EncryptionKeyMismatch
   */
  async connect(request: ConnectionRequest): Promise<void> {
    const { provider, apiKey, timeouts } = request;
    const address = { provider, ...addressOf(request) };
    if (!(await this.catalog.providerSlugsOf([provider])).has(provider)) {
      throw new InvalidConnection(`The catalog has no provider ${provider}.`);
    }
    const models = await this.byCanonicalSlug(request.models);
    await this.encryption.assertFits();
    const encryptedApiKey = this.keys.encrypted(address, apiKey);
    await this.repository.replace({ ...address, encryptedApiKey, timeouts: { ...timeouts }, models });
  }

  /** Removes the stored connection of a provider. @returns whether there was one */
  async disconnect(provider: string): Promise<boolean> {
    return this.repository.delete(provider);
  }

  /** Every provider that is connected, also those that cannot be used, by slug. */
  async list(): Promise<ShownConnection[]> {
    const [connected, reachable, rows] = await Promise.all([
      this.connections.all(),
      this.connections.reachable(),
      this.repository.all(),
    ]);
    const stored = new Set(rows.map(({ provider }) => provider));
    const given = new Set([...connected.keys(), ...stored]);
    return [...given].sort().flatMap((provider) => {
      const connection = reachable.get(provider);
      if (connection === undefined) return [];
      const { apiKey } = connection;
      const sources = [
        ...(connection.protocol === 'echo' ? (['builtin'] as const) : []),
        ...(stored.has(provider) ? (['database'] as const) : []),
        ...(this.environment.providers.has(provider) ? (['environment'] as const) : []),
      ];
      const shown = apiKey === null ? null : maskCredential(apiKey);
      return [{ ...connection, apiKey: shown, sources, isUsable: connected.has(provider) }];
    });
  }

  private async byCanonicalSlug(models: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    const slugs = await this.catalog.canonicalSlugsOf(Object.keys(models));
    return Object.fromEntries(
      Object.entries(models).map(([name, upstreamName]) => {
        const slug = slugs.get(name);
        if (slug === undefined) throw new InvalidConnection(`The catalog has no model ${name}.`);
        return [slug, upstreamName];
      }),
    );
  }
}
