import { BodyLimit } from '../../../http/input/body-limit.js';
import { FormBody } from '../../../http/input/form-body.js';
import { AdditionalProperties, SchemaExample } from '../../../http/validation/dto-fields.js';
import { EnumField, IntegerField, ObjectListField, TextField } from '../../../http/validation/fields.js';
import { EXAMPLE_KEY } from './issuer.dto.js';

/** Less than 32 KiB. */
const FORM_LIMIT = 32 * 1024 - 1;

const MAXIMUM_TOKEN_LENGTH = 16 * 1024;

/** The grant of RFC 8693, section 2.1. */
export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** The types of tokens (RFC 8693, section 3). */
export const JWT_TYPE = 'urn:ietf:params:oauth:token-type:jwt';
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';

const POLICY_ID = 'fp-031f7GbuPo0GnCsEhZdbqU-019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f81';

/** The form of an exchange (RFC 8693, section 2.1). */
@FormBody()
@BodyLimit(FORM_LIMIT)
@AdditionalProperties()
@SchemaExample({
  grant_type: TOKEN_EXCHANGE,
  federation_policy_id: POLICY_ID,
  subject_token: 'eyJ...',
  subject_token_type: JWT_TYPE,
})
export class TokenExchangeRequest {
  @TextField({ description: `\`${TOKEN_EXCHANGE}\`.`, example: TOKEN_EXCHANGE })
  grant_type: string;

  @TextField({ description: 'The id of the federation policy.', example: POLICY_ID })
  federation_policy_id: string;

  @TextField({
    description: 'The token of the issuer: a JWT that is signed with ES256 or RS256.',
    example: 'eyJ...',
    maxLength: MAXIMUM_TOKEN_LENGTH,
  })
  subject_token: string;

  @TextField({ description: `\`${JWT_TYPE}\`.`, example: JWT_TYPE })
  subject_token_type: string;

  @TextField({ description: `\`${ACCESS_TOKEN_TYPE}\`, if anything.`, example: ACCESS_TOKEN_TYPE, optional: true })
  requested_token_type?: string;

  @TextField({ description: '`inference`, if anything.', example: 'inference', optional: true })
  scope?: string;
}

/** The answer to createOauthToken (RFC 8693, section 2.2.1). */
export class TokenExchangeResponse {
  @TextField({
    description: 'The access token. It is presented as an API key is: `Authorization: Bearer eyJ...`.',
    example: 'eyJ...',
  })
  access_token: string;

  @EnumField([ACCESS_TOKEN_TYPE], { description: 'What it is.', example: ACCESS_TOKEN_TYPE })
  issued_token_type: typeof ACCESS_TOKEN_TYPE;

  @EnumField(['Bearer'], { description: 'How it is presented.', example: 'Bearer' })
  token_type: 'Bearer';

  @IntegerField({
    description: 'For how many seconds it is valid: at most 900, and no longer than the subject token.',
    example: 900,
    minimum: 1,
    maximum: 900,
  })
  expires_in: number;

  @TextField({ description: 'What it is for.', example: 'inference' })
  scope: string;
}

/** A public key that access tokens are signed with (RFC 7517). */
export class OAuthJwk {
  @EnumField(['EC'], { description: 'The type of the key.', example: EXAMPLE_KEY.kty })
  kty: 'EC';

  @EnumField(['P-256'], { description: 'Its curve.', example: EXAMPLE_KEY.crv })
  crv: 'P-256';

  @EnumField(['ES256'], { description: 'Its algorithm.', example: 'ES256' })
  alg: 'ES256';

  @EnumField(['sig'], { description: 'What it is for.', example: 'sig' })
  use: 'sig';

  @TextField({ description: 'Its name in the header of tokens.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f82' })
  kid: string;

  @TextField({ description: 'Its x coordinate.', example: EXAMPLE_KEY.x })
  x: string;

  @TextField({ description: 'Its y coordinate.', example: EXAMPLE_KEY.y })
  y: string;
}

/** The answer to listOauthJwks: a JWK Set (RFC 7517). */
export class OAuthJwks {
  @ObjectListField(() => OAuthJwk, {
    description: 'The keys of tokens that are valid, and of those that will be issued within the hour.',
  })
  keys: OAuthJwk[];
}
