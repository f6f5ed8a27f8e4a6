import { DataOf, Deleted, ListOf } from '../../../http/openapi/response-envelopes.js';
import { IntegerField, TextField, TimestampField, UuidField } from '../../../http/validation/fields.js';
import { PathIdField } from '../../../http/validation/id-fields.js';

/** How long the old token may remain valid at most: a week, in seconds. */
const MAXIMUM_GRACE_SECONDS = 604_800;

const ISSUER = {
  description:
    'The issuer that the people sign in at whom the directory provisions: there its `externalId` may say who a person is (`external_id_claim` of the identity provider). Null where it says nothing.',
  example: 'https://example.okta.com',
  minLength: 1,
  maxLength: 2_000,
  nullable: true,
} as const;

/** Which token. */
export class ProvisioningTokenPath {
  @PathIdField('The id of the token.', '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f71')
  id: string;
}

/** A provisioning token, without its secret (docs/interface/scim-provisioning.md#tokens). */
export class ProvisioningToken {
  @UuidField({ description: 'The id of the token.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f71' })
  id: string;

  @TextField({ description: 'The name.', example: 'Okta' })
  name: string;

  @TextField({ description: 'The token, masked.', example: 'pv-gate-v2-0ab...f12' })
  label: string;

  @TextField(ISSUER)
  issuer: string | null;

  @TimestampField({ description: 'When it expires; null for never.', nullable: true })
  expires_at: string | null;

  @TimestampField({
    description: 'When a directory used it last, to the minute; null before its first use.',
    nullable: true,
  })
  last_used_at: string | null;

  @TimestampField({ description: 'When it was created.' })
  created_at: string;
}

/** The answer to createProvisioningToken and rotateProvisioningToken. */
export class IssuedProvisioningTokenResponse extends DataOf(ProvisioningToken) {
  @TextField({
    description: 'The token. No other response contains it.',
    example:
      'pv-gate-v2-031f7GbuPo0GnCsEhZdbqU-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef01234567',
  })
  token: string;
}

/** The answer to listProvisioningTokens. */
export class ListProvisioningTokensResponse extends ListOf(ProvisioningToken) {}

/** The answer to revokeProvisioningToken. */
export class RevokeProvisioningTokenResponse extends Deleted('Always true: the token was revoked.') {}

/** The body of createProvisioningToken. */
export class CreateProvisioningTokenRequest {
  @TextField({ description: 'The name, such as that of the directory.', example: 'Okta', minLength: 1, maxLength: 200 })
  name: string;

  @TextField({ ...ISSUER, optional: true })
  issuer?: string | null;

  @TimestampField({
    description: 'When it expires. Never by default: directories stop provisioning with a token that has expired.',
    nullable: true,
    optional: true,
  })
  expires_at?: string | null;
}

/** The body of rotateProvisioningToken. */
export class RotateProvisioningTokenRequest {
  @IntegerField({
    description: 'How long the old token remains valid, in seconds; 0 if absent.',
    example: 86_400,
    minimum: 0,
    maximum: MAXIMUM_GRACE_SECONDS,
    optional: true,
    default: 0,
  })
  grace_seconds?: number;
}
