import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { originOf } from '../../../config/provider-variables.js';
import { PUBLIC_ADDRESSES } from '../../../http/addresses/allowed-addresses.js';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { type PageQuery, toPageRequest, toPageResponse } from '../../../http/pagination/pagination.js';
import { RequestSlots } from '../../../http/request-limits/request-slots.js';
import { HostAddresses } from '../../observability/addresses/host-addresses.js';
import {
  type ConnectionAddress,
  type ConnectionRequest,
  InvalidConnection,
} from '../connections/connection-request.js';
import { ConnectionTestService } from '../connections/connection-test.service.js';
import { ConnectionsService } from '../connections/connections.service.js';
import type { MadeConnection } from '../connections/made-connection.js';
import type { StoredConnection } from '../connections/merged-connection.js';
import { ProviderConnections } from '../connections/provider-connections.js';
import { KeysOfOtherAddress } from '../own-keys/own-keys.errors.js';
import { OwnKeysService } from '../own-keys/own-keys.service.js';
import type {
  ConnectProviderPath,
  ConnectProviderRequest,
  ConnectProviderResponse,
  DisconnectProviderResponse,
  ListProviderConnectionsResponse,
  ProviderConnectionPath,
  TestProviderConnectionResponse,
} from './operator-connections.dto.js';
import {
  CREDENTIAL_REQUIRED,
  INVALID_CONNECTION,
  PRIVATE_ADDRESS_NOT_ALLOWED,
  ProviderConnectionNotFound,
  ProviderInEnvironment,
} from './operator-connections.errors.js';
import { toMadeConnection, toProviderConnection, toProviderConnectionTest } from './operator-connections.mapper.js';

type ConnectInput = ConnectProviderPath & ConnectProviderRequest;

