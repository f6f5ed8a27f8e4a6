import { DataOf } from '../../../http/openapi/response-envelopes.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import { EnumField, IntegerField, TextField } from '../../../http/validation/fields.js';
import { PathIdField, UserIdField } from '../../../http/validation/id-fields.js';
import { ORGANIZATION_ROLES, OrganizationMember, type OrganizationRole } from '../dto/organization-member.dto.js';
import { MEMBER_KINDS, type MemberKind } from '../member-role.js';

/** The statuses that an administrator can give a member. */
const SETTABLE_STATUSES = ['active', 'deactivated'] as const;

/** Which member. */
export class OrganizationMemberPath {
  @PathIdField('The id of the user.', 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62')
  id: string;
}

/** What no name has: control characters, line breaks, and what turns the direction of the text around it. */
const NOT_IN_NAMES = '\\x00-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069';

/** Spaces of every width: Unicode's category Zs, written out, because the regular expressions of Python know no categories. */
const SPACES = ' \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000';

/** A name has something that is not a space. */
const NAME = {
  description: 'The name: up to its first space it is the first name.',
  example: 'Ada Lovelace',
  minLength: 1,
  maxLength: 256,
  pattern: `^[^${NOT_IN_NAMES}]*[^${NOT_IN_NAMES}${SPACES}][^${NOT_IN_NAMES}]*$`,
} as const;

const ROLE = { description: 'The role in the organization.', example: 'org:member' } as const;

/** The body of createOrganizationMember. */
@SchemaExample({ name: 'Ada Lovelace', email: 'ada@example.com', role: 'org:member' })
export class CreateOrganizationMemberRequest {
  @TextField(NAME)
  name: string;

  /** As in the HTML standard (valid e-mail address). */
  @TextField({
    description: 'The email address. A service may have none.',
    example: 'ada@example.com',
    maxLength: 254,
    pattern:
      "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$",
    optional: true,
  })
  email?: string;

  @EnumField(ORGANIZATION_ROLES, ROLE)
  role: OrganizationRole;

  @EnumField(MEMBER_KINDS, {
    description: 'A person, or a service that no directory can deactivate.',
    example: 'person',
    default: 'person',
    optional: true,
  })
  kind?: MemberKind;
}

/** The body of updateOrganizationMember. Absent fields stay. */
@SchemaExample({ role: 'org:admin' })
export class UpdateOrganizationMemberRequest {
  @TextField({ ...NAME, optional: true })
  name?: string;

  @EnumField(ORGANIZATION_ROLES, { ...ROLE, optional: true })
  role?: OrganizationRole;

  @EnumField(SETTABLE_STATUSES, {
    description: 'Whether the member counts. Keys of a deactivated member are refused until the reactivation.',
    example: 'deactivated',
    optional: true,
  })
  status?: (typeof SETTABLE_STATUSES)[number];
}

/** What was erased of a member. */
export class ErasedOrganizationMember {
  @UserIdField('The id of the user, which stays.')
  id: string;

  @IntegerField({ description: 'How many records of generations had a content or a name.', example: 12, minimum: 0 })
  generations: number;

  @IntegerField({ description: 'How many keys were named.', example: 2, minimum: 0 })
  keys: number;

  @IntegerField({ description: 'How many identities at identity providers were known.', example: 1, minimum: 0 })
  identities: number;

  @IntegerField({ description: 'How many alerts were sent to the address.', example: 0, minimum: 0 })
  alerts: number;
}

/** The answer to eraseOrganizationMember. */
export class ErasedOrganizationMemberResponse extends DataOf(ErasedOrganizationMember) {}

/** The answer to the operations on one member. */
export class OrganizationMemberResponse extends DataOf(OrganizationMember) {}
