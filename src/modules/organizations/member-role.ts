/** What a member may be, in an organization and in a workspace alike (DECISIONS.md, section 4). */
export const MEMBER_ROLES = ['admin', 'member'] as const;

export type MemberRole = (typeof MEMBER_ROLES)[number];
