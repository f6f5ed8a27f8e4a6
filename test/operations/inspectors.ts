import { INSPECTOR_KEY, newInspector } from '../support/resources/inspectors.js';
import { UNKNOWN_UUID } from '../support/expectations/formats.js';
import { MANAGEMENT_KEYS, type OperationRows, otherId, type RequestParts, withoutIds } from './operation-row.js';

const INSPECTOR = { name: 'Guard', url: 'https://guard.example.com', api_key: INSPECTOR_KEY };

/** The operations of inspectors. */
export const INSPECTORS: OperationRows = {
  createInspector: {
    method: 'POST',
    path: '/inspectors',
    callers: MANAGEMENT_KEYS,
    permission: 'inspectors_write',
    decidesIdentity: false,
    success: 201,
    errors: [400, 403, 429],
    auditActions: ['inspector.create'],
    insertsInto: 'inspectors',
    isBeyondContract: true,
    request: () => ({ json: INSPECTOR }),
    otherOrganization: () => ({
      'without an id': {
        status: 400,
        theirs: { json: { ...INSPECTOR, name: '' } },
        missing: { json: { ...INSPECTOR, name: '' } },
      },
    }),
  },
  deleteInspector: {
    method: 'DELETE',
    path: '/inspectors/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'inspectors_write',
    decidesIdentity: false,
    success: 200,
    errors: [404, 409],
    auditActions: ['inspector.delete'],
    isBeyondContract: true,
    request: async (organization) => ({ path: { id: await newInspector(organization.app, organization) } }),
    otherOrganization: (_, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id } }), theirs.inspectorId, UNKNOWN_UUID),
    }),
  },
  getInspector: {
    method: 'GET',
    path: '/inspectors/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'inspectors_read',
    success: 200,
    errors: [404],
    isBeyondContract: true,
    request: ({ inspectorId: id }) => ({ path: { id } }),
    otherOrganization: (_, theirs) => {
      const byId = (id: string): RequestParts => ({ path: { id } });
      return {
        'by id': otherId(404, byId, theirs.inspectorId, UNKNOWN_UUID),
        'by id in capitals': otherId(404, byId, theirs.inspectorId.toUpperCase(), UNKNOWN_UUID),
        'by the id of something else': otherId(404, byId, theirs.workspaceId, UNKNOWN_UUID),
      };
    },
  },
  listInspectors: {
    method: 'GET',
    path: '/inspectors',
    callers: MANAGEMENT_KEYS,
    permission: 'inspectors_read',
    success: 200,
    errors: [400],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  testInspector: {
    method: 'POST',
    path: '/inspectors/{id}/test',
    callers: MANAGEMENT_KEYS,
    permission: 'inspectors_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 404, 429],
    isBeyondContract: true,
    request: ({ inspectorId: id }) => ({ path: { id }, json: { texts: ['Hello'] } }),
    otherOrganization: (_, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id }, json: { texts: ['Hello'] } }), theirs.inspectorId, UNKNOWN_UUID),
    }),
  },
  updateInspector: {
    method: 'PATCH',
    path: '/inspectors/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'inspectors_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 403, 404, 429],
    auditActions: ['inspector.update'],
    isBeyondContract: true,
    request: ({ inspectorId: id }) => ({ path: { id }, json: { name: 'Renamed' } }),
    otherOrganization: (_, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id }, json: { name: 'Intruder' } }), theirs.inspectorId, UNKNOWN_UUID),
    }),
  },
};
