import { Injectable } from '@nestjs/common';
import type { HeldSlot } from '../../../http/request-limits/request-slots.js';
import { Environment } from '../../../config/environment.js';
import { LoopTurns } from '../../../concurrency/loop-turns.js';
import { isModelFor } from '../../../telemetry/operations.js';
import { boundedInput } from '../../generations/content/generation-content.js';
import { BroadcastDestinations } from '../../observability/delivery/selection/broadcast-destinations.service.js';
import { PresetsInForce } from '../../presets/presets-in-force.service.js';
import { ViaHeader } from '../../providers/upstream/via-header.js';
import { refusalOf } from '../../spend/spend.errors.js';
import { DataRegionNotAllowed, InvalidModel, PresetMissing, RequestLoop, WrongEndpoint } from '../inference.errors.js';
import { CandidatesService } from './candidates/candidates.service.js';
import { ConversationNames } from './candidates/conversation.js';
import { ContentInspection } from './content/content-inspection.service.js';
import { withoutMedia } from './content/stripped-media.js';
import { findModel } from './context/requested-models.js';
import { RequestInputsService } from './context/request-inputs.service.js';
import { CompiledPolicies } from './policy/compiled-policies.js';
import { RequestRates } from './rates/request-rates.service.js';
import { alsoObserved, type Decision, observation, saying, undecided, withBudgets } from './request/decision.js';
import { judgedRequestOf } from './inspectors/judged-request.js';
import { JudgeModels } from './inspectors/judge-models.service.js';
import { RequestInspectors } from './inspectors/request-inspectors.service.js';
import type { ArrivedRequest } from './request/inference-request.js';
import type { InferenceOperation, RoutedBody } from './request/operation.js';
import { subjectOf } from './request/request-subject.js';
import { CarriedThoughts } from './thoughts/carried-thoughts.js';
import { ThoughtSeals } from './thoughts/thought-seals.js';
import { isInShare } from '../../observability/delivery/selection/share.js';
import type { RequestContext } from './context/request-context.repository.js';

/** What a preparation works with. */
export interface PreparationMeans {
  readonly slot: HeldSlot;
  /** Ends the preparation. */
  readonly signal: AbortSignal;
}

/** Takes a decision, and returns one that says more; an error refuses the request as well. */
type Step<Body> = (decision: Decision<Body>) => Decision<Body> | Promise<Decision<Body>>;

/** Takes requests of any operation through everything that comes before their admission (docs/gateway.md). */
@Injectable()
export class Preparation {
  constructor(
    private readonly inputs: RequestInputsService,
    private readonly rates: RequestRates,
    private readonly presets: PresetsInForce,
    private readonly policies: CompiledPolicies,
    private readonly inspection: ContentInspection,
    private readonly inspectors: RequestInspectors,
    private readonly judges: JudgeModels,
    private readonly candidates: CandidatesService,
    private readonly conversations: ConversationNames,
    private readonly turns: LoopTurns,
    private readonly environment: Environment,
    private readonly broadcasts: BroadcastDestinations,
    private readonly via: ViaHeader,
    private readonly seals: ThoughtSeals,
  ) {}

