import { UNKNOWN_UUID } from '../support/expectations/formats.js';
import {
  MANAGEMENT_KEYS,
  type OperationRows,
  otherId,
  type RequestParts,
  UNKNOWN_USER,
  withoutIds,
} from './operation-row.js';

/** The operations of the audit trail. */
export const AUDIT: OperationRows = {
  exportAuditEvents: {
    method: 'GET',
    path: '/audit-events/export',
    callers: MANAGEMENT_KEYS,
    permission: 'audit_read',
    success: 200,
    errors: [400, 403, 429],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: (_, theirs) => ({
      'by actor': otherId(200, (id) => ({ query: `actor=${id}` }), theirs.userId, UNKNOWN_USER),
      'by target': otherId(200, (id) => ({ query: `target=${id}` }), theirs.otherWorkspaceId, UNKNOWN_UUID),
    }),
  },
  getAuditHead: {
    method: 'GET',
    path: '/audit-events/head',
    callers: MANAGEMENT_KEYS,
    permission: 'audit_read',
    success: 200,
    errors: [403],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  listAuditEvents: {
    method: 'GET',
    path: '/audit-events',
    callers: MANAGEMENT_KEYS,
    permission: 'audit_read',
    success: 200,
    errors: [400, 403],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: (_, theirs) => {
      const by =
        (filter: string) =>
        (id: string): RequestParts => ({ query: `${filter}=${id}` });
      return {
        'by actor': otherId(200, by('actor'), theirs.userId, UNKNOWN_USER),
        'by target': otherId(200, by('target'), theirs.otherWorkspaceId, UNKNOWN_UUID),
        ...withoutIds(),
      };
    },
  },
};
