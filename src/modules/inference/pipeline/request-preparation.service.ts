import { Injectable } from '@nestjs/common';
import { InvalidCredential } from '../../../api/errors/request.errors.js';
import type { ApiKeyPrincipal } from '../../../auth/principal.js';
import { Environment } from '../../../config/environment.js';
import { LongWork } from '../../../concurrency/long-work.js';
import { LoopTurns } from '../../../concurrency/loop-turns.js';
import type { Catalog } from '../../catalog/catalog-model.js';
import { CatalogService } from '../../catalog/catalog.service.js';
import type { ContentResult } from '../../content/content-result.js';
import { ContentBlocked, PromptInjectionDetected } from '../../content/content.errors.js';
import { boundedInput } from '../../generations/content/generation-content.js';
import { type ConnectionSet, ProviderConnections } from '../../providers/connections/provider-connections.js';
import type { Conversation } from '../../routing/sticky-endpoints.js';
import type { HypotheticalAssignment } from '../../guardrails/effective-policy/hypothetical-assignment.js';
import { refusalOf } from '../../spend/spend.errors.js';
import { DataRegionNotAllowed, InputNotScannable, WrongEndpoint } from '../inference.errors.js';
import { CallerContexts } from './context/caller-contexts.service.js';
import { CandidatesService } from './candidates/candidates.service.js';
import { type CompiledPolicy, CompiledPolicies } from './policy/compiled-policies.js';
import { ConversationNames } from './candidates/conversation.js';
import { keepsContent } from './context/logged-content.js';
import { findModel, type RequestedModel } from './context/model-names.js';
import type { PreparedRequest, RequestFacts } from './request/prepared-request.js';
import { promptBytesOf } from './content/prompt-bytes.js';
import type { RequestContext } from './context/request-context.repository.js';
import type { RequestForm, RoutedBody } from './request/request-form.js';

/** What the decisions about a request are based on, as it was when the request came or later. */
export interface DecisionInputs {
  readonly context: RequestContext;
  readonly catalog: Catalog;
  readonly connections: ConnectionSet;
}

/** A request whose body is complete. */
interface CompleteRequest<Body> {
  readonly caller: ApiKeyPrincipal;
  readonly inputs: DecisionInputs;
  readonly body: Body;
  /** Receives what is learned, also when the request is refused. */
  readonly facts: RequestFacts;
  /** Ends the preparation. */
  readonly signal: AbortSignal;
  /** The assignment that the inputs were read with, if it does not exist. */
  readonly hypothetical?: HypotheticalAssignment;
}

/** Takes requests of any operation through everything that comes before a provider is asked (docs/gateway.md). */
@Injectable()
export class RequestPreparationService {
  constructor(
    private readonly contexts: CallerContexts,
    private readonly policies: CompiledPolicies,
    private readonly catalog: CatalogService,
    private readonly connections: ProviderConnections,
    private readonly candidates: CandidatesService,
    private readonly conversations: ConversationNames,
    private readonly turns: LoopTurns,
    private readonly environment: Environment,
  ) {}

  /**
   * Reads what the decisions about the requests of a key are based on.
   *
   * @param hypothetical an assignment that applies as if it existed
   * @throws InvalidCredential
   */
  async readInputs(
    caller: ApiKeyPrincipal,
    facts: RequestFacts,
    hypothetical?: HypotheticalAssignment,
  ): Promise<DecisionInputs> {
    const context = await this.contexts.of(caller, hypothetical);
    // The key was deleted after the guard had read it.
    if (context === undefined) throw new InvalidCredential();
    facts.workspaceId = context.workspaceId;
    const catalog = await this.catalog.since(context.catalogEdition);
    const connections = await this.connections.since(context.connectionEdition);
    return { context, catalog, connections };
  }

