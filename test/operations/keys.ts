import { issueSecret } from '../../src/modules/keys/credentials/key-format.js';
import { newOrganizationId } from '../../src/persistence/identifiers.js';
import { CALLBACK_URL, newChallengedCode } from '../support/resources/authorization-codes.js';
import type { Tenant } from '../support/resources/tenant.js';
import { UNKNOWN_UUID } from '../support/expectations/formats.js';
import {
  MANAGEMENT_AND_API_KEYS,
  MANAGEMENT_KEYS,
  type OperationRows,
  otherId,
  type OtherOrganizationCases,
  type RequestParts,
  UNKNOWN_USER,
  withoutIds,
} from './operation-row.js';
import { keptSecret, type SampleOrganization } from './sample-organization.js';

const UNKNOWN_HASH = issueSecret('api_key', newOrganizationId()).hash.toString('hex');

/** Operations on one key with another organization's. @param parts what the request has besides */
function otherKey(theirs: Tenant, parts: RequestParts = {}): OtherOrganizationCases {
  const byHash = (hash: string): RequestParts => ({ ...parts, path: { hash } });
  return {
    'an API key': otherId(404, byHash, theirs.apiKeyHash, UNKNOWN_HASH),
    'a management key': otherId(404, byHash, theirs.managementKeyHash, UNKNOWN_HASH),
    "a client's key": otherId(404, byHash, theirs.clientKeyHash, UNKNOWN_HASH),
  };
}

/** Operations on one Connect client with another organization's. */
function otherClient(theirs: Tenant): OtherOrganizationCases {
  const byId = (id: string): RequestParts => ({ path: { id } });
  return {
    'a client': otherId(404, byId, theirs.clientId, UNKNOWN_UUID),
    'a client in capitals': otherId(404, byId, theirs.clientId.toUpperCase(), UNKNOWN_UUID),
  };
}

/** A creation in a workspace, for a member. @param json the rest of the body */
function otherWorkspaceAndUser(
  theirs: Tenant,
  json: object,
  userField: 'user_id' | 'creator_user_id',
): OtherOrganizationCases {
  const inWorkspace = (workspace_id: string): RequestParts => ({ json: { ...json, workspace_id } });
  const forUser = (id: string): RequestParts => ({ json: { ...json, [userField]: id } });
  return {
    'in a workspace': otherId(400, inWorkspace, theirs.otherWorkspaceId, UNKNOWN_UUID),
    'in the default workspace': otherId(400, inWorkspace, theirs.workspaceId, UNKNOWN_UUID),
    'for an administrator': otherId(400, forUser, theirs.userId, UNKNOWN_USER),
    'for a member': otherId(400, forUser, theirs.memberId, UNKNOWN_USER),
  };
}

/** A key of the organization's Connect client, whose secret may delete it. @returns its hash */
async function newHash(organization: SampleOrganization): Promise<string> {
  const { app, clientId } = organization;
  return keptSecret(organization, await app.factory.key(organization, { connectClientId: clientId })).hash;
}

/** A new Connect client. @returns its id */
async function newClient(organization: SampleOrganization): Promise<string> {
  return keptSecret(organization, await organization.app.factory.client(organization)).id;
}

