import { BooleanField, TextField } from '../../../http/schema/fields.js';
import { KeyFields, MAXIMUM_KEY_NAME_LENGTH } from './key-fields.dto.js';

/** The body of updateKeys. What is left out stays as it is. */
export class UpdateKeyRequest extends KeyFields {
  @TextField({
    description: 'The name.',
    example: 'Production',
    minLength: 1,
    maxLength: MAXIMUM_KEY_NAME_LENGTH,
    optional: true,
  })
  name?: string;

  @BooleanField({ description: 'Refuse the key from now on, or no more.', example: true, optional: true })
  disabled?: boolean;
}
