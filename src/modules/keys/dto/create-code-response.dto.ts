import { DataOf } from '../../../http/schema/answer-shapes.js';
import { IntegerField, TextField, TimestampField } from '../../../http/schema/fields.js';

/** An authorization code. */
export class AuthorizationCode {
  @TextField({
    description: 'The code. It is shown this once, works once and for ten minutes.',
    example: 'ac-gate-v1-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef01234567',
  })
  id: string;

  @IntegerField({
    description: 'The application, known by the origin of its callback URL: its number in the organization.',
    example: 1,
  })
  app_id: number;

  @TimestampField({ description: 'When it was made.' })
  created_at: string;
}

/** The answer to createAuthKeysCode. */
export class CreateAuthKeysCodeResponse extends DataOf(AuthorizationCode) {}
