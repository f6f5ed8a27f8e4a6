import { attempt, type Call, type Cases } from '../../support/foreign-ids.js';
import { UNKNOWN_UUID } from '../../support/wire-forms.js';

/** What the operations of observability could be told of another organization. */
export const OBSERVABILITY_CASES: Cases = {
  createObservabilityDestination: (_, theirs) => {
    const make = (fields: object): Call => ({
      method: 'POST',
      path: '/observability/destinations',
      json: { name: 'Intruder', type: 'webhook', config: { url: 'https://example.com/hook' }, ...fields },
    });
    const inWorkspace = (workspace_id: string): Call => make({ workspace_id });
    const ofKey = (hash: string): Call => make({ api_key_hashes: [hash] });
    return {
      'in a workspace': attempt(400, inWorkspace, theirs.otherWorkspaceId, UNKNOWN_UUID),
      'in the default workspace': attempt(400, inWorkspace, theirs.workspaceId, UNKNOWN_UUID),
      'of a key': attempt(400, ofKey, theirs.apiKeyHash, '0'.repeat(64)),
    };
  },

  deleteObservabilityDestination: (_, theirs) => {
    const of = (id: string): Call => ({ method: 'DELETE', path: `/observability/destinations/${id}` });
    return { 'by id': attempt(404, of, theirs.destinationId, UNKNOWN_UUID) };
  },

  listObservabilityDestinations: (_, theirs) => {
    const of = (id: string): Call => ({ method: 'GET', path: `/observability/destinations?workspace_id=${id}` });
    return {
      'of a workspace': attempt(200, of, theirs.otherWorkspaceId, UNKNOWN_UUID),
      'of the default workspace': attempt(200, of, theirs.workspaceId, UNKNOWN_UUID),
    };
  },

  updateObservabilityDestination: (ours, theirs) => {
    const change = (id: string): Call => ({
      method: 'PATCH',
      path: `/observability/destinations/${id}`,
      json: { name: 'Intruder', config: { bucketName: '' } },
    });
    const ofKey = (hash: string): Call => ({ ...change(ours.destinationId), json: { api_key_hashes: [hash] } });
    return {
      'by id': attempt(404, change, theirs.destinationId, UNKNOWN_UUID),
      'of a key': attempt(400, ofKey, theirs.apiKeyHash, '0'.repeat(64)),
    };
  },

  getObservabilityDestination: (_, theirs) => {
    const of = (id: string): Call => ({ method: 'GET', path: `/observability/destinations/${id}` });
    return {
      'by id': attempt(404, of, theirs.destinationId, UNKNOWN_UUID),
      'by id in capitals': attempt(404, of, theirs.destinationId.toUpperCase(), UNKNOWN_UUID),
      'by the id of something else': attempt(404, of, theirs.workspaceId, UNKNOWN_UUID),
    };
  },
};
