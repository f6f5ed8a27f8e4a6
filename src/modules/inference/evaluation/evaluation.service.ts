import { Injectable } from '@nestjs/common';
import type { ApiKeyPrincipal } from '../../../auth/principal.js';
import { Environment } from '../../../config/environment.js';
import { insideField } from '../../../http/errors/require-all.js';
import { RequestSlots } from '../../../http/request-limits/request-slots.js';
import { appliesTo, REQUEST_PLACES } from '../../content/content-filters.js';
import { type AssignedGuardrail, GuardrailsService } from '../../guardrails/guardrails.service.js';
import { toApplied } from '../../guardrails/effective-policy/effective-guardrails.mapper.js';
import { EffectivePolicies } from '../../guardrails/effective-policy/effective-policies.service.js';
import type { AdmissionForecast } from '../pipeline/admission/admission-forecast.js';
import { AdmissionForecastService } from '../pipeline/admission/admission-forecast.service.js';
import { OpenRequests } from '../pipeline/open-requests.js';
import type { CompiledPolicy } from '../pipeline/policy/compiled-policies.js';
import { Preparation, type PreparationMeans } from '../pipeline/preparation.service.js';
import { type Decision, leftByLimits, observationOf, saying, withBudgets } from '../pipeline/request/decision.js';
import type { ArrivedRequest } from '../pipeline/request/inference-request.js';
import type { InferenceOperation, RoutedBody } from '../pipeline/request/operation.js';
import { namedSubjectOf } from '../pipeline/request/request-subject.js';
import type {
  EvaluateGuardrailDraftRequest,
  EvaluateGuardrailRequest,
  RequestToEvaluate,
} from './dto/evaluate-guardrail-request.dto.js';
import type { AnalyzerState } from './dto/evaluated-content.dto.js';
import type { EvaluateGuardrailResponse } from './dto/guardrail-evaluation.dto.js';
import { type ReadRequest, readRequest } from '../operations/index.js';
import { evaluatedAnswer } from './answer-evaluation.js';
import { KeptMatches } from './evaluated-request.js';
import { toEvaluation } from './evaluation.mapper.js';
import { type HypotheticalKey, HypotheticalKeysService } from './hypothetical-keys.service.js';
import { type StepRefusal, stepRefusalOf } from './refused-step.js';

/** A request as the gateway would send it, or what it would be refused with, and what its admission would decide. */
interface Forecast<Body> {
  readonly decision: Decision<Body>;
  readonly sent?: Body;
  readonly refusal?: StepRefusal;
  readonly admission?: AdmissionForecast;
}

