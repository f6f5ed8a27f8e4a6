import { TextField } from '../../../http/schema/fields.js';

/** The answer to exchangeAuthCodeForAPIKey (SERVICE.md, section 2.4). */
export class ExchangeAuthCodeResponse {
  @TextField({
    description: 'The new API key. It is shown this once.',
    example: 'sk-gate-v1-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef01234567',
  })
  key: string;

  @TextField({
    description: 'The user who owns the key.',
    example: 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62',
    nullable: true,
  })
  user_id: string | null;
}