/** The operations of keys, of the OAuth flow and of Connect clients. */
export const KEYS: OperationRows = {
  createAuthKeysCode: {
    method: 'POST',
    path: '/auth/keys/code',
    callers: MANAGEMENT_KEYS,
    permission: 'keys_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 403, 409],
    auditActions: ['authorization_code.create'],
    insertsInto: 'authorization_codes',
    request: () => ({ json: { callback_url: CALLBACK_URL, key_label: 'Label' } }),
    otherOrganization: (_, theirs) => otherWorkspaceAndUser(theirs, { callback_url: CALLBACK_URL }, 'user_id'),
  },
  createConnectClient: {
    method: 'POST',
    path: '/connect/clients',
    callers: MANAGEMENT_KEYS,
    permission: 'connect_write',
    decidesIdentity: false,
    success: 201,
    errors: [400, 403, 413],
    auditActions: ['connect_client.create'],
    insertsInto: 'connect_clients',
    isBeyondContract: true,
    request: () => ({ json: { name: 'Client', callback_urls: ['https://client.example.com/'] } }),
    otherOrganization: (_, theirs) => {
      // Callback URLs are no ids: two clients may have the same one.
      const create = (url: string): RequestParts => ({ json: { name: '', callback_urls: [url] } });
      return { 'with a callback URL': otherId(400, create, theirs.clientCallbackUrl, 'https://nowhere.example.com/') };
    },
  },
  createKeys: {
    method: 'POST',
    path: '/keys',
    callers: MANAGEMENT_KEYS,
    permission: 'keys_write',
    decidesIdentity: false,
    success: 201,
    errors: [400, 403],
    auditActions: ['key.create'],
    insertsInto: 'api_keys',
    request: () => ({ json: { name: 'Key', limit: 10, limit_reset: 'daily' } }),
    otherOrganization: (_, theirs) => otherWorkspaceAndUser(theirs, { name: 'Intruder' }, 'creator_user_id'),
  },
  deleteConnectClient: {
    method: 'DELETE',
    path: '/connect/clients/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'connect_write',
    decidesIdentity: false,
    success: 200,
    errors: [403, 404],
    auditActions: ['connect_client.delete'],
    isBeyondContract: true,
    request: async (organization) => ({ path: { id: await newClient(organization) } }),
    otherOrganization: (_, theirs) => otherClient(theirs),
  },
  deleteKeys: {
    method: 'DELETE',
    path: '/keys/{hash}',
    callers: ['management_key', 'client_secret'],
    permission: 'keys_write',
    decidesIdentity: false,
    success: 200,
    errors: [404, 429],
    auditActions: ['key.delete'],
    request: async (organization) => ({ path: { hash: await newHash(organization) } }),
    otherOrganization: (ours, theirs) => {
      const byClient = (hash: string): RequestParts => ({ path: { hash }, key: ours.clientSecret });
      return {
        ...otherKey(theirs),
        'an API key, with a client secret': otherId(404, byClient, theirs.apiKeyHash, UNKNOWN_HASH),
        "a client's key, with a client secret": otherId(404, byClient, theirs.clientKeyHash, UNKNOWN_HASH),
      };
    },
  },
  exchangeAuthCodeForAPIKey: {
    method: 'POST',
    path: '/auth/keys',
    decidesIdentity: false,
    callers: ['management_key', 'api_key', 'client_secret'],
    success: 200,
    errors: [400, 403],
    auditActions: ['key.create'],
    insertsInto: 'api_keys',
    request: async ({ app, managementKey, secrets }) => {
      const json = await newChallengedCode(app, managementKey);
      secrets.push(json.code, json.code_verifier);
      return { json };
    },
    otherOrganization: (ours, theirs) => {
      const unknown = issueSecret('authorization_code', newOrganizationId()).plaintext;
      const { code, ...proof } = theirs.challengedCode;
      const exchange =
        (parts: RequestParts = {}) =>
        (some: string): RequestParts => ({ ...parts, json: { ...parts.json, code: some } });
      return {
        'a code': otherId(403, exchange(), theirs.code, unknown),
        'a code, with an API key': otherId(403, exchange({ key: ours.apiKey }), theirs.code, unknown),
        'a code, with a client secret': otherId(403, exchange({ key: ours.clientSecret }), theirs.code, unknown),
        'a code, with its verifier': otherId(403, exchange({ json: proof }), code, unknown),
        'a code without its verifier': otherId(403, exchange(), code, unknown),
        'a code that is used': otherId(403, exchange(), theirs.usedCode, unknown),
      };
    },
  },
  getConnectClient: {
    method: 'GET',
    path: '/connect/clients/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'connect_read',
    success: 200,
    errors: [403, 404],
    isBeyondContract: true,
    request: ({ clientId: id }) => ({ path: { id } }),
    otherOrganization: (_, theirs) => otherClient(theirs),
  },
  getCurrentKey: {
    method: 'GET',
    path: '/key',
    callers: MANAGEMENT_AND_API_KEYS,
    success: 200,
    errors: [],
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  getKey: {
    method: 'GET',
    path: '/keys/{hash}',
    callers: MANAGEMENT_KEYS,
    permission: 'keys_read',
    success: 200,
    errors: [404],
    request: ({ apiKeyHash: hash }) => ({ path: { hash } }),
    otherOrganization: (_, theirs) => otherKey(theirs),
  },
  list: {
    method: 'GET',
    path: '/keys',
    callers: MANAGEMENT_KEYS,
    permission: 'keys_read',
    success: 200,
    errors: [400],
    request: () => ({}),
    otherOrganization: (_, theirs) => {
      const ofWorkspace = (id: string): RequestParts => ({ query: `include_disabled=true&workspace_id=${id}` });
      return {
        'of a workspace': otherId(200, ofWorkspace, theirs.otherWorkspaceId, UNKNOWN_UUID),
        'of the default workspace': otherId(200, ofWorkspace, theirs.workspaceId, UNKNOWN_UUID),
        'of a member': otherId(200, (id) => ({ query: `user_id=${id}` }), theirs.userId, UNKNOWN_USER),
        'by a hash': otherId(200, (hash) => ({ query: `search=${hash}` }), theirs.apiKeyHash, '0'.repeat(64)),
        ...withoutIds({ query: 'include_disabled=true' }),
      };
    },
  },
  listConnectClients: {
    method: 'GET',
    path: '/connect/clients',
    callers: MANAGEMENT_KEYS,
    permission: 'connect_read',
    success: 200,
    errors: [400, 403],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  rotateConnectClientSecret: {
    method: 'POST',
    path: '/connect/clients/{id}/rotate-secret',
    callers: MANAGEMENT_KEYS,
    permission: 'connect_write',
    decidesIdentity: false,
    success: 201,
    errors: [400, 403, 404],
    auditActions: ['connect_client.rotate_secret'],
    isBeyondContract: true,
    request: async (organization) => ({ path: { id: await newClient(organization) }, json: { grace_seconds: 60 } }),
    otherOrganization: (_, theirs) => otherClient(theirs),
  },
  rotateKey: {
    method: 'POST',
    path: '/keys/{hash}/rotate',
    callers: MANAGEMENT_KEYS,
    permission: 'keys_write',
    decidesIdentity: false,
    success: 201,
    errors: [400, 403, 404],
    auditActions: ['key.rotate'],
    isBeyondContract: true,
    request: async (organization) => ({ path: { hash: await newHash(organization) }, json: { grace_seconds: 60 } }),
    otherOrganization: (_, theirs) => otherKey(theirs, { json: { grace_seconds: 60 } }),
  },
  transferKey: {
    method: 'POST',
    path: '/keys/{hash}/transfer',
    callers: MANAGEMENT_KEYS,
    permission: 'organization_members_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 403, 404, 409],
    auditActions: ['key.transfer'],
    isBeyondContract: true,
    request: async (organization) => ({
      path: { hash: await newHash(organization) },
      json: { user_id: organization.memberId },
    }),
    otherOrganization: (ours, theirs) => ({
      ...otherKey(theirs, { json: { user_id: ours.memberId } }),
      'to a member': otherId(
        400,
        (id) => ({ path: { hash: ours.apiKeyHash }, json: { user_id: id } }),
        theirs.memberId,
        UNKNOWN_USER,
      ),
    }),
  },
  updateKeys: {
    method: 'PATCH',
    path: '/keys/{hash}',
    callers: MANAGEMENT_KEYS,
    permission: 'keys_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 404],
    auditActions: ['key.update'],
    request: async (organization) => ({ path: { hash: await newHash(organization) }, json: { name: 'Renamed' } }),
    otherOrganization: (_, theirs) => otherKey(theirs, { json: { name: 'Taken', disabled: true } }),
  },
};
