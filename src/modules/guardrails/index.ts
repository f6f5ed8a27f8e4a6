export { AssignmentsService } from './assignments/assignments.service.js';
export { AppliedGuardrail, EffectiveGuardrailsQuery } from './effective-policy/effective-guardrails.dto.js';
export { toApplied } from './effective-policy/effective-guardrails.mapper.js';
export { EffectivePolicies } from './effective-policy/effective-policies.service.js';
export type { UnsavedGuardrail } from './effective-policy/unsaved-guardrail.js';
export {
  type Budget,
  type EffectivePolicy,
  guardrailsOfVersion,
  isAsStrict,
  type PolicyInForce,
} from './effective-policy/effective-policy.js';
export {
  type HypotheticalAssignment,
  hypotheticalStatement,
  hypotheticalValues,
} from './effective-policy/hypothetical-assignment.js';
export { guardrailsBehind, type PolicyRefusal, policyRefusals } from './effective-policy/permitted-models.js';
export { PatternRule } from './content-filters/pattern-rule.js';
export { CreateGuardrailRequest, UpdateGuardrailRequest } from './dto/guardrail.dto.js';
export {
  DEFAULT_GUARDRAIL_NOT_ASSIGNABLE,
  GuardrailNotFound,
  MemberNotFound,
  TooManyPatternChecks,
} from './guardrails.errors.js';
export { GuardrailsModule } from './guardrails.module.js';
export { type AssignedGuardrail, GuardrailsService } from './guardrails.service.js';
export { type ArgumentCheck, argumentCheck } from './mcp/argument-schema.js';
export { type EffectiveMcpTools, type McpToolRefusal, mcpToolCheck, namesTool } from './mcp/mcp-tools-policy.js';
export { type RefusalByRules, refusingGuardrailsOf } from './refusing-guardrails.js';
export { EffectiveGuardrailsService } from './effective-policy/effective-guardrails.service.js';