/** What the operator's organization does with the connections of the deployment (docs/interface/provider-connections.md). */
@Injectable()
export class OperatorConnectionsService {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly current: ProviderConnections,
    private readonly tests: ConnectionTestService,
    private readonly ownKeys: OwnKeysService,
    private readonly addresses: HostAddresses,
    private readonly slots: RequestSlots,
  ) {}

  /** Lists the connected providers, by slug. */
  async list(input: PageQuery): Promise<ListProviderConnectionsResponse> {
    const all = await this.connections.list();
    const { offset, limit } = toPageRequest(input);
    return toPageResponse({ items: all.slice(offset, offset + limit), totalCount: all.length }, toProviderConnection);
  }

  /**
   * Connects a provider, in place of the connection that it may have, and tries it.
   *
   * @param signal ends the look-up of the host
   * @throws BadRequestError for what no connection can have, for an address that is not public unless the command line has set it, and for
   *   another address without the credential
   * @throws ProviderInEnvironment for a provider that variables of the environment name
   * @throws KeysOfOtherAddress for another origin, while organizations have provider keys
   */
  async connect(
    caller: ManagementPrincipal,
    input: ConnectInput,
    signal: AbortSignal,
  ): Promise<ConnectProviderResponse> {
    const { provider } = input;
    const made = await this.slots.run(caller.organizationId, async () => {
      if (this.connections.isInEnvironment(provider)) throw new ProviderInEnvironment();
      const stored = await this.connections.stored(provider);
      return this.store(caller, requestOf(input, stored), { input, stored, signal });
    });
    const test = await this.tests.test(provider);
    const all = await this.slots.run(caller.organizationId, () => this.connections.list());
    const shown = all.find((connection) => connection.provider === provider);
    // Disconnected again meanwhile.
    if (shown === undefined || test.outcome === 'not_connected') throw new ProviderConnectionNotFound();
    return {
      data: {
        ...toProviderConnection(shown),
        ...toMadeConnection(made),
        test: toProviderConnectionTest(provider, test),
      },
    };
  }

  /** Asks a provider whether it accepts the credential. @throws ProviderConnectionNotFound */
  async test({ provider }: ProviderConnectionPath): Promise<TestProviderConnectionResponse> {
    const test = await this.tests.test(provider);
    if (test.outcome === 'not_connected') throw new ProviderConnectionNotFound();
    return { data: toProviderConnectionTest(provider, test) };
  }

  /** Removes the stored connection of a provider. @throws ProviderConnectionNotFound */
  async disconnect(
    caller: ManagementPrincipal,
    { provider }: ProviderConnectionPath,
  ): Promise<DisconnectProviderResponse> {
    if (!(await this.connections.disconnect(provider, caller))) throw new ProviderConnectionNotFound();
    return { deleted: true };
  }

  private async store(
    caller: ManagementPrincipal,
    request: ConnectionRequest,
    {
      input,
      stored,
      signal,
    }: { readonly input: ConnectInput; readonly stored: StoredConnection | undefined; readonly signal: AbortSignal },
  ): Promise<MadeConnection> {
    try {
      const address = await this.connections.addressOf(request);
      const isSame = stored !== undefined && isDeepStrictEqual(identityOf(stored), identityOf(address));
      if (input.api_key === undefined && stored?.apiKey != null && !isSame) {
        throw BadRequestError.of([CREDENTIAL_REQUIRED.at('api_key')]);
      }
      if (!isSame) {
        requireApplication(address);
        await this.requireAllowed(address.baseUrl, caller, signal);
      }
      await this.requireKnownOrigin(request.provider, address);
      const isFromInterface = isSame ? stored.isFromInterface : true;
      return await this.connections.connect(request, { actor: caller, isFromInterface });
    } catch (error) {
      if (!(error instanceof InvalidConnection)) throw error;
      // The stored one does not even have the form of another way to show it.
      const isOther = error.field === 'api_key' && input.api_key === undefined && stored?.apiKey != null;
      throw BadRequestError.of([
        isOther ? CREDENTIAL_REQUIRED.at('api_key') : INVALID_CONNECTION.at(error.field, error.problem),
      ]);
    }
  }

  /** @throws BadRequestError for an address that leads anywhere but to the internet */
  private async requireAllowed(
    baseUrl: string,
    { organizationId }: ManagementPrincipal,
    signal: AbortSignal,
  ): Promise<void> {
    const issue = await this.addresses.issueOf(baseUrl, 'url', PUBLIC_ADDRESSES, { organizationId, signal });
    if (issue !== undefined) throw BadRequestError.of([PRIVATE_ADDRESS_NOT_ALLOWED.at('base_url', issue)]);
  }

  /**
   * Requires that the provider keys of organizations are sent to no other origin than before: the caller does not know them, and may not
   * have them sent to a server of theirs.
   *
   * @throws KeysOfOtherAddress
   */
  private async requireKnownOrigin(provider: string, { baseUrl }: ConnectionAddress): Promise<void> {
    const now = (await this.current.reachable()).get(provider);
    if (now !== undefined && originOf(now.baseUrl) === originOf(baseUrl)) return;
    if (await this.ownKeys.existFor(provider)) throw new KeysOfOtherAddress();
  }
}

/**
 * Requires that an application of Entra ID is named: variables of the machine, which name it otherwise, stay with the command line.
 *
 * @throws InvalidConnection
 */
function requireApplication({ credential }: ConnectionAddress): void {
  if (credential?.scheme !== 'entra') return;
  const { tenantId, clientId } = credential;
  const missing = tenantId === undefined ? 'tenant_id' : clientId === undefined ? 'client_id' : undefined;
  if (missing === undefined) return;
  const problem = 'is needed by this credential';
  throw new InvalidConnection(missing, problem, `${missing} ${problem}.`);
}

/** What a credential is given for: with another one of these it is demanded again. */
function identityOf({ protocol, baseUrl, address, credential }: ConnectionAddress): object {
  return { protocol, baseUrl, address, credential };
}

function requestOf(input: ConnectInput, stored: StoredConnection | undefined): ConnectionRequest {
  const { provider, protocol, base_url: baseUrl, preset, credential, models = [], timeouts = {}, capabilities } = input;
  const settings = {
    resource: input.resource,
    apiVersion: input.api_version,
    region: input.region,
    project: input.project,
    location: input.location,
    tenantId: input.tenant_id,
    clientId: input.client_id,
  };
  const { first_event: firstEvent, ...steps } = timeouts;
  return {
    provider,
    protocol,
    baseUrl,
    preset,
    settings: Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
    credential,
    apiKey: input.api_key === undefined ? (stored?.apiKey ?? null) : input.api_key,
    models: Object.fromEntries(models.map(({ model, upstream_model_id: name }) => [model, name])),
    timeouts: { ...steps, ...(firstEvent !== undefined && { firstEvent }) },
    capabilities,
  };
}
