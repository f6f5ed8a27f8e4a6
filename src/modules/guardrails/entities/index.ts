import { GuardrailEntity } from './guardrail.entity.js';

/** Every entity of this module. */
export const GUARDRAILS_ENTITIES = [GuardrailEntity];
