import { PageOf } from '../../../http/schema/answer-shapes.js';
import { EnumField, TextField } from '../../../http/schema/fields.js';

/** What a member may be, as the interface names it here. */
export const ORGANIZATION_ROLES = ['org:admin', 'org:member'] as const;

export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number];

/** A member of the caller's organization. */
export class OrganizationMember {
  @TextField({ description: 'The user.', example: 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62' })
  id: string;

  @TextField({ description: "The user's name up to its first space.", example: 'Ada', nullable: true })
  first_name: string | null;

  @TextField({ description: 'The rest of the name; null where there is none.', example: 'Lovelace', nullable: true })
  last_name: string | null;

  @TextField({ description: "The user's address for mail.", example: 'ada@example.com' })
  email: string;

  @EnumField(ORGANIZATION_ROLES, { description: 'What the user is in the organization.', example: 'org:member' })
  role: OrganizationRole;
}

/** The answer to listOrganizationMembers. */
export class ListOrganizationMembersResponse extends PageOf(OrganizationMember) {}
