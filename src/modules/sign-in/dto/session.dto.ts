import { ADMINISTRATOR, MEMBER_ROLES, type MemberRole } from '../../../auth/roles.js';
import { PERMISSIONS, type Permission } from '../../../auth/permissions.js';
import { DataOf } from '../../../http/openapi/response-envelopes.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  ObjectField,
  TextField,
  TimestampField,
  UuidField,
} from '../../../http/validation/fields.js';
import { UserIdField } from '../../../http/validation/id-fields.js';

/** The person of a session or of a management key. */
export class SessionUser {
  @UserIdField('The id of the user.')
  id: string;

  @TextField({ description: 'The name.', example: 'Ada Lovelace' })
  name: string;

  @TextField({ description: 'The email address.', example: 'ada@example.com' })
  email: string;
}

/** The organization of a session or of a management key. */
export class SessionOrganization {
  @TextField({ description: 'The id of the organization.', example: 'org_018f2b6a7c3e7d4590a1b2c3d4e5f607' })
  id: string;

  @TextField({ description: 'The name.', example: 'Example' })
  name: string;
}

/** Who calls, and what they may do. */
export class Session {
  @ObjectField(() => SessionUser, { description: 'Who calls: who has signed in, or the owner of the management key.' })
  user: SessionUser;

  @ObjectField(() => SessionOrganization, { description: 'The organization that the call is for.' })
  organization: SessionOrganization;

  @EnumField(MEMBER_ROLES, { description: 'The role in the organization.', example: ADMINISTRATOR })
  role: MemberRole;

  @EnumListField(PERMISSIONS, { description: 'What may be done.', example: ['keys_read', 'keys_write'] })
  permissions: Permission[];

  @BooleanField({
    description: "Whether only the caller's own keys and records are reached.",
    example: false,
  })
  only_own: boolean;

  @UuidField({
    description: 'The id of the session; null for a management key.',
    example: '0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b',
    nullable: true,
  })
  session_id: string | null;

  @TimestampField({
    description:
      'When the person last proved who they are; null for a management key, and where the identity provider did not say.',
    nullable: true,
  })
  authenticated_at: string | null;

  @TextField({ description: 'The path prefix of every operation of the interface.', example: '/api/v1' })
  base_path: string;
}

/** The answer to getSession. */
export class GetSessionResponse extends DataOf(Session) {}
