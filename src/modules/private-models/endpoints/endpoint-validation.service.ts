import { Injectable } from '@nestjs/common';
import { FairQueue } from '../../../concurrency/fair-queue.js';
import { isModelFor } from '../../../telemetry/operations.js';
import { addressOfEndpoint, privateEndpointOf } from '../../catalog/private/private-models.js';
import { CatalogLookup } from '../../catalog/catalog-lookup.service.js';
import type { CatalogModel } from '../../catalog/catalog-model.js';
import type { PlannedPrivateEndpoint } from '../../catalog/private/private-catalog.repository.js';
import { capabilitiesOfCandidate, translatedRequest } from '../../codecs/capabilities/translated-request.js';
import { KNOWN_MODEL } from '../../codecs/chat/known-model.js';
import { ProviderError } from '../../codecs/errors/provider-error.js';
import { RequestAdjustments } from '../../codecs/chat/request-adjustments.js';
import type { TokenUsage } from '../../codecs/chat/chat-completion.js';
import type { Asker } from '../../providers/clients/provider-client.js';
import { OwnProviderKeys } from '../../providers/own-keys/own-provider-keys.js';
import type { ProviderConnection } from '../../providers/connections/provider-connection.js';
import { ProviderClients } from '../../providers/clients/provider-clients.service.js';
import { ProviderConnections } from '../../providers/connections/provider-connections.js';
import { WorkspaceLookupService } from '../../workspaces/workspace-lookup.service.js';
import type { PrivateEndpointCheck, PrivateEndpointValidation, CheckReason } from '../dto/private-endpoint.dto.js';
import { PrivateAddresses } from '../private-addresses.service.js';
import { TooManyEndpointValidations } from '../private-models.errors.js';

/** How long each step of a check may take, in milliseconds: a server may have to load the model first. */
const TIMEOUTS = { connect: 5_000, headers: 20_000, firstEvent: 20_000, gap: 10_000 };

/** How long all checks may take together, in milliseconds. */
const LONGEST_MS = 45_000;

/** The longest answer that is asked for, in tokens. */
const LONGEST_ANSWER = 16;

/** How much of a server's own words is shown, in characters. */
const SHOWN_WORDS = 500;

/** A server may take its time, and a validation is a way to have many of them called. */
const QUEUE = {
  overload: TooManyEndpointValidations,
  concurrency: 16,
  concurrencyPerOrganization: 2,
  waitingPerOrganization: 2,
  retryAfterSeconds: 2,
};

interface CalledEndpoint {
  readonly model: CatalogModel;
  readonly endpoint: PlannedPrivateEndpoint;
  readonly connection: ProviderConnection;
}

/** A check that has failed, after those that have passed. */
class FailedCheck extends Error {
  constructor(
    readonly check: string,
    readonly reason: CheckReason,
    readonly details: Pick<PrivateEndpointCheck, 'upstream_message' | 'upstream_status'> = {},
  ) {
    super(reason);
  }
}

/** Whether a model can be one of an endpoint of an organization's own, whose prices are those of tokens. */
export function isServed({ row }: CatalogModel): boolean {
  const { output_modalities: outputs } = row.architecture;
  return isModelFor('chat', outputs) || isModelFor('embeddings', outputs);
}

/** Tries endpoints with the organization's own keys (docs/interface/private-models.md#validation). */
@Injectable()
export class EndpointValidations {
  private readonly queue = new FairQueue(QUEUE);

  constructor(
    private readonly catalog: CatalogLookup,
    private readonly workspaces: WorkspaceLookupService,
    private readonly addresses: PrivateAddresses,
    private readonly connections: ProviderConnections,
    private readonly ownKeys: OwnProviderKeys,
    private readonly providers: ProviderClients,
  ) {}

  /**
   * Asks an endpoint for a short answer, whole and streamed, or for an embedding.
   *
   * @param workspaceId whose provider keys are used
   * @param signal ends the validation
   * @returns every check up to the first one that has failed
   * @throws TooManyEndpointValidations
   */
  async of(
    endpoint: PlannedPrivateEndpoint,
    workspaceId: string,
    signal: AbortSignal,
  ): Promise<PrivateEndpointValidation> {
    const { organizationId } = endpoint;
    return this.queue.run(organizationId, () => this.checked(endpoint, workspaceId, signal), signal);
  }

