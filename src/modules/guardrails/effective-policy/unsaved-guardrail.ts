import { rowAsJson } from '../../../persistence/insert-statement.js';
import { GuardrailEntity } from '../entities/guardrail.entity.js';

declare const UNSAVED: unique symbol;

/** The row of a guardrail that is not stored as it is here, as JSON: statements read it in place of the stored one. */
export type UnsavedGuardrail = string & { readonly [UNSAVED]: true };

/** The id of a guardrail that does not exist yet. No stored one has it (RFC 9562, section 5.9). */
export const ID_OF_NEW_GUARDRAIL = '00000000-0000-0000-0000-000000000000';

/** The row for statements. */
export function unsavedGuardrail(guardrail: GuardrailEntity): UnsavedGuardrail {
  return rowAsJson(GuardrailEntity, guardrail) as UnsavedGuardrail;
}