/** A request that is tried under an assignment. */
type EvaluatedArrival = ArrivedRequest & Required<Pick<ArrivedRequest, 'hypothetical'>>;

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
    private readonly guardrails: GuardrailsService,
    private readonly effective: EffectivePolicies,
    private readonly preparation: Preparation,
    private readonly forecasts: AdmissionForecastService,
    private readonly openRequests: OpenRequests,
    private readonly slots: RequestSlots,
    private readonly environment: Environment,
  ) {}

  /**
   * Takes a request through the steps of a real one, under a guardrail as it is stored or with changes. It counts as an open request
   * while it is evaluated.
   *
   * @param signal ends the evaluation
   * @throws GuardrailNotFound, KeyNotFound, MemberNotFound
   * @throws BadRequestError for changes that an update would refuse, for an unknown workspace, and for the default guardrail of another one
   * @throws TooManyOpenRequests, TooManyContentScans
   */
  async evaluate(
    organizationId: string,
    guardrailId: string,
    input: EvaluateGuardrailRequest,
    signal: AbortSignal,
  ): Promise<EvaluateGuardrailResponse> {
    const tried = (): Promise<AssignedGuardrail> =>
      this.guardrails.assigned(organizationId, guardrailId, input.guardrail);
    return this.evaluateWith(organizationId, tried, input, signal);
  }

  /**
   * Evaluates a request under a guardrail that does not exist.
   *
   * @param signal ends the evaluation
   * @throws KeyNotFound, MemberNotFound
   * @throws BadRequestError for a guardrail that could not be created, and for an unknown workspace
   * @throws TooManyOpenRequests, TooManyContentScans
   */
  async evaluateDraft(
    organizationId: string,
    input: EvaluateGuardrailDraftRequest,
    signal: AbortSignal,
  ): Promise<EvaluateGuardrailResponse> {
    const tried = (): Promise<AssignedGuardrail> => this.guardrails.assignedNew(organizationId, input.guardrail);
    return this.evaluateWith(organizationId, tried, input, signal);
  }

  /** @param tried finds the guardrail; the paths of its issues are inside of it */
  private async evaluateWith(
    organizationId: string,
    tried: () => Promise<AssignedGuardrail>,
    input: RequestToEvaluate,
    signal: AbortSignal,
  ): Promise<EvaluateGuardrailResponse> {
    return this.openRequests.run(organizationId, EVALUATIONS, () =>
      this.slots.run(organizationId, async (slot) =>
        this.evaluation(organizationId, await insideField('guardrail', tried()), input, { slot, signal }),
      ),
    );
  }

  private async evaluation(
    organizationId: string,
    guardrail: AssignedGuardrail,
    input: RequestToEvaluate,
    means: PreparationMeans,
  ): Promise<EvaluateGuardrailResponse> {
    const { operation, request, api_key_hash: keyHash, user_id: userId, workspace_id: workspaceId } = input;
    const holder = { keyHash, userId, workspaceId };
    const key = await this.hypotheticalKeys.keyWith(organizationId, guardrail, holder);
    const evaluated = await readRequest(operation, request, (asked) =>
      this.evaluationOf(organizationId, key, asked, means),
    );
    const { policy, data } = evaluated;
    if (input.answer === undefined || policy === undefined) return { data };
    return { data: { ...data, answer: await evaluatedAnswer(policy, input.answer, means) } };
  }

  private async evaluationOf<Body extends RoutedBody>(
    organizationId: string,
    key: HypotheticalKey,
    asked: ReadRequest<Body>,
    means: PreparationMeans,
  ): Promise<EvaluateGuardrailResponse & { readonly policy: CompiledPolicy | undefined }> {
    const { operation } = asked;
    const { hypothetical } = key;
    const guardrails = toApplied(await this.effective.applying(organizationId, key.id, hypothetical));
    const matches = new KeptMatches();
    const caller = callerWith(organizationId, key);
    // No generation comes of it, and the size of its body, which is not known, is taken to be large.
    const subject = namedSubjectOf(asked.body);
    const arrived = { id: '', caller, subject, bodyBytes: Infinity, hypothetical, matched: matches.add };
    const prepared = await this.preparation.decide(operation, arrived, asked.body, means);
    const { sent, refusal, admission, decision } = await this.forecast(operation, arrived, prepared);
    const evaluated = { asked, decision, matches, admission };
    const analyzer = this.analyzerState(decision, refusal);
    const data = toEvaluation({ key, guardrails, evaluated, analyzer, sent, refusal });
    return { data, policy: decision.policy };
  }

  private async forecast<Body extends RoutedBody>(
    operation: InferenceOperation<Body>,
    arrived: EvaluatedArrival,
    decision: Decision<Body>,
  ): Promise<Forecast<Body>> {
    if (decision.refusal !== undefined) {
      const refusal = stepRefusalOf(decision.refusal);
      if (refusal === undefined) throw decision.refusal;
      return { decision, refusal };
    }
    const admission = await this.forecasts.foresee(operation, decision, arrived);
    const { decision: decided } = admission;
    const { observed } = withBudgets(decision, admission.observing);
    if (!('fits' in decided)) {
      return { decision: saying(decision, { observed }), admission, refusal: { step: 'admission', error: decided } };
    }
    const left = decided.candidates === undefined ? {} : leftByLimits(decision, decided.candidates);
    const seen = [...observed, ...(decided.observed ?? []).map(observationOf)];
    return { decision: saying(decision, { ...left, observed: seen }), admission, sent: decision.inspected! };
  }

  private analyzerState(
    { policy, findings }: Pick<Decision<unknown>, 'policy' | 'findings'>,
    refusal: StepRefusal | undefined,
  ): AnalyzerState {
    const isNeeded = policy?.rules.contentFilterBuiltins.some(
      (filter) => (filter.slug === 'person-name' || filter.slug === 'address') && appliesTo(filter, REQUEST_PLACES),
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
