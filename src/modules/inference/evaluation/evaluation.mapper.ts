import type { DomainError } from '../../../http/errors/domain-error.js';
import type { AppliedGuardrail } from '../../guardrails/effective-policy/effective-guardrails.dto.js';
import type { AnalyzerState, EvaluatedContent } from './dto/evaluated-content.dto.js';
import type { EvaluatedModel, EvaluatedPreset, GuardrailEvaluation } from './dto/guardrail-evaluation.dto.js';
import { toCandidate, toEndpoint, toEvaluatedAdmission } from './evaluated-admission.mapper.js';
import { toEvaluatedContent } from './evaluated-content.mapper.js';
import type { RoutedBody } from '../pipeline/request/operation.js';
import type { EvaluatedRequest } from './evaluated-request.js';
import { messageOf, type StepRefusal } from './refused-step.js';

/** What has become of a request that was evaluated. */
export interface EvaluationOutcome<Body extends RoutedBody> {
  /** Whose request it would be. */
  readonly key: {
    /** Null for a new key. */
    readonly hash: string | null;
    /** Null for a new key without an owner. */
    readonly userId: string | null;
  };
  readonly guardrails: AppliedGuardrail[];
  readonly evaluated: EvaluatedRequest<Body>;
  readonly analyzer: AnalyzerState;
  /** What a provider would get; undefined for a request that is refused. */
  readonly sent: Body | undefined;
  /** The refusal; undefined for a request that is admitted. */
  readonly refusal: StepRefusal | undefined;
}

/** Maps what the gateway would do to the response. */
export function toEvaluation<Body extends RoutedBody>({
  key,
  guardrails,
  refusal,
  ...outcome
}: EvaluationOutcome<Body>): GuardrailEvaluation {
  const { decision, admission } = outcome.evaluated;
  return {
    outcome: refusal === undefined ? 'admitted' : 'refused',
    refused_at: refusal?.step ?? null,
    ...toRefusal(refusal?.error),
    api_key_hash: key.hash,
    user_id: key.userId,
    workspace_id: decision.workspaceId,
    guardrails,
    observed: decision.observed,
    preset: toPreset(outcome.evaluated),
    models: decision.models.map(({ name, model }): EvaluatedModel => ({ requested: name, model: model.row.id })),
    content: contentOf(outcome, refusal),
    candidates: decision.candidates.map(toCandidate),
    excluded_endpoints: decision.excluded.map((excluded) => ({
      ...toEndpoint(excluded),
      reason: excluded.reasons[0]!,
      reasons: [...excluded.reasons],
    })),
    admission: admission === undefined ? null : toEvaluatedAdmission(admission),
  };
}

function toRefusal(error: DomainError | undefined): Pick<GuardrailEvaluation, 'status' | 'reason' | 'message'> {
  if (error === undefined) return { status: null, reason: null, message: null };
  return { status: error.status, reason: error.reason, message: messageOf(error) };
}

/** A request for which the filters were not asked has no content to show. */
function contentOf<Body extends RoutedBody>(
  { evaluated, analyzer, sent }: Pick<EvaluationOutcome<Body>, 'evaluated' | 'analyzer' | 'sent'>,
  refusal: StepRefusal | undefined,
): EvaluatedContent | null {
  if (evaluated.decision.policy === undefined || refusal?.step === 'policy') return null;
  return toEvaluatedContent(evaluated, analyzer, sent);
}

function toPreset<Body extends RoutedBody>({ asked, decision }: EvaluatedRequest<Body>): EvaluatedPreset | null {
  const { preset, body } = decision;
  if (preset === undefined) return null;
  const { slug, version } = preset;
  const messagesOf = (one: Body): number => asked.operation.conversationHintsOf(one)?.messages.length ?? 0;
  return { slug, version, adds_system_message: messagesOf(body) > messagesOf(asked.body) };
}
