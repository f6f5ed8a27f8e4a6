import { MANAGEMENT_KEYS, type OperationRows, withoutIds } from './operation-row.js';

/** The operations of organizations. */
export const ORGANIZATIONS: OperationRows = {
  listOrganizationMembers: {
    method: 'GET',
    path: '/organization/members',
    callers: MANAGEMENT_KEYS,
    permission: 'organization_members_read',
    success: 200,
    errors: [],
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
};
