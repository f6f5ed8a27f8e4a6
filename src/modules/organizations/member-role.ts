/** The roles of members, in an organization and in a workspace (docs/interface/workspaces-and-budgets.md#members). */
export const MEMBER_ROLES = ['admin', 'member'] as const;

export type MemberRole = (typeof MEMBER_ROLES)[number];
