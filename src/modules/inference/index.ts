export { EvaluateGuardrailRequest } from './evaluation/dto/evaluate-guardrail-request.dto.js';
export { EvaluatedAdmission, EvaluatedLimit } from './evaluation/dto/evaluated-admission.dto.js';
export { EvaluatedAnswer } from './evaluation/dto/evaluated-answer.dto.js';
export { EvaluatedContent } from './evaluation/dto/evaluated-content.dto.js';
export { GuardrailEvaluation } from './evaluation/dto/guardrail-evaluation.dto.js';
export { type PastDecision, PastRequests } from './evaluation/past-requests.service.js';
export { UnsavedPatternRule } from './evaluation/unsaved-pattern-rule.js';
export { EvaluationService } from './evaluation/evaluation.service.js';
export { InferenceModule } from './inference.module.js';
export { OpenExchanges } from './pipeline/open-exchanges.js';
export { CallerContexts } from './pipeline/context/caller-contexts.service.js';
export { CompiledPolicies, type CompiledPolicy } from './pipeline/policy/compiled-policies.js';
export { RequestInputsService } from './pipeline/context/request-inputs.service.js';
export { costOfAttempts, recordedCharge } from './pipeline/cost/attempt-charge.js';
export { JudgeCalls } from './pipeline/inspectors/judge-calls.service.js';
export { JudgeModels } from './pipeline/inspectors/judge-models.service.js';
export { type Judging } from './pipeline/inspectors/judging.js';
export { judgingAt, type JudgingWorstCase, withJudging } from './pipeline/inspectors/judging-worst-case.js';
export { ContentInspection } from './pipeline/content/content-inspection.service.js';
export {
  DataRegionNotAllowed,
  ServiceStopping,
  TooManyOpenRequests,
  TooMuchInferenceMemory,
} from './inference.errors.js';
export { type InspectedBody } from './pipeline/content/inspected-body.js';
export { MediaContent } from './pipeline/content/media-content.js';
export { type NamedSubject, namedSubjectOf, subjectOf } from './pipeline/request/request-subject.js';
export { OpenRequests } from './pipeline/open-requests.js';
export { RefusalRecordLimit } from './pipeline/refusals/refusal-record-limit.js';
export { type RequestContext, limitsVersionOf } from './pipeline/context/request-context.repository.js';
export { RequestInspection } from './pipeline/inspectors/request-inspection.js';
export { RequestInspectors } from './pipeline/inspectors/request-inspectors.service.js';
export { RequestRates } from './pipeline/rates/request-rates.service.js';
export { isBase64 } from './pipeline/content/base64.js';
export { isGivingUp } from './pipeline/settlement/given-up.js';
export { nameOfFilter } from './pipeline/request/filter-name.js';
export { newGenerationId } from './pipeline/request/generation-id.js';
export { observation, observationOf } from './pipeline/request/decision.js';
export { showRates } from './pipeline/rates/rate-headers.js';
export { seenBy } from './pipeline/content/observed-findings.js';
