import { UNKNOWN_UUID } from '../support/expectations/formats.js';
import { MANAGEMENT_KEYS, type OperationRows, otherId, type RequestParts, UNKNOWN_USER } from './operation-row.js';
import { NEW_PROVIDER_KEY } from './sample-organization.js';

/** The operations of the organizations' own keys for providers. */
export const PROVIDERS: OperationRows = {
  createBYOKKey: {
    method: 'POST',
    path: '/byok',
    callers: MANAGEMENT_KEYS,
    permission: 'byok_write',
    decidesIdentity: false,
    success: 201,
    errors: [400, 403],
    auditActions: ['provider_key.create'],
    insertsInto: 'provider_keys',
    request: () => ({ json: { provider: 'anthropic', name: 'New', key: NEW_PROVIDER_KEY } }),
    otherOrganization: (_, theirs) => {
      const created = (json: object): RequestParts => ({
        json: { provider: 'openai', key: 'sk-of-an-intruder', name: 'Intruder', ...json },
      });
      const inWorkspace = (workspace_id: string): RequestParts => created({ workspace_id });
      const ofKey = (hash: string): RequestParts => created({ allowed_api_key_hashes: [hash] });
      const ofUser = (id: string): RequestParts => created({ allowed_user_ids: [id] });
      return {
        'in a workspace': otherId(400, inWorkspace, theirs.otherWorkspaceId, UNKNOWN_UUID),
        'in the default workspace': otherId(400, inWorkspace, theirs.workspaceId, UNKNOWN_UUID),
        'for a key': otherId(400, ofKey, theirs.apiKeyHash, '0'.repeat(64)),
        'for a user': otherId(400, ofUser, theirs.memberId, UNKNOWN_USER),
      };
    },
  },
  deleteBYOKKey: {
    method: 'DELETE',
    path: '/byok/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'byok_write',
    decidesIdentity: false,
    success: 200,
    errors: [404],
    auditActions: ['provider_key.delete'],
    request: async (organization) => ({
      path: { id: await organization.app.factory.providerKey(organization, 'groq', 'sk-to-be-deleted') },
    }),
    otherOrganization: (_, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id } }), theirs.providerKeyId, UNKNOWN_UUID),
    }),
  },
  getBYOKKey: {
    method: 'GET',
    path: '/byok/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'byok_read',
    success: 200,
    errors: [404],
    request: ({ providerKeyId: id }) => ({ path: { id } }),
    otherOrganization: (_, theirs) => {
      const byId = (id: string): RequestParts => ({ path: { id } });
      return {
        'by id': otherId(404, byId, theirs.providerKeyId, UNKNOWN_UUID),
        'by id in capitals': otherId(404, byId, theirs.providerKeyId.toUpperCase(), UNKNOWN_UUID),
        'by the id of something else': otherId(404, byId, theirs.workspaceId, UNKNOWN_UUID),
      };
    },
  },
  listBYOKKeys: {
    method: 'GET',
    path: '/byok',
    callers: MANAGEMENT_KEYS,
    permission: 'byok_read',
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
  updateBYOKKey: {
    method: 'PATCH',
    path: '/byok/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'byok_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 404],
    auditActions: ['provider_key.update'],
    request: ({ providerKeyId: id }) => ({ path: { id }, json: { key: NEW_PROVIDER_KEY } }),
    otherOrganization: (ours, theirs) => {
      const json = { name: 'Intruder' };
      const byId = (id: string): RequestParts => ({ path: { id }, json });
      const changed = (fields: Readonly<Record<string, unknown>>): RequestParts => ({
        path: { id: ours.providerKeyId },
        json: fields,
      });
      const ofKey = (hash: string): RequestParts => changed({ allowed_api_key_hashes: [hash] });
      const ofUser = (id: string): RequestParts => changed({ allowed_user_ids: [id] });
      return {
        'by id': otherId(404, byId, theirs.providerKeyId, UNKNOWN_UUID),
        'for a key': otherId(400, ofKey, theirs.apiKeyHash, '0'.repeat(64)),
        'for a user': otherId(400, ofUser, theirs.memberId, UNKNOWN_USER),
      };
    },
  },
};
