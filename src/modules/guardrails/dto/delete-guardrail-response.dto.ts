import { TrueField } from '../../../http/schema/fields.js';

/** The answer to deleteGuardrail. */
export class DeleteGuardrailResponse {
  @TrueField({ description: 'The guardrail is deleted, and its assignments with it.', example: true })
  deleted: true;
}
