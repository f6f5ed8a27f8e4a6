import { DataOf, Deleted, ListOf } from '../../../http/openapi/response-envelopes.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import { EnumField, TextField, TimestampField, UuidField } from '../../../http/validation/fields.js';
import { PathIdField, UserIdField } from '../../../http/validation/id-fields.js';
import { IDENTITY_SOURCES, type IdentitySource } from '../identities/identity-source.js';

const FIELDS = {
  issuer: {
    description: 'The issuer, exactly as its ID tokens have it (`iss`).',
    example: 'https://example.okta.com',
    minLength: 1,
    maxLength: 2_000,
  },
  subject: {
    description: 'Who it is there (`sub`), as the page says that refuses who is not known.',
    example: '00u1example2user3',
    minLength: 1,
    maxLength: 255,
  },
} as const;

/** Which member. */
export class MemberOfIdentityPath {
  @UserIdField('The id of the user.', { minLength: 1 })
  id: string;
}

/** Which identity of which member. */
export class MemberIdentityPath extends MemberOfIdentityPath {
  @PathIdField('The id of the identity.', '0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2c')
  identity_id: string;
}

/** Who a member is at an identity provider (docs/interface/sign-in.md#who-a-person-is). */
export class MemberIdentity {
  @UuidField({ description: 'The id of the identity.', example: '0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2c' })
  id: string;

  @TextField(FIELDS.issuer)
  issuer: string;

  @TextField(FIELDS.subject)
  subject: string;

  @EnumField(IDENTITY_SOURCES, {
    description:
      'Where the link comes from, which is what it ends with: `directory` says it by SCIM, an administrator has made it by `hand`, or the person has got it by signing in (`sign_in`).',
    example: 'hand',
  })
  source: IdentitySource;

  @TimestampField({ description: 'When it was linked.' })
  created_at: string;

  @TimestampField({ description: 'When the member last signed in with it; null if never.', nullable: true })
  last_sign_in_at: string | null;
}

/** The body of createMemberIdentity. */
@SchemaExample({ issuer: 'https://example.okta.com', subject: '00u1example2user3' })
export class CreateMemberIdentityRequest {
  @TextField(FIELDS.issuer)
  issuer: string;

  @TextField(FIELDS.subject)
  subject: string;
}

/** The answer to createMemberIdentity. */
export class MemberIdentityResponse extends DataOf(MemberIdentity) {}

/** The answer to listMemberIdentities. */
export class ListMemberIdentitiesResponse extends ListOf(MemberIdentity) {}

/** The answer to deleteMemberIdentity. */
export class DeleteMemberIdentityResponse extends Deleted('The identity is taken away.') {}