  private async checked(
    endpoint: PlannedPrivateEndpoint,
    workspaceId: string,
    signal: AbortSignal,
  ): Promise<PrivateEndpointValidation> {
    const checks: PrivateEndpointCheck[] = [];
    const passed = (...names: readonly string[]): void => {
      checks.push(...names.map((name) => ({ name, passed: true })));
    };
    const limit = AbortSignal.timeout(LONGEST_MS);
    const asker = { organizationId: endpoint.organizationId, signal: AbortSignal.any([signal, limit]) };
    try {
      const model = await this.modelOf(endpoint);
      passed('model');
      const address = await this.addressOf(endpoint, signal);
      passed('base_url');
      const connection = await this.connectionOf(endpoint, workspaceId, address);
      passed('key');
      const called = { model, endpoint, connection };
      if (isModelFor('embeddings', model.row.architecture.output_modalities)) {
        await this.check('embeddings', asker, () => this.embed(called, asker));
        passed('embeddings');
      } else {
        await this.check('completion', asker, () => this.complete(called, asker));
        passed('completion');
        await this.check('stream', asker, () => this.stream(called, asker));
        passed('stream');
      }
      return { passed: true, checks };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FailedCheck)) throw error;
      return {
        passed: false,
        checks: [...checks, { name: error.check, passed: false, reason: error.reason, ...error.details }],
      };
    }
  }

  private async modelOf({ modelPermaslug }: PlannedPrivateEndpoint): Promise<CatalogModel> {
    const { modelsByName } = await this.catalog.catalog();
    const model = modelsByName.get(modelPermaslug.toLowerCase());
    if (model === undefined || !isServed(model)) throw new FailedCheck('model', 'model_not_found');
    return model;
  }

  private async addressOf(endpoint: PlannedPrivateEndpoint, signal: AbortSignal): Promise<string> {
    const { organizationId } = endpoint;
    const address = addressOfEndpoint(endpoint);
    const issue = address === null ? 'is missing' : await this.addresses.issueOf(address, { organizationId, signal });
    if (issue !== undefined)
      throw new FailedCheck('base_url', 'invalid_base_url', { upstream_message: `base_url ${issue}` });
    return address!;
  }

  /** With the first of the keys that requests of the workspace would use, and that are not for some callers alone. */
  private async connectionOf(
    { organizationId, providerSlug, modelPermaslug: model }: PlannedPrivateEndpoint,
    workspaceId: string,
    address: string,
  ): Promise<ProviderConnection> {
    const found = await this.workspaces.find(organizationId, workspaceId);
    if (found === undefined) throw new FailedCheck('key', 'workspace_not_found');
    const connection = { ...this.connections.privateOne(providerSlug, address), timeouts: TIMEOUTS };
    const use = { organizationId, workspaceId: found, keyHash: null, userId: null, model };
    const { keys } = await this.ownKeys.ofCaller(use, new Map([[providerSlug, connection]]));
    const [key] = keys;
    if (key === undefined) throw new FailedCheck('key', 'no_byok_key');
    return key.connection;
  }

  private async check(name: string, { signal }: Asker, ask: () => Promise<void>): Promise<void> {
    try {
      await ask();
    } catch (error) {
      if (error instanceof FailedCheck) throw error;
      if (signal.aborted) throw new FailedCheck(name, 'upstream_error', { upstream_message: 'No answer in time.' });
      if (!(error instanceof ProviderError)) throw error;
      const isAnswer =
        error.status === null && (error.kind === 'invalid' || (error.kind === 'unreachable' && error.hasHead));
      const unreadable = name === 'stream' ? 'invalid_stream' : 'invalid_response';
      const { status, message } = error;
      throw new FailedCheck(name, isAnswer ? unreadable : 'upstream_error', {
        upstream_message: message.slice(0, SHOWN_WORDS),
        ...(status !== null && status >= 400 && status <= 599 && { upstream_status: status }),
      });
    }
  }

  private async complete(called: CalledEndpoint, asker: Asker): Promise<void> {
    const { dialect, request } = chatOf(called);
    const { choices, usage } = await this.providers.of(dialect).whole('chat', called.connection, request, asker);
    if (choices.length === 0) throw new FailedCheck('completion', 'invalid_response');
    requireUsage('completion', usage);
  }

  private async stream(called: CalledEndpoint, asker: Asker): Promise<void> {
    const { dialect, request } = chatOf(called);
    let usage: TokenUsage | null | undefined;
    let isFinished = false;
    for await (const chunk of this.providers.of(dialect).stream('chat', called.connection, request, asker)) {
      usage = chunk.usage ?? usage;
      isFinished ||= chunk.choices.some(({ finish_reason: reason }) => reason !== null);
    }
    if (!isFinished) throw new FailedCheck('stream', 'invalid_stream');
    requireUsage('stream', usage);
  }

  private async embed(called: CalledEndpoint, asker: Asker): Promise<void> {
    const { connection, endpoint } = called;
    const request = {
      model: endpoint.upstreamModelId,
      input: 'OK',
      [KNOWN_MODEL]: capabilitiesOfCandidate(servedOf(called)),
    };
    const answer = await this.providers.of(connection.protocol).whole('embeddings', connection, request, asker);
    if (answer.usage === null) throw new FailedCheck('embeddings', 'missing_usage');
  }
}

function chatOf(called: CalledEndpoint): ReturnType<typeof translatedRequest> {
  const request = {
    model: called.endpoint.upstreamModelId,
    messages: [{ role: 'user', content: 'Answer with OK.' }] as const,
    max_tokens: LONGEST_ANSWER,
  };
  return translatedRequest(request, servedOf(called), new RequestAdjustments());
}

function servedOf({ model, endpoint, connection }: CalledEndpoint): Parameters<typeof translatedRequest>[1] {
  return { model, endpoint: privateEndpointOf(endpoint, model), connection };
}

/** Without counted tokens an answer could not be charged. */
function requireUsage(check: string, usage: TokenUsage | null | undefined): void {
  if (usage === null || usage === undefined) throw new FailedCheck(check, 'missing_usage');
}
