import type { IssueWithReason } from '../../../http/errors/issue.js';
import { callbackUrlIssues, MAXIMUM_CALLBACK_URL_LENGTH } from './callback-url.js';
import { Rules } from '../../../http/validation/rules.js';
import { EnumField, IntegerField, NumberField, TextField, TimestampField } from '../../../http/validation/fields.js';
import { UserIdField, WorkspaceIdField } from '../../../http/validation/id-fields.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import { CODE_CHALLENGE_METHODS, type CodeChallengeMethod } from './code-challenge.js';
import { EXPIRES_AT, LIMIT_RESETS, type LimitReset } from '../../keys/dto/key.dto.js';
import { DataOf } from '../../../http/openapi/response-envelopes.js';

type Body = Readonly<Record<string, unknown>>;

/** An S256 challenge is 32 bytes in base64url without padding (RFC 7636, section 4.2). */
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

function acceptableCallbackUrl(body: Body): IssueWithReason[] {
  return callbackUrlIssues('callback_url', body['callback_url']);
}

/** A method requires a challenge, and an S256 challenge has the form of S256. */
function challengeWithMethod(body: Body): IssueWithReason[] {
  const { code_challenge: challenge, code_challenge_method: method } = body;
  if (challenge === undefined) {
    return method === undefined ? [] : [{ path: 'code_challenge', message: 'is required with code_challenge_method' }];
  }
  if (method === 'S256' && typeof challenge === 'string' && !S256_CHALLENGE.test(challenge)) {
    return [{ path: 'code_challenge', message: 'must be 43 characters of base64url for S256' }];
  }
  return [];
}

/** The longest name of an agent or a cloud, in characters. */
const MAXIMUM_SPAWN_LENGTH = 256;

/** The body of createAuthKeysCode: what the user agreed to, and the properties of the future key. */
@Rules(acceptableCallbackUrl, challengeWithMethod)
@SchemaExample({
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
      'The URL that the user returns to with the code: https, or http on a loopback host. If Connect clients have registered URLs with its origin, it must be one of them.',
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
    description: 'How the challenge was made from the verifier; plain if absent (RFC 7636, section 4.3).',
    example: 'S256',
    optional: true,
  })
  code_challenge_method?: CodeChallengeMethod;

  @UserIdField('The owner of the key, a member of the organization; the user of the management key if absent.', {
    optional: true,
  })
  user_id?: string;

  @WorkspaceIdField('The workspace of the key; the default workspace if absent.', { optional: true })
  workspace_id?: string;

  @TextField({ description: 'The name of the key.', example: 'My application', maxLength: 100, optional: true })
  key_label?: string;

  @NumberField({ description: 'The spending limit of the key in US dollars.', example: 25, minimum: 0, optional: true })
  limit?: number;

  @EnumField(LIMIT_RESETS, {
    description: 'How often the spending limit resets; never if absent.',
    example: 'monthly',
    optional: true,
  })
  usage_limit_type?: LimitReset;

  @TimestampField(EXPIRES_AT)
  expires_at?: string | null;

  @TextField({
    description: 'The name of the agent that asks for the key.',
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

/** An authorization code. */
export class AuthorizationCode {
  @TextField({
    description: 'The code. It works once and for ten minutes; no other response contains it.',
    example:
      'ac-gate-v2-031f7GbuPo0GnCsEhZdbqU-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef01234567',
  })
  id: string;

  @IntegerField({
    description:
      'The number of the application in the organization. An application is identified by the origin of its callback URL.',
    example: 1,
  })
  app_id: number;

  @TimestampField({ description: 'When it was created.' })
  created_at: string;
}

/** The answer to createAuthKeysCode. */
export class CreateAuthKeysCodeResponse extends DataOf(AuthorizationCode) {}

/** The body of exchangeAuthCodeForAPIKey (docs/interface/keys-and-oauth.md#exchange). */
export class ExchangeAuthCodeRequest {
  @TextField({
    description: 'The authorization code from the redirect.',
    example:
      'ac-gate-v2-031f7GbuPo0GnCsEhZdbqU-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef01234567',
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

/** The answer to exchangeAuthCodeForAPIKey (docs/interface/keys-and-oauth.md#exchange). */
export class ExchangeAuthCodeResponse {
  @TextField({
    description: 'The new API key. No other response contains it.',
    example:
      'sk-gate-v2-031f7GbuPo0GnCsEhZdbqU-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef01234567',
  })
  key: string;

  @UserIdField('The id of the user who owns the key.', { nullable: true })
  user_id: string | null;
}
