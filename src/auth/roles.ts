import { type Permission, PERMISSIONS, type Rights, withIncluded } from './permissions.js';

/** What a role is. */
interface Role {
  /** Its place among the roles: of two that someone has, the higher one counts. */
  readonly rank: number;
  /** What it permits in the organization; that of a workspace permits nothing by itself. */
  readonly rights: Rights;
}

const OF_MEMBERS: readonly Permission[] = [
  'keys_write',
  'guardrails_read',
  'presets_read',
  'workspaces_read',
  'usage_write',
  'content_read',
];

/**
 * The roles of members, in an organization and in a workspace (docs/interface/permissions.md#roles). What the database has of them, its
 * constraints and the functions of ranks, a migration writes out; test/database/role-ranks.e2e-spec.ts compares it.
 */
export const ROLES = {
  admin: { rank: 2, rights: { permissions: new Set(PERMISSIONS), onlyOwn: false } },
  member: { rank: 1, rights: { permissions: withIncluded(OF_MEMBERS), onlyOwn: true } },
} as const satisfies Readonly<Record<string, Role>>;

export type MemberRole = keyof typeof ROLES;

export const MEMBER_ROLES = Object.keys(ROLES) as MemberRole[];

/** The role of those who administer the organization or the workspace. */
export const ADMINISTRATOR = 'admin' satisfies MemberRole;

/** The role of a member of whom nothing else is said. */
export const DEFAULT_ROLE = 'member' satisfies MemberRole;

/** The rights of an administrator, whom nothing restricts. */
export const RIGHTS_OF_ADMINISTRATORS: Rights = ROLES[ADMINISTRATOR].rights;
