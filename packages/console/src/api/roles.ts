import type { Schema } from './types';

/** A role in a workspace, and without its prefix also one in the organization. */
export type Role = Schema<'WorkspaceRole'>;

/** What people call each role. The compiler demands those of the document, and of no other. */
export const ROLE_LABELS: Readonly<Record<Role, string>> = { member: 'Member', admin: 'Administrator' };

/** All roles, in the order in which they are offered. */
export const ROLES = Object.keys(ROLE_LABELS) as readonly Role[];
