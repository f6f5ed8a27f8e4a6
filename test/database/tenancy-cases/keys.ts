import { issueAuthorizationCode, issueCredential } from '../../../src/modules/keys/key-format.js';
import { CALLBACK_URL } from '../../support/authorization-code.js';
import { attempt, type Attempt, type Call, type Cases, sameForAll } from '../../support/foreign-ids.js';
import type { Tenant } from '../../support/tenants.js';
import { UNKNOWN_UUID } from '../../support/wire-forms.js';

const UNKNOWN_HASH = issueCredential('api_key').hash.toString('hex');

/** What the operations of keys could be told of another organization. */
export const KEYS_CASES: Cases = {
  exchangeAuthCodeForAPIKey: (ours, theirs) => {
    const unknown = issueAuthorizationCode().plaintext;
    const exchange =
      (key?: string) =>
      (code: string): Call => ({
        method: 'POST',
        path: '/auth/keys',
        json: { code },
        ...(key !== undefined && { key }),
      });
    const { code, ...proof } = theirs.challengedCode;
    const withProof = (some: string): Call => ({ method: 'POST', path: '/auth/keys', json: { code: some, ...proof } });
    return {
      'a code': attempt(403, exchange(), theirs.code, unknown),
      'a code, with an API key': attempt(403, exchange(ours.apiKey), theirs.code, unknown),
      'a code, with a client secret': attempt(403, exchange(ours.clientSecret), theirs.code, unknown),
      'a code, with its verifier': attempt(403, withProof, code, unknown),
      'a code without its verifier': attempt(403, exchange(), code, unknown),
      'a code that is used': attempt(403, exchange(), theirs.usedCode, unknown),
    };
  },

  createAuthKeysCode: (_, theirs) => {
    const create = (json: object): Call => ({
      method: 'POST',
      path: '/auth/keys/code',
      json: { callback_url: CALLBACK_URL, ...json },
    });
    const forUser = (user_id: string): Call => create({ user_id });
    const inWorkspace = (workspace_id: string): Call => create({ workspace_id });
    return {
      'for an administrator': attempt(400, forUser, theirs.userId, 'user_nobody'),
      'for a member': attempt(400, forUser, theirs.memberId, 'user_nobody'),
      'in a workspace': attempt(400, inWorkspace, theirs.otherWorkspaceId, UNKNOWN_UUID),
      'in the default workspace': attempt(400, inWorkspace, theirs.workspaceId, UNKNOWN_UUID),
    };
  },

  createKeys: (_, theirs) => {
    const create = (json: object): Call => ({ method: 'POST', path: '/keys', json: { name: 'Intruder', ...json } });
    const inWorkspace = (workspace_id: string): Call => create({ workspace_id });
    const forUser = (creator_user_id: string): Call => create({ creator_user_id });
    return {
      'in a workspace': attempt(400, inWorkspace, theirs.otherWorkspaceId, UNKNOWN_UUID),
      'in the default workspace': attempt(400, inWorkspace, theirs.workspaceId, UNKNOWN_UUID),
      'for an administrator': attempt(400, forUser, theirs.userId, 'user_nobody'),
      'for a member': attempt(400, forUser, theirs.memberId, 'user_nobody'),
    };
  },

  list: (_, theirs) => {
    const ofWorkspace = (id: string): Call => ({
      method: 'GET',
      path: `/keys?include_disabled=true&workspace_id=${id}`,
    });
    return {
      'of a workspace': attempt(200, ofWorkspace, theirs.otherWorkspaceId, UNKNOWN_UUID),
      'of the default workspace': attempt(200, ofWorkspace, theirs.workspaceId, UNKNOWN_UUID),
      ...sameForAll({ method: 'GET', path: '/keys?include_disabled=true' }),
    };
  },

  getKey: (_, theirs) => byHash(theirs, (hash) => ({ method: 'GET', path: `/keys/${hash}` })),

  updateKeys: (_, theirs) =>
    byHash(theirs, (hash) => ({ method: 'PATCH', path: `/keys/${hash}`, json: { name: 'Taken', disabled: true } })),

  rotateKey: (_, theirs) =>
    byHash(theirs, (hash) => ({ method: 'POST', path: `/keys/${hash}/rotate`, json: { grace_seconds: 60 } })),

  getCurrentKey: () => sameForAll({ method: 'GET', path: '/key' }),

  createConnectClient: (_, theirs) => {
    // Callback URLs are no ids: two clients may have the same one.
    const create = (url: string): Call => ({
      method: 'POST',
      path: '/connect/clients',
      json: { name: '', callback_urls: [url] },
    });
    return { 'with a callback URL': attempt(400, create, theirs.clientCallbackUrl, 'https://nowhere.example.com/') };
  },

  listConnectClients: () => sameForAll({ method: 'GET', path: '/connect/clients' }),

  getConnectClient: (_, theirs) => byClient(theirs, (id) => ({ method: 'GET', path: `/connect/clients/${id}` })),

  deleteConnectClient: (_, theirs) => byClient(theirs, (id) => ({ method: 'DELETE', path: `/connect/clients/${id}` })),

  rotateConnectClientSecret: (_, theirs) =>
    byClient(theirs, (id) => ({ method: 'POST', path: `/connect/clients/${id}/rotate-secret` })),

  deleteKeys: (ours, theirs) => {
    const remove =
      (key?: string) =>
      (hash: string): Call => ({
        method: 'DELETE',
        path: `/keys/${hash}`,
        ...(key !== undefined && { key }),
      });
    return {
      'an API key': attempt(404, remove(), theirs.apiKeyHash, UNKNOWN_HASH),
      'a management key': attempt(404, remove(), theirs.managementKeyHash, UNKNOWN_HASH),
      "a client's key": attempt(404, remove(), theirs.clientKeyHash, UNKNOWN_HASH),
      'an API key, with a client secret': attempt(404, remove(ours.clientSecret), theirs.apiKeyHash, UNKNOWN_HASH),
      "a client's key, with a client secret": attempt(
        404,
        remove(ours.clientSecret),
        theirs.clientKeyHash,
        UNKNOWN_HASH,
      ),
    };
  },
};

function byHash(theirs: Tenant, call: (hash: string) => Call): Record<string, Attempt> {
  return {
    'an API key': attempt(404, call, theirs.apiKeyHash, UNKNOWN_HASH),
    'a management key': attempt(404, call, theirs.managementKeyHash, UNKNOWN_HASH),
    "a client's key": attempt(404, call, theirs.clientKeyHash, UNKNOWN_HASH),
  };
}

function byClient(theirs: Tenant, call: (id: string) => Call): Record<string, Attempt> {
  return {
    'a client': attempt(404, call, theirs.clientId, UNKNOWN_UUID),
    'a client in capitals': attempt(404, call, theirs.clientId.toUpperCase(), UNKNOWN_UUID),
  };
}
