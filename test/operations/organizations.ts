import { MANAGERS, type OperationRows, withoutIds } from './operation-row.js';

/** The operations of organizations. */
export const ORGANIZATIONS: OperationRows = {
  listOrganizationMembers: {
    method: 'GET',
    path: '/organization/members',
    callers: MANAGERS,
    success: 200,
    errors: [],
    statements: ['organization_users_page'],
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
};
