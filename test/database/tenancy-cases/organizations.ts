import { type Cases, sameForAll } from '../../support/foreign-ids.js';

/** What the operations of organizations could be told of another organization. */
export const ORGANIZATIONS_CASES: Cases = {
  listOrganizationMembers: () => sameForAll({ method: 'GET', path: '/organization/members' }),
};
