import { entityTagOf } from '../../http/entity-tags.js';
import type { OrganizationMember } from './dto/organization-member.dto.js';
import type { OrganizationMemberEntity } from './entities/organization.entity.js';
import type { MemberStatus } from './member-role.js';

/** A member with name and email address. */
export type MemberWithUser = OrganizationMemberEntity & {
  readonly userName: string;
  readonly userEmail: string;
  /** Whether a directory manages the member. */
  readonly isScimManaged: boolean;
};

/** What a member is for the organization. */
export function statusOf({ deactivatedAt, endedAt }: OrganizationMemberEntity): MemberStatus {
  if (endedAt !== null) return 'ended';
  return deactivatedAt === null ? 'active' : 'deactivated';
}

/** Maps a member to the response. Without a given and a family name, the name is split at its first space. */
export function toOrganizationMemberResponse(member: MemberWithUser): OrganizationMember {
  const [firstName = '', ...rest] = member.userName.trim().split(' ');
  const isDivided = member.givenName !== null || member.familyName !== null;
  return {
    id: member.userId,
    name: member.userName,
    first_name: isDivided ? member.givenName : firstName || null,
    last_name: isDivided ? member.familyName : rest.join(' ').trim() || null,
    email: member.userEmail,
    role: `org:${member.role}`,
    status: statusOf(member),
    kind: member.kind,
    scim_managed: member.isScimManaged,
  };
}

/** The entity tag of a member (docs/interface/conventions.md#conditional-requests): of what requests and directories change. */
export function tagOfMember(member: MemberWithUser): string {
  const { id, scim_managed: _isManaged, ...settings } = toOrganizationMemberResponse(member);
  return entityTagOf(id, settings);
}