  /** @throws the refusals of docs/interface/inference.md#refusals that come before a provider is asked */
  async prepare<Body extends RoutedBody>(
    form: RequestForm<Body>,
    { caller, inputs, body, facts, signal, hypothetical }: CompleteRequest<Body>,
  ): Promise<PreparedRequest<Body>> {
    const { context, catalog, connections } = inputs;
    const models = form.modelNamesOf(body, context).map((name) => findModel(catalog, name));
    facts.models = models;
    facts.model = models[0]!.model.row.id;
    const wrong = models.find(({ model }) => !form.isFor(model));
    if (wrong !== undefined) throw new WrongEndpoint(wrong.name);
    if (context.limits !== null && context.limits.met !== null) throw refusalOf(context.limits.met);
    const { organizationId, credentialId } = caller;
    const policy = await this.policies.get(organizationId, credentialId, context.policyVersion, hypothetical);
    facts.observer?.ruled(policy);
    this.requireRegion(policy, models);
    const turn = (): Promise<void> => this.turns.nextIfLarge(organizationId, facts.bodyBytes);
    await turn();
    const scanned = await this.inspect(form, policy, { caller, body, facts, signal });
    await turn();
    const { body: inspected, stage } = form.compressed?.(scanned, models) ?? { body: scanned };
    if (stage !== undefined) facts.pluginStages = [stage];
    // Only now, because what was blocked or not scanned is stored nowhere.
    if (keepsContent(context, facts.id)) facts.input = boundedInput(form.loggedInputOf(inspected));
    const conversation = this.conversationOf(form, caller, scanned, facts);
    const candidates = await this.candidates.of(form, {
      caller,
      models,
      policy,
      context,
      connections,
      conversation,
      body: inspected,
      observer: facts.observer,
    });
    facts.candidates = candidates;
    return {
      body: inspected,
      candidates,
      conversation,
      promptBytes: promptBytesOf(form, inspected, facts.bodyBytes),
      isLimited: context.limits !== null,
      size: () => form.sizeOf(inspected),
      usageBounds: form.usageBoundsOf,
      withLongestAnswer: (tokens) => form.withLongestAnswer(inspected, tokens),
    };
  }

  private conversationOf<Body extends RoutedBody>(
    form: RequestForm<Body>,
    { organizationId }: ApiKeyPrincipal,
    body: Body,
    { sessionId }: RequestFacts,
  ): Conversation | undefined {
    const hints = form.conversationHintsOf(body);
    if (hints === undefined) return undefined;
    // Not spread, because a body may have very many fields.
    const { session_id: session = null, prompt_cache_key: cacheKey = null, messages } = hints;
    const named = { session_id: session ?? sessionId, prompt_cache_key: cacheKey, messages };
    return this.conversations.conversationOf(organizationId, named);
  }

  private requireRegion({ rules }: CompiledPolicy, models: readonly RequestedModel[]): void {
    const { dataRegion } = this.environment;
    const allowed = rules.allowedDataRegions.value;
    if (allowed === null || allowed.includes(dataRegion)) return;
    const names = models.map(({ name }) => name);
    throw new DataRegionNotAllowed(dataRegion, names);
  }

  private async inspect<Body extends RoutedBody>(
    form: RequestForm<Body>,
    { content }: CompiledPolicy,
    { caller, body, facts, signal }: Pick<CompleteRequest<Body>, 'caller' | 'body' | 'facts' | 'signal'>,
  ): Promise<Body> {
    if (content.isEmpty) return body;
    const work = new LongWork(this.turns, caller.organizationId, signal);
    if (await form.hidesText(body, work)) throw new InputNotScannable();
    const { slot, observer } = facts;
    const scan = (): Promise<ContentResult> => content.inspect(form.textsOf(body), signal, observer?.matched);
    // An analyzer or a classifier may take long, and meanwhile the organization's other requests can use the database.
    const isElsewhere = content.asksServer && slot !== undefined;
    const { blocked, texts, findings } = await (isElsewhere ? slot.without(scan) : scan());
    facts.findings = findings;
    if (blocked?.reason === 'prompt_injection_detected') throw new PromptInjectionDetected(blocked.patterns ?? []);
    if (blocked !== null) throw new ContentBlocked(blocked.label);
    const isRedacted = findings.some(({ action }) => action === 'redact');
    return isRedacted ? form.withTexts(body, texts) : body;
  }
}
