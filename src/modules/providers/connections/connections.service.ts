import { Injectable } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import type { CatalogEndpoint } from '../../catalog/catalog-endpoint.js';
import { CatalogImportService } from '../../catalog/import/catalog-import.service.js';
import { type CatalogModel, namedModel } from '../../catalog/catalog-model.js';
import { CatalogLookup } from '../../catalog/catalog-lookup.service.js';
import { InvalidCatalog } from '../../catalog/import/invalid-catalog.js';
import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import { Statements } from '../../../persistence/statements.js';
import { type Actor, COMMAND_LINE } from '../../audit/audit-trail.js';
import { created } from '../../audit/audited-event.js';
import { DeploymentTrail } from '../../audit/deployment-trail.service.js';
import { EncryptionState } from '../../encryption/encryption-state.js';
import { labelOfSecret } from '../credentials/credential-secret.js';
import { ConnectionKeys } from './connection-keys.js';
import { addressOf, type ConnectionAddress, type ConnectionRequest, InvalidConnection } from './connection-request.js';
import { ConnectionsRepository } from './connections.repository.js';
import type { StoredConnection } from './merged-connection.js';
import type { ProviderConnection } from './provider-connection.js';
import type { MadeConnection } from './made-connection.js';
import type { ShownConnection } from './shown-connection.js';
import { upstreamModelOf } from './upstream-model.js';
import { ProviderConnections } from './provider-connections.js';

/** Who connects a provider. */
export interface ConnectedBy {
  readonly actor: Actor;
  /** Whether the address is one that the interface has chosen. */
  readonly isFromInterface: boolean;
}

const BY_COMMAND_LINE: ConnectedBy = { actor: COMMAND_LINE, isFromInterface: false };

