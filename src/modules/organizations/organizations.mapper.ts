import type { OrganizationMember } from './dto/organization-member.dto.js';
import type { MemberRole } from './member-role.js';

/** A member with what is known of the person. */
export interface MemberWithUser {
  readonly userId: string;
  readonly role: MemberRole;
  readonly userName: string;
  readonly userEmail: string;
}

/** A member as the interface shows it. The name is told in two parts that make the whole again. */
export function toOrganizationMemberResponse(member: MemberWithUser): OrganizationMember {
  const [firstName = '', ...rest] = member.userName.trim().split(' ');
  return {
    id: member.userId,
    first_name: firstName || null,
    last_name: rest.join(' ').trim() || null,
    email: member.userEmail,
    role: `org:${member.role}`,
  };
}
