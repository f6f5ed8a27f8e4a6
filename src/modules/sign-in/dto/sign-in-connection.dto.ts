import { DataOf, Deleted, PageOf } from '../../../http/openapi/response-envelopes.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import { BooleanField, TextField, TextListField, TimestampField, UuidField } from '../../../http/validation/fields.js';
import { PathIdField } from '../../../http/validation/id-fields.js';

/** The scopes that are asked for where the request names none. */
export const DEFAULT_SCOPES: readonly string[] = ['openid', 'email', 'profile'];

/** What a claim may be called, and its values, as they are in a JWT. */
const CLAIM = { minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' } as const;

const FIELDS = {
  name: { description: 'The name, which the sign-in page shows.', example: 'Okta', minLength: 1, maxLength: 100 },
  issuer: {
    description:
      'The issuer, exactly as its discovery document and its ID tokens have it (`iss`); `/.well-known/openid-configuration` lies below it.',
    example: 'https://example.okta.com',
    minLength: 1,
    maxLength: 2_000,
  },
  clientId: {
    description: 'The client ID of this application at the identity provider.',
    example: '0oa1example2client3',
    minLength: 1,
    maxLength: 500,
    pattern: '^[\\x20-\\x7e]+$',
  },
  clientSecret: {
    description:
      'The client secret; null for a client without one, which proves itself by PKCE alone. Stored encrypted.',
    example: 'example-client-secret',
    minLength: 1,
    maxLength: 2_000,
    pattern: '^[\\x20-\\x7e]+$',
    nullable: true,
  },
  scopes: {
    description: 'The scopes that are asked for, `openid` among them.',
    example: [...DEFAULT_SCOPES],
    minItems: 1,
    maxItems: 20,
    items: { minLength: 1, maxLength: 100, pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$' },
  },
  externalIdClaim: {
    description:
      'The claim whose value is the `externalId` that the directory gives the member by SCIM: `sub`, or `oid` for Entra ID. Null where members are not found by it.',
    example: 'sub',
    nullable: true,
    ...CLAIM,
  },
  createsMembers: {
    description: 'Whether who is not known becomes a member of the organization, with the role `member`.',
    example: false,
  },
  roleClaim: {
    description:
      'The claim that decides the role in the organization at each sign-in, as long as SCIM is not enabled: `groups`, `roles`, or a path such as `realm_access.roles`. Where a sign-in lacks it, the role stays. Null where the role is set here. Needs `admin_values`.',
    example: null,
    nullable: true,
    ...CLAIM,
  },
  adminValues: {
    description: 'The values of `role_claim` that make an administrator; every other one makes a member.',
    example: null,
    nullable: true,
    minItems: 1,
    maxItems: 50,
    items: { minLength: 1, maxLength: 500 },
  },
  groupClaim: {
    description:
      'The claim with the groups of the person, or the path to it: each sign-in puts the member into those groups whose `external_id` or `display_name` it has, and takes them out of all others, as long as no directory decides about that (SCIM). Null where the claims decide nothing about groups.',
    example: null,
    nullable: true,
    ...CLAIM,
  },
  stepUpWithoutAuthTime: {
    description:
      'Whether a new sign-in that is asked for to prove again who a person is (`step_up`) counts although the ID token lacks `auth_time`: for providers that cannot state it, such as Google. The provider may not ask the person for anything then.',
    example: false,
  },
  enabled: { description: 'Whether people can sign in with it.', example: true },
} as const;

/** Which identity provider. */
export class SignInConnectionPath {
  @PathIdField('The id of the identity provider.', '0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b')
  id: string;
}

/** An identity provider that members sign in with (docs/interface/sign-in.md#identity-providers). */
export class SignInConnection {
  @UuidField({ description: 'The id of the identity provider.', example: '0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b' })
  id: string;

  @TextField(FIELDS.name)
  name: string;

  @TextField(FIELDS.issuer)
  issuer: string;

  @TextField(FIELDS.clientId)
  client_id: string;

  @BooleanField({ description: 'Whether the client has a secret, which no response shows.', example: true })
  has_client_secret: boolean;

  @TextListField(FIELDS.scopes)
  scopes: string[];

  @TextField(FIELDS.externalIdClaim)
  external_id_claim: string | null;

  @BooleanField(FIELDS.createsMembers)
  creates_members: boolean;

  @TextField(FIELDS.roleClaim)
  role_claim: string | null;

  @TextListField(FIELDS.adminValues)
  admin_values: string[] | null;

  @TextField(FIELDS.groupClaim)
  group_claim: string | null;

  @BooleanField(FIELDS.stepUpWithoutAuthTime)
  step_up_without_auth_time: boolean;

  @BooleanField(FIELDS.enabled)
  enabled: boolean;

  @TimestampField({ description: 'When it was added.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed; null if never.', nullable: true })
  updated_at: string | null;
}

/** The body of createSignInConnection. */
@SchemaExample({
  name: 'Okta',
  issuer: 'https://example.okta.com',
  client_id: '0oa1example2client3',
  client_secret: 'example-client-secret',
})
export class CreateSignInConnectionRequest {
  @TextField(FIELDS.name)
  name: string;

  @TextField(FIELDS.issuer)
  issuer: string;

  @TextField(FIELDS.clientId)
  client_id: string;

  @TextField({ ...FIELDS.clientSecret, optional: true })
  client_secret?: string | null;

  @TextListField({ ...FIELDS.scopes, optional: true })
  scopes?: string[];

  @TextField({ ...FIELDS.externalIdClaim, optional: true })
  external_id_claim?: string | null;

  @BooleanField({ ...FIELDS.createsMembers, optional: true, default: false })
  creates_members?: boolean;

  @TextField({ ...FIELDS.roleClaim, optional: true })
  role_claim?: string | null;

  @TextListField({ ...FIELDS.adminValues, optional: true })
  admin_values?: string[] | null;

  @TextField({ ...FIELDS.groupClaim, optional: true })
  group_claim?: string | null;

  @BooleanField({ ...FIELDS.stepUpWithoutAuthTime, optional: true, default: false })
  step_up_without_auth_time?: boolean;

  @BooleanField({ ...FIELDS.enabled, optional: true, default: true })
  enabled?: boolean;
}

/** The body of updateSignInConnection. Absent fields stay. Issuer and client stay: another one is another identity provider. */
export class UpdateSignInConnectionRequest {
  @TextField({ ...FIELDS.name, optional: true })
  name?: string;

  @TextField({ ...FIELDS.clientSecret, optional: true })
  client_secret?: string | null;

  @TextListField({ ...FIELDS.scopes, optional: true })
  scopes?: string[];

  @TextField({ ...FIELDS.externalIdClaim, optional: true })
  external_id_claim?: string | null;

  @BooleanField({ ...FIELDS.createsMembers, optional: true })
  creates_members?: boolean;

  @TextField({ ...FIELDS.roleClaim, optional: true })
  role_claim?: string | null;

  @TextListField({ ...FIELDS.adminValues, optional: true })
  admin_values?: string[] | null;

  @TextField({ ...FIELDS.groupClaim, optional: true })
  group_claim?: string | null;

  @BooleanField({ ...FIELDS.stepUpWithoutAuthTime, optional: true })
  step_up_without_auth_time?: boolean;

  @BooleanField({ ...FIELDS.enabled, optional: true })
  enabled?: boolean;
}

/** The answer to createSignInConnection, getSignInConnection and updateSignInConnection. */
export class SignInConnectionResponse extends DataOf(SignInConnection) {}

/** The answer to listSignInConnections. */
export class ListSignInConnectionsResponse extends PageOf(SignInConnection) {}

/** The answer to deleteSignInConnection. */
export class DeleteSignInConnectionResponse extends Deleted('The identity provider is deleted.') {}
