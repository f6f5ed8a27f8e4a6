import { newAlert } from '../support/resources/alerts.js';
import { UNKNOWN_UUID } from '../support/expectations/formats.js';
import { MANAGEMENT_KEYS, type OperationRows, otherId, type RequestParts, withoutIds } from './operation-row.js';

const ALERT = { name: 'Budgets', kind: 'budget' };

/** The operations of alerts. */
export const ALERTS: OperationRows = {
  createAlert: {
    method: 'POST',
    path: '/alerts',
    callers: MANAGEMENT_KEYS,
    permission: 'alerts_write',
    decidesIdentity: false,
    success: 201,
    errors: [400, 403, 429],
    auditActions: ['alert.create'],
    insertsInto: 'alerts',
    isBeyondContract: true,
    request: ({ webhookId }) => ({ json: { ...ALERT, destination_id: webhookId } }),
    otherOrganization: (_, theirs) => {
      const naming =
        (field: string, more: object = {}) =>
        (id: string): RequestParts => ({ json: { ...ALERT, ...more, [field]: id } });
      const toWebhook = { destination_id: UNKNOWN_UUID };
      return {
        'to a destination': otherId(400, naming('destination_id'), theirs.destinationId, UNKNOWN_UUID),
        'of a workspace': otherId(400, naming('workspace_id', toWebhook), theirs.workspaceId, UNKNOWN_UUID),
        'of a guardrail': otherId(400, naming('guardrail_id', toWebhook), theirs.guardrailId, UNKNOWN_UUID),
        'of a key': otherId(400, naming('key_hash', toWebhook), theirs.apiKeyHash, '0'.repeat(64)),
        'of a limit': otherId(400, naming('limit_id', { ...toWebhook, kind: 'limit' }), theirs.limitId, UNKNOWN_UUID),
      };
    },
  },
  deleteAlert: {
    method: 'DELETE',
    path: '/alerts/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'alerts_write',
    decidesIdentity: false,
    success: 200,
    errors: [404],
    auditActions: ['alert.delete'],
    isBeyondContract: true,
    request: async (organization) => ({ path: { id: await newAlert(organization.app, organization) } }),
    otherOrganization: (_, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id } }), theirs.alertId, UNKNOWN_UUID),
    }),
  },
  getAlert: {
    method: 'GET',
    path: '/alerts/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'alerts_read',
    success: 200,
    errors: [404],
    isBeyondContract: true,
    request: ({ alertId: id }) => ({ path: { id } }),
    otherOrganization: (_, theirs) => {
      const byId = (id: string): RequestParts => ({ path: { id } });
      return {
        'by id': otherId(404, byId, theirs.alertId, UNKNOWN_UUID),
        'by id in capitals': otherId(404, byId, theirs.alertId.toUpperCase(), UNKNOWN_UUID),
        'by the id of something else': otherId(404, byId, theirs.workspaceId, UNKNOWN_UUID),
      };
    },
  },
  listAlerts: {
    method: 'GET',
    path: '/alerts',
    callers: MANAGEMENT_KEYS,
    permission: 'alerts_read',
    success: 200,
    errors: [400],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  updateAlert: {
    method: 'PATCH',
    path: '/alerts/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'alerts_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 403, 404, 429],
    auditActions: ['alert.update'],
    isBeyondContract: true,
    request: ({ alertId: id }) => ({ path: { id }, json: { name: 'Renamed' } }),
    otherOrganization: (ours, theirs) => {
      const byId = (id: string): RequestParts => ({ path: { id }, json: { name: 'Intruder' } });
      const toDestination = (id: string): RequestParts => ({
        path: { id: ours.alertId },
        json: { destination_id: id },
      });
      return {
        'by id': otherId(404, byId, theirs.alertId, UNKNOWN_UUID),
        'to a destination': otherId(400, toDestination, theirs.destinationId, UNKNOWN_UUID),
      };
    },
  },
};
