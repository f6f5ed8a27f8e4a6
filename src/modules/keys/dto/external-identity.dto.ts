import { TextField } from '../../../http/schema/fields.js';
import {
  EXTERNAL_API_KEY_PATTERN,
  MAXIMUM_EXTERNAL_API_KEY_LENGTH,
  MINIMUM_EXTERNAL_API_KEY_LENGTH,
} from '../external-api-key.js';

/** The longest name that a partner can have for a user, in characters. */
const MAXIMUM_EXTERNAL_USER_LENGTH = 256;

/** Whom a key is for in the system of a partner. */
export class ExternalIdentity {
  @TextField({
    description: "The partner's own identifier of the user. It is kept as it is sent, and need not be unique.",
    example: 'customer-4711',
    minLength: 1,
    maxLength: MAXIMUM_EXTERNAL_USER_LENGTH,
  })
  user: string;

  @TextField({
    description:
      'A secret of the partner that is accepted like the key itself, beside it. It is kept as its SHA-256 only, and is in no answer.',
    example: 'partner-3f9b2c7d1e5a4086b1d2c3e4f5a60718',
    minLength: MINIMUM_EXTERNAL_API_KEY_LENGTH,
    maxLength: MAXIMUM_EXTERNAL_API_KEY_LENGTH,
    pattern: EXTERNAL_API_KEY_PATTERN,
    optional: true,
  })
  api_key?: string;
}
