import { Injectable } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { AllowedAddresses } from '../../../http/addresses/allowed-addresses.js';
import { ReadByEdition } from '../../../persistence/read-by-edition.js';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import { ConnectionKeys } from './connection-keys.js';
import { ConnectionsRepository } from './connections.repository.js';
import type { ProviderConnectionEntity } from '../entities/provider-connection.entity.js';
import { isConnected, mergedConnection } from './merged-connection.js';
import { privateConnection } from './private-connection.js';
import { ECHO_CONNECTION, ECHO_PROVIDER, type ProviderConnection } from './provider-connection.js';
import { WELL_KNOWN_PROVIDERS } from './well-known-providers.js';

/** Connections by the slug of the provider. */
export type ConnectionsByProvider = ReadonlyMap<string, ProviderConnection>;

/** The connections of one edition. */
export interface ConnectionSet {
  /** The providers that the deployment itself can call. */
  readonly connected: ConnectionsByProvider;
  /** The providers that can be called with a key of an organization. */
  readonly reachable: ConnectionsByProvider;
}

/**
 * The connections of the deployment to providers (docs/providers.md): those that the operator has stored, with what the
 * environment says put over them, and the builtin one. Every call asks the database for the current edition, so no replica
 * uses a connection that was changed or removed.
 */
@Injectable()
export class ProviderConnections {
  private readonly connections: ReadByEdition<ConnectionSet>;

  /** Where connections to providers of organizations' own may lead. */
  private readonly privateAddresses: AllowedAddresses;

  constructor(
    repository: ConnectionsRepository,
    private readonly keys: ConnectionKeys,
    private readonly environment: Environment,
    private readonly logger: ServiceLogger,
  ) {
    this.privateAddresses = new AllowedAddresses(environment.allowPrivateUpstreams);
    this.connections = new ReadByEdition(
      () => repository.edition(),
      async () => this.merged(await repository.all()),
    );
  }

  async current(): Promise<ConnectionSet> {
    return this.connections.get();
  }

  /** The connections for a request of the gateway. @param edition the edition that CONNECTION_EDITION found for the request */
  async since(edition: string): Promise<ConnectionSet> {
    return this.connections.since(edition);
  }

  /** The providers that the deployment itself can call. */
  async all(): Promise<ConnectionsByProvider> {
    return (await this.connections.get()).connected;
  }

  /**
   * The providers that can be called with a key of an organization: those that are connected, and those with a well-known
   * address, which have no credential here.
   */
  async reachable(): Promise<ConnectionsByProvider> {
    return (await this.connections.get()).reachable;
  }

  /**
   * Connections with those of an organization's own providers. A slug that the catalog has as well by now stands for the organization's:
   * its provider keys are for that one.
   *
   * @param providers the organization's own providers, by their slugs
   */
  withPrivate(connections: ConnectionSet, providers: ReadonlyMap<string, string>): ConnectionSet {
    if (providers.size === 0) return connections;
    const own = [...providers.keys()].map((slug) => [slug, this.privateOne(slug, '')] as const);
    return { ...connections, reachable: new Map([...connections.reachable, ...own]) };
  }

  /** How a provider of an organization's own is called at an address. */
  privateOne(provider: string, baseUrl: string): ProviderConnection {
    return privateConnection(provider, baseUrl, this.privateAddresses);
  }

  private merged(rows: readonly ProviderConnectionEntity[]): ConnectionSet {
    const { providers, hasEchoProvider } = this.environment;
    const stored = new Map(rows.map((row) => [row.provider, this.keys.readable(row)] as const));
    const connected = new Map(hasEchoProvider ? [[ECHO_PROVIDER, ECHO_CONNECTION]] : []);
    const reachable = new Map(connected);
    for (const provider of new Set([...stored.keys(), ...providers.keys(), ...WELL_KNOWN_PROVIDERS.keys()])) {
      const sources = { stored: stored.get(provider), variables: providers.get(provider) };
      const connection = mergedConnection(provider, sources);
      if (connection === undefined) continue;
      reachable.set(provider, connection);
      if (isConnected(sources)) connected.set(provider, connection);
    }
    this.logger.event('provider connections', { providers: [...connected.keys()].sort() });
    return { connected, reachable };
  }
}
