import { GuardrailKeyAssignmentEntity } from './guardrail-key-assignment.entity.js';
import { GuardrailMemberAssignmentEntity } from './guardrail-member-assignment.entity.js';
import { GuardrailEntity } from './guardrail.entity.js';

/** Every entity of this module. */
export const GUARDRAILS_ENTITIES = [GuardrailEntity, GuardrailKeyAssignmentEntity, GuardrailMemberAssignmentEntity];
