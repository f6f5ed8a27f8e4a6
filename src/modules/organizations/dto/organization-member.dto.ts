import { MEMBER_ROLES, type MemberRole } from '../../../auth/roles.js';
import { PageOf } from '../../../http/openapi/response-envelopes.js';
import { BooleanField, EnumField, TextField } from '../../../http/validation/fields.js';
import { UserIdField } from '../../../http/validation/id-fields.js';
import { ViewOf } from '../../../http/pagination/pagination.js';
import { MEMBER_KINDS, MEMBER_STATUSES, type MemberKind, type MemberStatus } from '../member-role.js';

/** The roles of members, with the names of this response. */
export const ORGANIZATION_ROLES = MEMBER_ROLES.map((role): `org:${MemberRole}` => `org:${role}`);

export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number];

/** The role that a request names with its name in answers. */
export function roleOf(role: OrganizationRole): MemberRole {
  return role.slice('org:'.length) as MemberRole;
}

/** A member of the caller's organization. */
export class OrganizationMember {
  @UserIdField('The id of the user.')
  id: string;

  @TextField({ description: 'The name.', example: 'Ada Lovelace' })
  name: string;

  @TextField({
    description: 'The first name: what a directory says, or the name up to its first space.',
    example: 'Ada',
    nullable: true,
  })
  first_name: string | null;

  @TextField({
    description: 'The last name: what a directory says, or the rest of the name; null if there is none.',
    example: 'Lovelace',
    nullable: true,
  })
  last_name: string | null;

  @TextField({ description: 'The email address.', example: 'ada@example.com' })
  email: string;

  @EnumField(ORGANIZATION_ROLES, { description: 'The role of the user in the organization.', example: 'org:member' })
  role: OrganizationRole;

  @EnumField(MEMBER_STATUSES, {
    description:
      'Whether the member is active. A deactivated one counts as nothing until the reactivation, an ended one for good.',
    example: 'active',
  })
  status: MemberStatus;

  @EnumField(MEMBER_KINDS, {
    description: 'A person, or a service that no directory can deactivate.',
    example: 'person',
  })
  kind: MemberKind;

  @BooleanField({ description: 'Whether a directory has written the member by SCIM.', example: false })
  scim_managed: boolean;
}

const CHOICES = ['true', 'false'] as const;

/** Which members to list. */
export class ListOrganizationMembersQuery extends ViewOf('their name or e-mail address', [
  'name',
  'email',
  'created_at',
]) {
  @EnumField(CHOICES, {
    description: 'Whether to include members who are deactivated or have ended; false if absent.',
    example: 'true',
    optional: true,
  })
  include_deactivated?: (typeof CHOICES)[number];
}

/** The answer to listOrganizationMembers. */
export class ListOrganizationMembersResponse extends PageOf(OrganizationMember) {}
