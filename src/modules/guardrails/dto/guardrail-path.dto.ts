import { TextField } from '../../../http/schema/fields.js';

/** Which guardrail. */
export class GuardrailPath {
  // Not a UUID field: an id of another form belongs to no guardrail, which is a 404 and not a 400.
  @TextField({
    description: 'The UUID of the guardrail.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60',
    minLength: 1,
  })
  id: string;
}
