import { UNKNOWN_UUID } from '../support/expectations/formats.js';
import { newLimit, newLimitException } from '../support/resources/limits.js';
import { MANAGEMENT_KEYS, type OperationRows, otherId, type RequestParts, withoutIds } from './operation-row.js';

const LIMIT = { name: 'Agents', group_by: ['user'], measure: 'usd', amount: 5, window: 'daily' };

/** The operations of limits by condition and group. */
export const LIMITS: OperationRows = {
  createLimit: {
    method: 'POST',
    path: '/limits',
    callers: MANAGEMENT_KEYS,
    permission: 'limits_write',
    decidesIdentity: false,
    success: 201,
    errors: [400, 403],
    auditActions: ['limit.create'],
    insertsInto: 'limits',
    isBeyondContract: true,
    request: () => ({ json: LIMIT }),
    otherOrganization: (_, theirs) => ({
      'of a workspace': otherId(
        400,
        (id) => ({ json: { ...LIMIT, workspace_id: id } }),
        theirs.workspaceId,
        UNKNOWN_UUID,
      ),
    }),
  },
  createLimitException: {
    method: 'POST',
    path: '/limits/{id}/exceptions',
    callers: MANAGEMENT_KEYS,
    permission: 'limits_write',
    decidesIdentity: false,
    success: 201,
    errors: [400, 403, 404, 409],
    auditActions: ['limit_exception.create'],
    insertsInto: 'limit_exceptions',
    isBeyondContract: true,
    request: async (organization) => ({
      path: { id: await newLimit(organization.app, organization) },
      json: { values: { user: 'ada' }, amount: 500 },
    }),
    otherOrganization: (_, theirs) => ({
      'by id': otherId(
        404,
        (id) => ({ path: { id }, json: { values: { user: 'ada' }, amount: 500 } }),
        theirs.limitId,
        UNKNOWN_UUID,
      ),
    }),
  },
  deleteLimit: {
    method: 'DELETE',
    path: '/limits/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'limits_write',
    decidesIdentity: false,
    success: 200,
    errors: [404],
    auditActions: ['limit.delete'],
    isBeyondContract: true,
    request: async (organization) => ({ path: { id: await newLimit(organization.app, organization) } }),
    otherOrganization: (_, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id } }), theirs.limitId, UNKNOWN_UUID),
    }),
  },
  deleteLimitException: {
    method: 'DELETE',
    path: '/limits/{id}/exceptions/{exception_id}',
    callers: MANAGEMENT_KEYS,
    permission: 'limits_write',
    decidesIdentity: false,
    success: 200,
    errors: [404],
    auditActions: ['limit_exception.delete'],
    isBeyondContract: true,
    request: async (organization) => {
      const id = await newLimit(organization.app, organization);
      const exception = { values: { user: 'ada' }, amount: 500 };
      return { path: { id, exception_id: await newLimitException(organization.app, organization, id, exception) } };
    },
    otherOrganization: (ours, theirs) => ({
      'by the id of a limit': otherId(
        404,
        (id) => ({ path: { id, exception_id: UNKNOWN_UUID } }),
        theirs.limitId,
        UNKNOWN_UUID,
      ),
      'by the id of something else': otherId(
        404,
        (id) => ({ path: { id: ours.limitId, exception_id: id } }),
        theirs.limitId,
        UNKNOWN_UUID,
      ),
    }),
  },
  getLimit: {
    method: 'GET',
    path: '/limits/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'limits_read',
    success: 200,
    errors: [404],
    isBeyondContract: true,
    request: ({ limitId: id }) => ({ path: { id } }),
    otherOrganization: (_, theirs) => {
      const byId = (id: string): RequestParts => ({ path: { id } });
      return {
        'by id': otherId(404, byId, theirs.limitId, UNKNOWN_UUID),
        'by id in capitals': otherId(404, byId, theirs.limitId.toUpperCase(), UNKNOWN_UUID),
      };
    },
  },
  listLimitExceptions: {
    method: 'GET',
    path: '/limits/{id}/exceptions',
    callers: MANAGEMENT_KEYS,
    permission: 'limits_read',
    success: 200,
    errors: [400, 404],
    isBeyondContract: true,
    request: ({ limitId: id }) => ({ path: { id } }),
    otherOrganization: (_, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id } }), theirs.limitId, UNKNOWN_UUID),
    }),
  },
  listLimits: {
    method: 'GET',
    path: '/limits',
    callers: MANAGEMENT_KEYS,
    permission: 'limits_read',
    success: 200,
    errors: [400],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  listLimitUsage: {
    method: 'GET',
    path: '/limits/{id}/usage',
    callers: MANAGEMENT_KEYS,
    permission: 'limits_read',
    success: 200,
    errors: [400, 404],
    isBeyondContract: true,
    request: ({ limitId: id }) => ({ path: { id } }),
    otherOrganization: (_, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id } }), theirs.limitId, UNKNOWN_UUID),
    }),
  },
  updateLimit: {
    method: 'PATCH',
    path: '/limits/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'limits_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 404],
    auditActions: ['limit.update'],
    isBeyondContract: true,
    request: ({ limitId: id }) => ({ path: { id }, json: { name: 'Renamed' } }),
    otherOrganization: (_, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id }, json: { name: 'Intruder' } }), theirs.limitId, UNKNOWN_UUID),
    }),
  },
};
