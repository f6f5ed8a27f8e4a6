import { Injectable } from '@nestjs/common';
import { type InferenceRecord, MCP_RECORD, type RecordedType } from '../../../telemetry/operations.js';
import { DomainError } from '../../../http/errors/domain-error.js';
import type { ContentInput } from '../../generations/content/generation-content.js';
import type { ObservedGuardrail } from '../../generations/generation-details.js';
import type { UnsavedGuardrail } from '../../guardrails/effective-policy/unsaved-guardrail.js';
import type { AssignedGuardrail } from '../../guardrails/guardrails.service.js';
import { CandidatesService } from '../pipeline/candidates/candidates.service.js';
import { RequestInputsService } from '../pipeline/context/request-inputs.service.js';
import { findModel } from '../pipeline/context/requested-models.js';
import { type CompiledObserver, CompiledPolicies } from '../pipeline/policy/compiled-policies.js';
import type { RoutedBody } from '../pipeline/request/operation.js';
import { DEFAULT_PATH, type EvaluatedPath, readRequest, type ReadRequest } from '../operations/index.js';

/** A request of the past, as far as its record tells it. */
export interface PastRequest {
  readonly keyId: string;
  readonly userId: string;
  readonly workspaceId: string | null;
  readonly requestedModel: string;
  readonly apiType: RecordedType;
}

/** What a guardrail would have done to the requests of one key for one model, whatever is in them. */
export interface PastDecision {
  /** The guardrail as it would apply to the key. */
  readonly observer: CompiledObserver;
  /** What its rules about models and providers do; null for nothing. */
  readonly models: Pick<ObservedGuardrail, 'outcome' | 'reason'> | null;
}

/** The least that a request of each type says besides its model. */
const LEAST_REQUESTS: Readonly<Record<InferenceRecord, readonly [path: EvaluatedPath, body: object]>> = {
  completions: [DEFAULT_PATH, { messages: [] }],
  embeddings: ['embeddings', { input: '' }],
  rerank: ['rerank', { query: '', documents: [] }],
  tts: ['audio/speech', { input: '', voice: '' }],
  stt: ['audio/transcriptions', { input_audio: { data: '', format: 'wav' } }],
  image: ['images', { prompt: '' }],
  moderations: ['moderations', { input: '' }],
};

/** Says what a guardrail would have done to requests of the past, at the catalog and the connections of today (docs/interface/replays.md). */
@Injectable()
export class PastRequests {
  constructor(
    private readonly inputs: RequestInputsService,
    private readonly policies: CompiledPolicies,
    private readonly candidates: CandidatesService,
  ) {}

  /**
   * Decides as for a request of today that asks for the model and prefers nothing.
   *
   * @param guardrail has to be one that observes, in the form in which it is tried
   * @returns null where it cannot be decided: the key or the model is gone, or the guardrails in force leave no endpoint
   */
  async decide(
    organizationId: string,
    guardrail: AssignedGuardrail & { readonly unsaved: UnsavedGuardrail; readonly id: string },
    past: PastRequest,
  ): Promise<PastDecision | null> {
    // No model was asked for what an MCP server has answered.
    if (past.apiType === MCP_RECORD) return null;
    const [path, least] = LEAST_REQUESTS[past.apiType];
    try {
      return await readRequest(path, { ...least, model: past.requestedModel }, (asked) =>
        this.decideAsked(organizationId, guardrail, past, asked),
      );
    } catch (error) {
      // A preset, a model or a key that is no longer there.
      if (error instanceof DomainError) return null;
      throw error;
    }
  }

  /** The texts of a logged request, as content filters read them. */
  textsOf(apiType: RecordedType, input: ContentInput): Parameters<CompiledObserver['content']['inspect']>[0] {
    if ('prompt' in input) return [{ role: 'input', text: input.prompt, kind: 'text' }];
    if (apiType === MCP_RECORD) return [];
    const [path, least] = LEAST_REQUESTS[apiType];
    return readRequest(path, { ...least, ...input }, ({ operation, body }) => operation.texts.scannedIn(body));
  }

  private async decideAsked<Body extends RoutedBody>(
    organizationId: string,
    { assignedId, unsaved, id }: AssignedGuardrail & { readonly unsaved: UnsavedGuardrail; readonly id: string },
    { keyId, userId, workspaceId }: PastRequest,
    { operation, body }: ReadRequest<Body>,
  ): Promise<PastDecision | null> {
    const hypothetical = { guardrailOfKey: assignedId, guardrailOfMember: null, unsaved };
    const caller = { kind: 'api_key', origin: null, organizationId, credentialId: keyId, userId, workspaceId } as const;
    const inputs = await this.inputs.of({ caller, hypothetical });
    const named = operation.modelNamesOf(body, inputs.context).map((name) => findModel(inputs.catalog, name));
    const models = named.map((one) => ({ ...one, model: inputs.privateModels.extended(one.model) }));
    const inForce = await this.policies.get(organizationId, keyId, inputs.context.policyVersion, hypothetical);
    const observer = inForce.observers.find((one) => one.id === id);
    if (observer === undefined) return null;
    const policy = { ...inForce, observers: [observer] };
    const asked = { caller, models, policy, ...inputs, conversation: undefined, thoughts: undefined, body };
    const found = await this.candidates.of(operation, { ...asked, isFreeOnly: false });
    return found.refusal === undefined ? { observer, models: found.observed[0] ?? null } : null;
  }
}
