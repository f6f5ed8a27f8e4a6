import { Injectable } from '@nestjs/common';
import type { ApiKeyPrincipal } from '../../../auth/principal.js';
import { Environment } from '../../../config/environment.js';
import { RequestSlots } from '../../../api/request-limits/request-slots.js';
import { EffectiveGuardrailsService } from '../../guardrails/effective-policy/effective-guardrails.service.js';
import { AdmissionForecastService } from '../pipeline/admission/admission-forecast.service.js';
import type { ClientChatRequest } from '../../codecs/chat/client-request.js';
import { OpenRequests } from '../pipeline/open-requests.js';
import { ChatPreparationService } from '../operations/chat/chat-preparation.service.js';
import type { EvaluateGuardrailRequest } from './dto/evaluate-guardrail-request.dto.js';
import type { AnalyzerState } from './dto/evaluated-content.dto.js';
import type { EvaluateGuardrailResponse } from './dto/guardrail-evaluation.dto.js';
import { EvaluatedRequest } from './evaluated-request.js';
import { toEvaluation } from './evaluation.mapper.js';
import { type HypotheticalKey, HypotheticalKeysService } from './hypothetical-keys.service.js';
import { type StepRefusal, stepRefusalOf } from './refused-step.js';

/** A request as the gateway would send it, or what it would be refused with. */
interface Prepared {
  readonly sent?: ClientChatRequest;
  readonly refusal?: StepRefusal;
}

/** All evaluations of an organization share what one of its keys may have open. */
const EVALUATIONS = 'evaluations';

/**
 * Describes what the gateway would do with a request if a guardrail were assigned, without doing it: nothing is sent, reserved, charged or
 * recorded (docs/interface/guardrails.md#trying-a-guardrail).
 */
@Injectable()
export class EvaluationService {
  constructor(
    private readonly hypotheticalKeys: HypotheticalKeysService,
    private readonly guardrails: EffectiveGuardrailsService,
    private readonly preparation: ChatPreparationService,
    private readonly forecasts: AdmissionForecastService,
    private readonly openRequests: OpenRequests,
    private readonly slots: RequestSlots,
    private readonly environment: Environment,
  ) {}

  /**
   * Takes a request through the steps of a real one. It counts as an open request while it is evaluated.
   *
   * @param signal ends the evaluation
   * @throws GuardrailNotFound, KeyNotFound, MemberNotFound
   * @throws BadRequestError for an unknown workspace, and for the default guardrail of another workspace
   * @throws TooManyOpenRequests, TooManyContentScans
   */
  async evaluate(
    organizationId: string,
    guardrailId: string,
    input: EvaluateGuardrailRequest,
    signal: AbortSignal,
  ): Promise<EvaluateGuardrailResponse> {
    return this.openRequests.run(organizationId, EVALUATIONS, () =>
      this.slots.run(organizationId, (slot) =>
        this.evaluation(organizationId, guardrailId, input, new EvaluatedRequest(slot), signal),
      ),
    );
  }

  private async evaluation(
    organizationId: string,
    guardrailId: string,
    { request, api_key_hash: keyHash, user_id: userId, workspace_id: workspaceId }: EvaluateGuardrailRequest,
    evaluated: EvaluatedRequest,
    signal: AbortSignal,
  ): Promise<EvaluateGuardrailResponse> {
    const holder = { keyHash, userId, workspaceId };
    const key = await this.hypotheticalKeys.keyWith(organizationId, guardrailId, holder);
    const guardrails = await this.guardrails.applying(organizationId, key.id, key.hypothetical);
    const { sent, refusal } = await this.prepare(callerWith(organizationId, key), key, request, { evaluated, signal });
    const analyzer = this.analyzerState(evaluated, refusal);
    return { data: toEvaluation({ key, asked: request, guardrails, evaluated, analyzer, sent, refusal }) };
  }

  private async prepare(
    caller: ApiKeyPrincipal,
    { hypothetical }: HypotheticalKey,
    request: ClientChatRequest,
    { evaluated, signal }: { readonly evaluated: EvaluatedRequest; readonly signal: AbortSignal },
  ): Promise<Prepared> {
    try {
      const prepared = await this.preparation.prepare(caller, request, evaluated, signal, hypothetical);
      const { workspaceId } = evaluated;
      evaluated.admission = await this.forecasts.foresee(prepared, { caller, workspaceId, hypothetical });
      const { decision } = evaluated.admission;
      return 'fits' in decision ? { sent: prepared.body } : { refusal: { step: 'admission', error: decision } };
    } catch (error) {
      const refusal = stepRefusalOf(error);
      if (refusal === undefined) throw error;
      return { refusal };
    }
  }

  private analyzerState({ policy, findings }: EvaluatedRequest, refusal: StepRefusal | undefined): AnalyzerState {
    const isNeeded = policy?.rules.contentFilterBuiltins.some(
      ({ slug }) => slug === 'person-name' || slug === 'address',
    );
    if (isNeeded !== true) return 'not_needed';
    if (this.environment.contentAnalyzerUrl === undefined) return 'not_configured';
    const hasFailed = findings.some(
      ({ filter, unavailable }) => unavailable === true && 'slug' in filter && filter.slug !== 'regex-prompt-injection',
    );
    if (hasFailed || refusal?.error.reason === 'content_analyzer_unavailable') return 'failed';
    return refusal?.step === 'content' ? 'not_asked' : 'answered';
  }
}

/** Whose requests the key would make. */
function callerWith(organizationId: string, { id, userId, workspaceId }: HypotheticalKey): ApiKeyPrincipal {
  return { kind: 'api_key', origin: null, organizationId, credentialId: id, userId: userId ?? '', workspaceId };
}
