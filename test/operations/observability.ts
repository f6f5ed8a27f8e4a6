import { DESTINATION_SAMPLES } from '../support/resources/destination-samples.js';
import { UNKNOWN_UUID } from '../support/expectations/formats.js';
import { MANAGEMENT_KEYS, type OperationRows, otherId, type RequestParts, withoutIds } from './operation-row.js';
import { NEW_DESTINATION_CONFIG } from './sample-organization.js';

const WEBHOOK = { name: 'Intruder', type: 'webhook', config: { url: 'https://example.com/hook' } };

/** The operations of observability destinations. */
export const OBSERVABILITY: OperationRows = {
  createObservabilityDestination: {
    method: 'POST',
    path: '/observability/destinations',
    callers: MANAGEMENT_KEYS,
    permission: 'destinations_write',
    decidesIdentity: false,
    success: 201,
    errors: [400, 403, 409, 429],
    auditActions: ['observability_destination.create'],
    insertsInto: 'observability_destinations',
    // In a new workspace: one may have five of a type.
    request: async (organization) => ({
      json: {
        type: 'langfuse',
        name: 'New',
        config: NEW_DESTINATION_CONFIG,
        workspace_id: await organization.app.factory.workspace(organization),
      },
    }),
    otherOrganization: (_, theirs) => {
      const inWorkspace = (workspace_id: string): RequestParts => ({ json: { ...WEBHOOK, workspace_id } });
      const ofKey = (hash: string): RequestParts => ({ json: { ...WEBHOOK, api_key_hashes: [hash] } });
      return {
        'in a workspace': otherId(400, inWorkspace, theirs.otherWorkspaceId, UNKNOWN_UUID),
        'in the default workspace': otherId(400, inWorkspace, theirs.workspaceId, UNKNOWN_UUID),
        'of a key': otherId(400, ofKey, theirs.apiKeyHash, '0'.repeat(64)),
      };
    },
  },
  deleteObservabilityDestination: {
    method: 'DELETE',
    path: '/observability/destinations/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'destinations_write',
    decidesIdentity: false,
    success: 200,
    errors: [404],
    auditActions: ['observability_destination.delete'],
    request: async (organization) => {
      const { config } = DESTINATION_SAMPLES.langfuse;
      return { path: { id: await organization.app.factory.destination(organization, 'langfuse', config) } };
    },
    otherOrganization: (_, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id } }), theirs.destinationId, UNKNOWN_UUID),
    }),
  },
  getObservabilityDestination: {
    method: 'GET',
    path: '/observability/destinations/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'destinations_read',
    success: 200,
    errors: [404],
    request: ({ destinationId: id }) => ({ path: { id } }),
    otherOrganization: (_, theirs) => {
      const byId = (id: string): RequestParts => ({ path: { id } });
      return {
        'by id': otherId(404, byId, theirs.destinationId, UNKNOWN_UUID),
        'by id in capitals': otherId(404, byId, theirs.destinationId.toUpperCase(), UNKNOWN_UUID),
        'by the id of something else': otherId(404, byId, theirs.workspaceId, UNKNOWN_UUID),
      };
    },
  },
  getObservabilityDestinationDeliveries: {
    method: 'GET',
    path: '/observability/destinations/{id}/deliveries',
    callers: MANAGEMENT_KEYS,
    permission: 'destinations_read',
    success: 200,
    errors: [404],
    isBeyondContract: true,
    request: ({ destinationId: id }) => ({ path: { id } }),
    otherOrganization: (_, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id } }), theirs.destinationId, UNKNOWN_UUID),
    }),
  },
  listObservabilityDestinations: {
    method: 'GET',
    path: '/observability/destinations',
    callers: MANAGEMENT_KEYS,
    permission: 'destinations_read',
    success: 200,
    errors: [400],
    request: () => ({}),
    otherOrganization: (_, theirs) => {
      const ofWorkspace = (id: string): RequestParts => ({ query: `workspace_id=${id}` });
      return {
        'of a workspace': otherId(200, ofWorkspace, theirs.otherWorkspaceId, UNKNOWN_UUID),
        'of the default workspace': otherId(200, ofWorkspace, theirs.workspaceId, UNKNOWN_UUID),
      };
    },
  },
  testNewObservabilityDestination: {
    method: 'POST',
    path: '/observability/destinations/test',
    callers: MANAGEMENT_KEYS,
    permission: 'destinations_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 403, 429],
    isBeyondContract: true,
    request: () => ({ json: { type: 'webhook', config: { url: 'https://hooks.example.com/traces' } } }),
    otherOrganization: () =>
      withoutIds({ json: { type: 'webhook', config: { url: 'https://hooks.example.com/traces' } } }),
  },
  testObservabilityDestination: {
    method: 'POST',
    path: '/observability/destinations/{id}/test',
    callers: MANAGEMENT_KEYS,
    permission: 'destinations_write',
    decidesIdentity: false,
    success: 200,
    errors: [404, 429],
    isBeyondContract: true,
    request: ({ destinationId: id }) => ({ path: { id } }),
    otherOrganization: (_, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id } }), theirs.destinationId, UNKNOWN_UUID),
    }),
  },
  updateObservabilityDestination: {
    method: 'PATCH',
    path: '/observability/destinations/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'destinations_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 403, 404, 429],
    auditActions: ['observability_destination.update'],
    request: ({ destinationId: id }) => ({
      path: { id },
      json: {
        config: {
          secretKey: NEW_DESTINATION_CONFIG.secretKey,
          headers: { Authorization: NEW_DESTINATION_CONFIG.publicKey },
        },
      },
    }),
    otherOrganization: (ours, theirs) => {
      const json = { name: 'Intruder', config: { bucketName: '' } };
      const byId = (id: string): RequestParts => ({ path: { id }, json });
      const ofKey = (hash: string): RequestParts => ({
        path: { id: ours.destinationId },
        json: { api_key_hashes: [hash] },
      });
      return {
        'by id': otherId(404, byId, theirs.destinationId, UNKNOWN_UUID),
        'of a key': otherId(400, ofKey, theirs.apiKeyHash, '0'.repeat(64)),
      };
    },
  },
};
