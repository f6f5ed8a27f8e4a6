import { MANAGEMENT_KEYS, type OperationRows, withoutIds } from './operation-row.js';

/** The operations of signing in. */
export const SIGN_IN: OperationRows = {
  getSession: {
    method: 'GET',
    path: '/session',
    callers: MANAGEMENT_KEYS,
    success: 200,
    errors: [],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
};