  /**
   * Decides about a request up to its candidates.
   *
   * @param body as it came
   * @returns the decision; with one of the refusals of docs/interface/inference.md#refusals it is as far as it was known then
   */
  async decide<Body extends RoutedBody>(
    operation: InferenceOperation<Body>,
    request: ArrivedRequest,
    body: Body,
    means: PreparationMeans,
  ): Promise<Decision<Body>> {
    const steps: readonly Step<Body>[] = [
      (decision) => this.withInputs(request, decision),
      (decision) => this.withRates(operation, request, decision),
      (decision) => this.requireNoLoop(request, decision),
      (decision) => withSubject(request, decision),
      (decision) => this.withPreset(operation, request, decision),
      (decision) => withSettingsOfPreset(operation, decision),
      (decision) => withModels(operation, decision),
      (decision) => requireModels(operation, decision),
      (decision) => requireSpending(operation, decision),
      (decision) => this.withPolicy(request, decision),
      (decision) => this.requireRegion(decision),
      (decision) => this.withInspectedBody(operation, request, decision, means),
      (decision) => this.withBroadcast(request, decision),
      (decision) => withKeptInput(operation, request, decision),
      (decision) => this.withCandidates(operation, request, decision),
      (decision) => this.withJudging(operation, request, decision),
    ];
    let decision = undecided(request, body);
    for (const step of steps) {
      try {
        decision = await step(decision);
      } catch (refusal) {
        return saying(decision, { refusal: refusal as Error });
      }
      if (decision.refusal !== undefined) return decision;
    }
    return decision;
  }

  private async withInputs<Body>(request: ArrivedRequest, decision: Decision<Body>): Promise<Decision<Body>> {
    const inputs = await this.inputs.of(request);
    return saying(decision, { inputs, workspaceId: inputs.context.workspaceId });
  }

  /** A request that is only tried is not counted. */
  private async withRates<Body extends RoutedBody>(
    operation: InferenceOperation<Body>,
    { caller, hypothetical }: ArrivedRequest,
    decision: Decision<Body>,
  ): Promise<Decision<Body>> {
    if (hypothetical !== undefined) return decision;
    const counted = await this.rates.count(caller, decision.inputs!.context, () =>
      operation.promptBytesOf(decision.body),
    );
    return saying(decision, counted);
  }

  private requireNoLoop<Body>({ via }: ArrivedRequest, decision: Decision<Body>): Decision<Body> {
    if (this.via.isOfLoop(via)) throw new RequestLoop();
    return decision;
  }

  private async withPreset<Body extends RoutedBody>(
    { preset: named }: InferenceOperation<Body>,
    { caller }: ArrivedRequest,
    decision: Decision<Body>,
  ): Promise<Decision<Body>> {
    const slug = named?.slugOf(decision.body);
    if (slug === undefined) return decision;
    if (slug === '') throw new InvalidModel(named!.modelOf(decision.body), 'no preset is named');
    const { workspaceId } = decision;
    const preset = workspaceId === null ? undefined : await this.presets.find(caller.organizationId, workspaceId, slug);
    if (preset === undefined) throw new PresetMissing(slug);
    return saying(decision, { preset });
  }

  private async withPolicy<Body>(
    { caller, hypothetical }: ArrivedRequest,
    decision: Decision<Body>,
  ): Promise<Decision<Body>> {
    const { policyVersion } = decision.inputs!.context;
    const { organizationId, credentialId } = caller;
    const policy = await this.policies.get(organizationId, credentialId, policyVersion, hypothetical);
    return saying(decision, { policy });
  }

  private requireRegion<Body>(decision: Decision<Body>): Decision<Body> {
    const { dataRegion } = this.environment;
    const { value: allowed, guardrailIds } = decision.policy!.rules.allowedDataRegions;
    if (allowed === null || allowed.includes(dataRegion)) return this.withObservedRegion(decision);
    const names = decision.models.map(({ name }) => name);
    throw new DataRegionNotAllowed(dataRegion, names, guardrailIds);
  }

  private withObservedRegion<Body>(decision: Decision<Body>): Decision<Body> {
    const { dataRegion } = this.environment;
    const { observers } = decision.policy!;
    if (observers.length === 0) return decision;
    const refusing = observers.filter(({ rules }) => rules.allowedDataRegions.value?.includes(dataRegion) === false);
    const observed = refusing.map((observer) => observation(observer, 'refused', 'data_region'));
    return saying(decision, alsoObserved(decision, observed));
  }