/** What an operator does with the connections of the deployment. */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly repository: ConnectionsRepository,
    private readonly connections: ProviderConnections,
    private readonly keys: ConnectionKeys,
    private readonly encryption: EncryptionState,
    private readonly catalog: CatalogLookup,
    private readonly catalogImport: CatalogImportService,
    private readonly environment: Environment,
    private readonly statements: Statements,
    private readonly trail: DeploymentTrail,
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
   * Connects a provider, in place of the connection that it may have. One that the catalog lacks is added to it, and so are
   * endpoints for the models that are named, where the catalog has none of them at the provider.
   *
   * @throws InvalidConnection
   * @throws EncryptionKeyMismatch
   */
  async connect(request: ConnectionRequest, by = BY_COMMAND_LINE): Promise<MadeConnection> {
    const { provider, apiKey, timeouts } = request;
    const isNewProvider = await this.isNew(provider);
    const address = { provider, ...addressOf(request, isNewProvider) };
    const models = await this.byCanonicalSlug(request);
    const catalog = await this.catalog.catalog();
    const addedEndpoints = Object.keys(request.models).flatMap((name) => {
      const model = namedModel(catalog, name);
      if (model === undefined) throw unknownModel(name, provider);
      return model.endpoints.some(({ row }) => row.providerSlug === provider) ? [] : [model];
    });
    await this.encryption.assertFits();
    if (isNewProvider) await this.extendCatalog({ providers: [{ slug: provider, name: provider }] });
    if (addedEndpoints.length > 0) {
      const ids = [...new Set(addedEndpoints.map(({ row }) => row.id))];
      await this.extendCatalog({ endpoints: ids.map((id) => ({ id, endpoints: [{ tag: provider }] })) });
    }
    const encryptedApiKey = this.keys.encrypted(address, apiKey);
    const capabilities: ModelCapabilities | null = request.capabilities ?? null;
    const { isFromInterface } = by;
    const connection = {
      ...address,
      encryptedApiKey,
      timeouts: { ...timeouts },
      models,
      capabilities,
      isFromInterface,
    };
    const changes = created({
      protocol: address.protocol,
      base_url: address.baseUrl,
      ...(address.preset !== null && { preset: address.preset }),
      ...(address.address !== null && { address: address.address }),
      ...(address.credential !== null && { credential: address.credential }),
      models,
      timeouts,
      capabilities,
      has_api_key: apiKey !== null,
    });
    await this.statements.transaction(async (tx) => {
      await this.repository.replace(tx, connection);
      await this.trail.record(tx, { action: 'provider.connect', targetId: provider, changes }, by.actor);
    });
    const { models: known } = await this.catalog.catalog();
    const made = (await this.connections.reachable()).get(provider);
    const served = known.filter((model) => model.endpoints.some(({ row }) => isServed(made, model, row)));
    return {
      isNewProvider,
      servedModels: served.map(({ row }) => row.id),
      unnamedModels: known
        .filter((model) => !served.includes(model) && model.endpoints.some(({ row }) => row.providerSlug === provider))
        .map(({ row }) => row.id),
      addedEndpoints: addedEndpoints.map(({ row }) => ({ model: row.id, pricing: row.pricing })),
    };
  }

  /**
   * The address that a connection as asked for would have.
   *
   * @throws InvalidConnection
   */
  async addressOf(request: ConnectionRequest): Promise<ConnectionAddress> {
    return addressOf(request, await this.isNew(request.provider));
  }

  /** The stored connection of a provider, with its credential. */
  async stored(provider: string): Promise<StoredConnection | undefined> {
    const row = await this.repository.find(provider);
    return row && this.keys.readable(row);
  }

  /** Whether variables of the environment say something about a provider. */
  isInEnvironment(provider: string): boolean {
    return this.environment.providers.has(provider);
  }

  /** Whether the deployment itself can call a provider. */
  async isConnected(provider: string): Promise<boolean> {
    return (await this.connections.all()).has(provider);
  }

  /** Whether the connection of a provider serves a model of the catalog there. @param id the id of the model */
  async serves(provider: string, id: string): Promise<boolean> {
    const [{ modelsById }, connections] = await Promise.all([this.catalog.catalog(), this.connections.all()]);
    const model = modelsById.get(id);
    return model?.endpoints.some(({ row }) => isServed(connections.get(provider), model, row)) === true;
  }

  /** Removes the stored connection of a provider. @returns whether there was one */
  async disconnect(provider: string, actor: Actor = COMMAND_LINE): Promise<boolean> {
    return this.statements.transaction(async (tx) => {
      const wasConnected = await this.repository.delete(tx, provider);
      if (wasConnected) await this.trail.record(tx, { action: 'provider.disconnect', targetId: provider }, actor);
      return wasConnected;
    });
  }

  /** Every provider that is connected, also those that cannot be used, by slug. */
  async list(): Promise<ShownConnection[]> {
    const [connected, reachable, rows] = await Promise.all([
      this.connections.all(),
      this.connections.reachable(),
      this.repository.all(),
    ]);
    const stored = new Map(rows.map((row) => [row.provider, row]));
    const given = new Set([...connected.keys(), ...stored.keys()]);
    return [...given].sort().flatMap((provider) => {
      const connection = reachable.get(provider);
      if (connection === undefined) return [];
      const { apiKey } = connection;
      const sources = [
        ...(connection.protocol === 'echo' ? (['builtin'] as const) : []),
        ...(stored.has(provider) ? (['database'] as const) : []),
        ...(this.environment.providers.has(provider) ? (['environment'] as const) : []),
      ];
      const shown = apiKey === null ? null : labelOfSecret(apiKey);
      const preset = stored.get(provider)?.preset ?? null;
      return [{ ...connection, apiKey: shown, preset, sources, isUsable: connected.has(provider) }];
    });
  }

  private async isNew(provider: string): Promise<boolean> {
    return !(await this.catalog.providerSlugsOf([provider])).has(provider);
  }

  private async byCanonicalSlug({ provider, models }: ConnectionRequest): Promise<Record<string, string>> {
    const slugs = await this.catalog.canonicalSlugsOf(Object.keys(models));
    return Object.fromEntries(
      Object.entries(models).map(([name, upstreamName]) => {
        const slug = slugs.get(name);
        if (slug === undefined) throw unknownModel(name, provider);
        return [slug, upstreamName];
      }),
    );
  }

  private async extendCatalog(content: object): Promise<void> {
    try {
      await this.catalogImport.import([{ source: 'connection', content }]);
    } catch (error) {
      if (error instanceof InvalidCatalog) {
        throw new InvalidConnection('models', error.issues.join('; '), error.issues.join('\n'));
      }
      throw error;
    }
  }
}

/** Whether a connection serves a model at an endpoint. @param connection undefined for none */
export function isServed(
  connection: Pick<ProviderConnection, 'provider' | 'models' | 'protocol' | 'serves'> | undefined,
  { row: { id, canonicalSlug } }: CatalogModel,
  { providerSlug, upstreamId, isOwn }: CatalogEndpoint['row'],
): boolean {
  if (connection?.provider !== providerSlug) return false;
  return upstreamModelOf(connection, { id, canonicalSlug, upstreamId, isOwn }) !== undefined;
}

function unknownModel(name: string, provider: string): InvalidConnection {
  return new InvalidConnection(
    'models',
    `name ${name}, which the catalog does not have`,
    `The catalog has no model ${name}. To add it: gatehouse model add ${name} --provider ${provider} --context N --prompt-price X --completion-price Y`,
  );
}
