export { EvaluateGuardrailRequest } from './evaluation/dto/evaluate-guardrail-request.dto.js';
export { EvaluatedAdmission, EvaluatedLimit } from './evaluation/dto/evaluated-admission.dto.js';
export { EvaluatedContent } from './evaluation/dto/evaluated-content.dto.js';
export { GuardrailEvaluation } from './evaluation/dto/guardrail-evaluation.dto.js';
export { type PastDecision, PastRequests } from './evaluation/past-requests.service.js';
export { UnsavedPatternRule } from './evaluation/unsaved-pattern-rule.js';
export { EvaluationService } from './evaluation/evaluation.service.js';
export { InferenceModule } from './inference.module.js';
export { OpenExchanges } from './pipeline/open-exchanges.js';