  private async withInspectedBody<Body extends RoutedBody>(
    operation: InferenceOperation<Body>,
    request: ArrivedRequest,
    decision: Decision<Body>,
    means: PreparationMeans,
  ): Promise<Decision<Body>> {
    const { organizationId } = request.caller;
    const { body, policy, models } = decision;
    await this.turns.nextIfLarge(organizationId, request.bodyBytes);
    const scan = await this.inspection.inspect(operation, policy!, request, body, means);
    if (scan.inspected === undefined) return saying(decision, scan);
    const inspection = await this.inspectors.of(request, decision);
    const judged =
      inspection && (await this.judgedBody(operation, request, saying(decision, { ...scan, inspection }), means));
    if (judged?.refusal !== undefined) return judged;
    const scanned = judged?.inspected ?? scan.inspected;
    const { observed, findings } = await this.inspection.observe(operation, policy!, request, body, {
      ...means,
      findings: scan.findings,
    });
    await this.turns.nextIfLarge(organizationId, request.bodyBytes);
    const conversation = this.conversations.ofRequest(operation, request, scanned);
    const { body: inspected, stage } = operation.compressed?.(scanned, models) ?? { body: scanned };
    const pluginStages = stage === undefined ? decision.pluginStages : [stage];
    const messages = operation.conversationHintsOf(inspected)?.messages;
    const thoughts = messages && CarriedThoughts.of(messages, organizationId, this.seals);
    const seen = { findings, ...alsoObserved(decision, observed), ...(inspection && { inspection }) };
    return saying(decision, { ...seen, inspected, conversation, thoughts, pluginStages });
  }

  /** The decision with what inspectors leave of the body, and what they did also where they refuse it. */
  private async judgedBody<Body extends RoutedBody>(
    operation: InferenceOperation<Body>,
    request: ArrivedRequest,
    decision: Decision<Body>,
    means: PreparationMeans,
  ): Promise<Decision<Body>> {
    try {
      const judged = await this.inspectors.inspect(
        operation,
        request,
        decision.inspection!,
        decision.inspected!,
        means,
      );
      return saying(decision, judged);
    } catch (refusal) {
      return saying(decision, { refusal: refusal as Error });
    }
  }

  /** The destinations that may get the generation. A request that is only tried is none. */
  private async withBroadcast<Body extends RoutedBody>(
    { id, caller: { organizationId }, hypothetical, subject }: ArrivedRequest,
    decision: Decision<Body>,
  ): Promise<Decision<Body>> {
    const { broadcastVersion, keyHash } = decision.inputs!.context;
    if (broadcastVersion === null || decision.workspaceId === null || hypothetical !== undefined) return decision;
    const traceId = decision.body.trace?.['trace_id'];
    const broadcast = await this.broadcasts.select(organizationId, decision.workspaceId, broadcastVersion, {
      generationId: id,
      sessionId: subject.sessionId,
      traceId: typeof traceId === 'string' && traceId !== '' ? traceId : null,
      keyHash,
      dataRegion: this.environment.dataRegion,
    });
    return broadcast === undefined ? decision : saying(decision, { broadcast });
  }

  private async withCandidates<Body extends RoutedBody>(
    operation: InferenceOperation<Body>,
    { caller }: ArrivedRequest,
    decision: Decision<Body>,
  ): Promise<Decision<Body>> {
    const { models, policy, inputs, inspected, conversation, thoughts, metLimit } = decision;
    const found = await this.candidates.of(operation, {
      caller,
      models,
      policy: policy!,
      ...inputs!,
      conversation,
      thoughts,
      body: inspected!,
      isFreeOnly: metLimit !== undefined,
    });
    const refusal = metLimit !== undefined && found.candidates.length === 0 ? refusalOf(metLimit) : found.refusal;
    const seen = { ...found, ...alsoObserved(decision, found.observed) };
    return saying(decision, refusal === undefined ? seen : { ...seen, refusal });
  }

