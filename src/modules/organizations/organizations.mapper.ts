import type { OrganizationMember } from './dto/organization-member.dto.js';
import type { MemberRole } from './member-role.js';

/** A member with name and email address. */
export interface MemberWithUser {
  readonly userId: string;
  readonly role: MemberRole;
  readonly userName: string;
  readonly userEmail: string;
}

/** Maps a member to the response. The name is split at its first space. */
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
