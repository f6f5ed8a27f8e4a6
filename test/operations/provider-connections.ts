import { connectedToItself, makeOperator } from '../support/resources/provider-connections.js';
import {
  MANAGEMENT_KEYS,
  type OperationRows,
  otherId,
  type OtherOrganizationCases,
  withoutIds,
} from './operation-row.js';
import type { SampleOrganization } from './sample-organization.js';

/** The key of an organization that is the operator's, until another one is. */
function keyOfOperator(organization: SampleOrganization): string {
  makeOperator(organization.app, organization);
  return organization.operatorKey;
}

/** To an organization that is not the operator's, there are no connections. */
function noneOfThem(json?: Record<string, unknown>): OtherOrganizationCases {
  return {
    'by slug': otherId(404, (provider) => ({ path: { provider }, ...(json && { json }) }), 'gatehouse', 'nowhere'),
  };
}

const READ = { callers: MANAGEMENT_KEYS, permission: 'providers_read', success: 200, isBeyondContract: true } as const;

const WRITE = {
  callers: MANAGEMENT_KEYS,
  permission: 'providers_write',
  success: 200,
  isBeyondContract: true,
} as const;

/** The operations of the operator's organization on the deployment's connections to providers. */
export const PROVIDER_CONNECTIONS: OperationRows = {
  connectProvider: {
    ...WRITE,
    method: 'PUT',
    path: '/provider-connections/{provider}',
    decidesIdentity: false,
    errors: [400, 403, 404, 409],
    auditActions: ['provider.connect'],
    request: async (organization) => {
      const json = await connectedToItself(organization.app, organization, 'cerebras');
      organization.secrets.push(json.api_key);
      return { path: { provider: 'cerebras' }, json, key: keyOfOperator(organization) };
    },
    otherOrganization: () => noneOfThem({ api_key: 'sk-of-an-intruder' }),
  },
  disconnectProvider: {
    ...WRITE,
    method: 'DELETE',
    path: '/provider-connections/{provider}',
    decidesIdentity: false,
    errors: [403, 404],
    auditActions: ['provider.disconnect'],
    request: async (organization) => {
      await connectedToItself(organization.app, organization, 'featherless');
      return { path: { provider: 'featherless' }, key: keyOfOperator(organization) };
    },
    otherOrganization: () => noneOfThem(),
  },
  listProviderConnections: {
    ...READ,
    method: 'GET',
    path: '/provider-connections',
    errors: [400, 403, 404],
    request: (organization) => ({ key: keyOfOperator(organization) }),
    otherOrganization: () => ({ 'without an id': { ...withoutIds()['without an id']!, status: 404 } }),
  },
  testProviderConnection: {
    ...WRITE,
    method: 'POST',
    path: '/provider-connections/{provider}/test',
    decidesIdentity: false,
    errors: [403, 404],
    request: async (organization) => {
      await connectedToItself(organization.app, organization, 'friendli');
      return { path: { provider: 'friendli' }, key: keyOfOperator(organization) };
    },
    otherOrganization: () => noneOfThem(),
  },
};
