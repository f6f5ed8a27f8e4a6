import { PageOf } from '../../../http/openapi/response-envelopes.js';
import { EnumField, TextField } from '../../../http/validation/fields.js';
import { UserIdField } from '../../../http/validation/id-fields.js';

/** The roles of members, with the names of this response. */
const ORGANIZATION_ROLES = ['org:admin', 'org:member'] as const;

export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number];

/** A member of the caller's organization. */
export class OrganizationMember {
  @UserIdField('The id of the user.')
  id: string;

  @TextField({ description: 'The first name: the name up to its first space.', example: 'Ada', nullable: true })
  first_name: string | null;

  @TextField({
    description: 'The last name: the rest of the name; null if there is none.',
    example: 'Lovelace',
    nullable: true,
  })
  last_name: string | null;

  @TextField({ description: 'The email address.', example: 'ada@example.com' })
  email: string;

  @EnumField(ORGANIZATION_ROLES, { description: 'The role of the user in the organization.', example: 'org:member' })
  role: OrganizationRole;
}

/** The answer to listOrganizationMembers. */
export class ListOrganizationMembersResponse extends PageOf(OrganizationMember) {}
