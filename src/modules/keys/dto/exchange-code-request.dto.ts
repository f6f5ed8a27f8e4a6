import { EnumField, TextField } from '../../../http/schema/fields.js';
import { CODE_CHALLENGE_METHODS, type CodeChallengeMethod } from '../code-challenge.js';

/** The body of exchangeAuthCodeForAPIKey (SERVICE.md, section 4.3). */
export class ExchangeAuthCodeRequest {
  @TextField({
    description: 'The authorization code from the redirect.',
    example: 'ac-gate-v1-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef01234567',
    minLength: 1,
  })
  code: string;

  @TextField({
    description: 'The code verifier, when the authorization was requested with a code challenge.',
    example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    optional: true,
  })
  code_verifier?: string;

  @EnumField(CODE_CHALLENGE_METHODS, {
    description: 'The method that the code challenge was made with; null when there was none.',
    example: 'S256',
    optional: true,
    nullable: true,
  })
  code_challenge_method?: CodeChallengeMethod | null;
}
