import { Rules } from '../../../http/input/rules.js';
import { EnumField, NumberField, TextField, TimestampField, UuidField } from '../../../http/schema/fields.js';
import { WholeExample } from '../../../http/schema/schema-registry.js';
import { acceptableCallbackUrl, challengeWithMethod } from '../authorization-code-rules.js';
import { MAXIMUM_CALLBACK_URL_LENGTH } from '../callback-url.js';
import { CODE_CHALLENGE_METHODS, type CodeChallengeMethod } from '../code-challenge.js';
import { LIMIT_RESETS, type LimitReset } from '../limit-reset.js';

/** The longest name of an agent or a cloud, in characters. */
const MAXIMUM_SPAWN_LENGTH = 256;

/** The body of createAuthKeysCode: what the user agreed to, and the key that the code will become. */
@Rules(acceptableCallbackUrl, challengeWithMethod)
@WholeExample({
  callback_url: 'https://app.example.com/callback',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  key_label: 'My application',
  limit: 25,
  usage_limit_type: 'monthly',
})
export class CreateAuthKeysCodeRequest {
  @TextField({
    description:
      'Where the user is sent back to with the code: https, or http on a loopback host. Where Connect clients have registered URLs of its origin, it must be one of them.',
    example: 'https://app.example.com/callback',
    format: 'uri',
    maxLength: MAXIMUM_CALLBACK_URL_LENGTH,
  })
  callback_url: string;

  @TextField({
    description: 'The code challenge (RFC 7636, section 4.2).',
    example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    minLength: 43,
    maxLength: 128,
    pattern: '^[A-Za-z0-9._~-]+$',
    optional: true,
  })
  code_challenge?: string;

  @EnumField(CODE_CHALLENGE_METHODS, {
    description: 'How the challenge was made from the verifier; plain when left out (RFC 7636, section 4.3).',
    example: 'S256',
    optional: true,
  })
  code_challenge_method?: CodeChallengeMethod;

  @TextField({
    description: 'Whose key it becomes: a member of the organization; when left out, the user of the management key.',
    example: 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62',
    optional: true,
  })
  user_id?: string;

  @UuidField({
    description: 'The workspace of the key; when left out, the default workspace.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
    optional: true,
  })
  workspace_id?: string;

  @TextField({ description: 'The name of the key.', example: 'My application', maxLength: 100, optional: true })
  key_label?: string;

  @NumberField({ description: 'The spending limit of the key in US dollars.', example: 25, minimum: 0, optional: true })
  limit?: number;

  @EnumField(LIMIT_RESETS, {
    description: 'How often the spending limit starts anew; when left out, never.',
    example: 'monthly',
    optional: true,
  })
  usage_limit_type?: LimitReset;

  @TimestampField({
    description: 'When the key expires; null for never.',
    example: '2027-01-01T00:00:00Z',
    optional: true,
    nullable: true,
  })
  expires_at?: string | null;

  @TextField({
    description: 'The agent that asks, as it names itself.',
    example: 'my-agent',
    maxLength: MAXIMUM_SPAWN_LENGTH,
    optional: true,
  })
  spawn_agent?: string;

  @TextField({
    description: 'The cloud that the agent runs in.',
    example: 'my-cloud',
    maxLength: MAXIMUM_SPAWN_LENGTH,
    optional: true,
  })
  spawn_cloud?: string;
}