  private async withJudging<Body extends RoutedBody>(
    operation: InferenceOperation<Body>,
    request: ArrivedRequest,
    decision: Decision<Body>,
  ): Promise<Decision<Body>> {
    const models = decision.inspection?.models ?? [];
    if (models.length === 0) return decision;
    return saying(decision, { judging: await this.judges.of(models, judgedRequestOf(operation, request, decision)) });
  }
}

function withSubject<Body extends RoutedBody>({ subject }: ArrivedRequest, decision: Decision<Body>): Decision<Body> {
  const { externalUser, labels } = subjectOf(subject, decision.body, decision.inputs!.context);
  if (labels === undefined && externalUser === subject.externalUser) return decision;
  return saying(decision, { externalUser, ...(labels && { labels }) });
}

function withSettingsOfPreset<Body extends RoutedBody>(
  { preset: named, mediaOf }: InferenceOperation<Body>,
  decision: Decision<Body>,
): Decision<Body> {
  const { preset } = decision;
  const body = preset === undefined ? decision.body : named!.completed(decision.body, preset);
  return saying(decision, mediaOf === undefined ? { body } : { body, media: mediaOf(body) });
}

function withModels<Body extends RoutedBody>(
  { modelNamesOf }: InferenceOperation<Body>,
  decision: Decision<Body>,
): Decision<Body> {
  const { context, catalog, privateModels } = decision.inputs!;
  const models = modelNamesOf(decision.body, context).map((name) => findModel(catalog, name));
  return saying(decision, {
    models: models.map((requested) => ({ ...requested, model: privateModels.extended(requested.model) })),
  });
}

function requireModels<Body extends RoutedBody>(
  { name }: InferenceOperation<Body>,
  decision: Decision<Body>,
): Decision<Body> {
  const wrong = decision.models.find(({ model }) => !isModelFor(name, model.row.architecture.output_modalities));
  if (wrong !== undefined) throw new WrongEndpoint(wrong.name);
  return decision;
}

/**
 * Refuses a request where a limit of spending is met, unless one of its models has an endpoint without a price and no limit is zero
 * (docs/budgets.md#what-costs-nothing).
 */
function requireSpending<Body extends RoutedBody>(
  { endpointsOf }: InferenceOperation<Body>,
  decision: Decision<Body>,
): Decision<Body> {
  const { met = null, isStopped = false, observing = null } = decision.inputs!.context.limits ?? {};
  if (met === null && observing === null) return decision;
  const mayBeFree = decision.models.some(({ model }) =>
    (endpointsOf?.(model, decision.body) ?? model.endpoints).some(({ hasNoPrice }) => hasNoPrice),
  );
  const budgets = (observing ?? []).map(({ id, name, isStopping }) => ({
    id,
    name,
    isRefusing: isStopping || !mayBeFree,
  }));
  const observed = withBudgets(decision, budgets);
  if (met === null) return saying(decision, observed);
  if (isStopped || !mayBeFree) throw refusalOf(met);
  return saying(decision, { ...observed, metLimit: met });
}

/** Only behind the filters, because what was blocked or not scanned is stored nowhere and sent to no destination. */
function withKeptInput<Body extends RoutedBody>(
  { loggedInputOf }: InferenceOperation<Body>,
  { id }: ArrivedRequest,
  decision: Decision<Body>,
): Decision<Body> {
  const isLogged = keepsContent(decision.inputs!.context, id);
  const isBroadcast = decision.broadcast?.needsContent === true;
  if (!isLogged && !isBroadcast) return decision;
  const input = loggedInputOf(decision.inspected!);
  return saying(decision, {
    ...(isLogged && { input: boundedInput(input) }),
    ...(isBroadcast && { broadcastInput: boundedInput(withoutMedia(input)) }),
  });
}

/**
 * Whether the content of a request is kept (docs/interface/generations.md#content): always the same for a request.
 *
 * @param id of the generation
 */
function keepsContent({ contentLoggingRate }: RequestContext, id: string): boolean {
  return isInShare(id, contentLoggingRate);
}
