import { UNKNOWN_UUID } from '../support/expectations/formats.js';
import {
  answeringEndpoint,
  DEPLOYED_MODEL,
  newPrivateEndpoint,
  newPrivateProvider,
  PRIVATE_PRICING,
  UNUSED_ADDRESS,
  validated,
} from '../support/resources/private-models.js';
import type { Tenant } from '../support/resources/tenant.js';
import {
  MANAGEMENT_KEYS,
  type OperationRow,
  type OperationRows,
  otherId,
  type OtherOrganizationCases,
  type RequestParts,
  UNKNOWN_SLUG,
  withoutIds,
} from './operation-row.js';
import type { SampleOrganization } from './sample-organization.js';

/** Operations on one provider with another organization's. @param json what the request has besides */
function otherProvider(theirs: Tenant, json?: Record<string, unknown>): OtherOrganizationCases {
  const bySlug = (slug: string): RequestParts => ({ path: { slug }, ...(json && { json }) });
  return {
    'by slug': otherId(404, bySlug, theirs.privateProviderSlug, UNKNOWN_SLUG),
    'by slug in capitals': otherId(404, bySlug, theirs.privateProviderSlug.toUpperCase(), UNKNOWN_SLUG),
  };
}

/** Operations on one endpoint with another organization's. @param json what the request has besides */
function otherEndpoint(theirs: Tenant, json?: Record<string, unknown>): OtherOrganizationCases {
  const byId = (id: string): RequestParts => ({ path: { id }, ...(json && { json }) });
  return {
    'by id': otherId(404, byId, theirs.privateEndpointId, UNKNOWN_UUID),
    'by id in capitals': otherId(404, byId, theirs.privateEndpointId.toUpperCase(), UNKNOWN_UUID),
    'by the id of something else': otherId(404, byId, theirs.workspaceId, UNKNOWN_UUID),
  };
}

const READ = { callers: MANAGEMENT_KEYS, permission: 'catalog_read', success: 200, isBeyondContract: true } as const;

const WRITE = { callers: MANAGEMENT_KEYS, permission: 'catalog_write', success: 200, isBeyondContract: true } as const;

/** The checks of an endpoint that answers. */
const VALIDATED = ['model', 'base_url', 'key', 'completion', 'stream'].map((name) => ({ name, passed: true }));

/** A validated draft. */
async function validatedEndpoint(organization: SampleOrganization): Promise<string> {
  const id = await answeringEndpoint(organization.app, organization);
  expect(await validated(organization.app, organization, id)).toEqual({
    passed: true,
    checks: VALIDATED,
  });
  return id;
}

/** An active endpoint. */
async function activeEndpoint(organization: SampleOrganization): Promise<string> {
  const id = await validatedEndpoint(organization);
  await changeStatus(organization, id, 'activate');
  return id;
}

async function changeStatus(
  { app, managementKey: key }: SampleOrganization,
  id: string,
  change: string,
): Promise<void> {
  const path = `/private-endpoints/${id}/${change}`;
  const { status } = await app.api.post(path, { key });
  expect({ path, status }).toEqual({ path, status: 200 });
}

function newEndpointAt(provider_slug: string): Record<string, unknown> {
  return {
    model_permaslug: DEPLOYED_MODEL,
    provider_slug,
    upstream_model_id: 'llama',
    pricing: PRIVATE_PRICING,
  };
}

const STATUS_CHANGE: Pick<OperationRow, 'method' | 'errors' | 'otherOrganization'> = {
  method: 'POST',
  errors: [403, 404, 409],
  otherOrganization: (_, theirs) => otherEndpoint(theirs),
};

/** The operations of providers and endpoints of organizations' own. */
export const PRIVATE_MODELS: OperationRows = {
  activatePrivateEndpoint: {
    ...WRITE,
    ...STATUS_CHANGE,
    path: '/private-endpoints/{id}/activate',
    decidesIdentity: false,
    auditActions: ['private_endpoint.activate'],
    request: async (organization) => ({ path: { id: await validatedEndpoint(organization) } }),
  },
  createPrivateEndpoint: {
    ...WRITE,
    method: 'POST',
    path: '/private-endpoints',
    decidesIdentity: false,
    success: 201,
    errors: [400, 403, 409],
    auditActions: ['private_endpoint.create'],
    insertsInto: 'private_endpoints',
    request: ({ privateProviderSlug }) => ({ json: newEndpointAt(privateProviderSlug) }),
    otherOrganization: (_, theirs) => ({
      'at a provider': otherId(
        400,
        (slug) => ({ json: newEndpointAt(slug) }),
        theirs.privateProviderSlug,
        UNKNOWN_SLUG,
      ),
    }),
  },
  createPrivateProvider: {
    ...WRITE,
    method: 'POST',
    path: '/private-providers',
    decidesIdentity: false,
    success: 201,
    errors: [400, 403, 409],
    auditActions: ['private_provider.create'],
    insertsInto: 'private_providers',
    request: () => ({
      json: { name: `Servers ${Math.random().toString(36).slice(2, 12)}`, base_url: UNUSED_ADDRESS },
    }),
    otherOrganization: (_, theirs) => {
      const named = (slug: string): RequestParts => ({ json: { name: 'Intruder', slug, base_url: 'nowhere' } });
      return { 'with a slug': otherId(400, named, theirs.privateProviderSlug, UNKNOWN_SLUG) };
    },
  },
  deletePrivateEndpoint: {
    ...WRITE,
    method: 'DELETE',
    path: '/private-endpoints/{id}',
    decidesIdentity: false,
    errors: [403, 404],
    auditActions: ['private_endpoint.delete'],
    request: async (organization) => {
      const { app, privateProviderSlug } = organization;
      return { path: { id: (await newPrivateEndpoint(app, organization, privateProviderSlug)).id } };
    },
    otherOrganization: (_, theirs) => otherEndpoint(theirs),
  },
  deletePrivateProvider: {
    ...WRITE,
    method: 'DELETE',
    path: '/private-providers/{slug}',
    decidesIdentity: false,
    errors: [403, 404, 409],
    auditActions: ['private_provider.delete'],
    request: async (organization) => ({
      path: { slug: (await newPrivateProvider(organization.app, organization)).slug },
    }),
    otherOrganization: (_, theirs) => otherProvider(theirs),
  },
  disablePrivateEndpoint: {
    ...WRITE,
    ...STATUS_CHANGE,
    path: '/private-endpoints/{id}/disable',
    decidesIdentity: false,
    auditActions: ['private_endpoint.disable'],
    request: async (organization) => ({ path: { id: await activeEndpoint(organization) } }),
  },
  enablePrivateEndpoint: {
    ...WRITE,
    ...STATUS_CHANGE,
    path: '/private-endpoints/{id}/enable',
    decidesIdentity: false,
    auditActions: ['private_endpoint.activate'],
    request: async (organization) => {
      const id = await activeEndpoint(organization);
      await changeStatus(organization, id, 'disable');
      return { path: { id } };
    },
  },
  getPrivateEndpoint: {
    ...READ,
    method: 'GET',
    path: '/private-endpoints/{id}',
    errors: [403, 404],
    request: ({ privateEndpointId: id }) => ({ path: { id } }),
    otherOrganization: (_, theirs) => otherEndpoint(theirs),
  },
  getPrivateProvider: {
    ...READ,
    method: 'GET',
    path: '/private-providers/{slug}',
    errors: [403, 404],
    request: ({ privateProviderSlug: slug }) => ({ path: { slug } }),
    otherOrganization: (_, theirs) => otherProvider(theirs),
  },
  listPrivateEndpoints: {
    ...READ,
    method: 'GET',
    path: '/private-endpoints',
    errors: [400, 403],
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  listPrivateProviders: {
    ...READ,
    method: 'GET',
    path: '/private-providers',
    errors: [400, 403],
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  updatePrivateEndpoint: {
    ...WRITE,
    method: 'PATCH',
    path: '/private-endpoints/{id}',
    decidesIdentity: false,
    errors: [400, 403, 404, 409],
    auditActions: ['private_endpoint.update'],
    request: async (organization) => {
      const { app, privateProviderSlug } = organization;
      const { id } = await newPrivateEndpoint(app, organization, privateProviderSlug);
      return { path: { id }, json: { declared_zdr: true } };
    },
    otherOrganization: (_, theirs) => otherEndpoint(theirs, { declared_zdr: true }),
  },
  updatePrivateProvider: {
    ...WRITE,
    method: 'PATCH',
    path: '/private-providers/{slug}',
    decidesIdentity: false,
    errors: [400, 403, 404, 409],
    auditActions: ['private_provider.update'],
    request: async (organization) => ({
      path: { slug: (await newPrivateProvider(organization.app, organization)).slug },
      json: { display_name: 'Renamed' },
    }),
    otherOrganization: (_, theirs) => otherProvider(theirs, { display_name: 'Intruder' }),
  },
  validatePrivateEndpoint: {
    ...WRITE,
    method: 'POST',
    path: '/private-endpoints/{id}/validate',
    decidesIdentity: false,
    errors: [400, 403, 404],
    auditActions: ['private_endpoint.validate'],
    request: async (organization) => ({
      path: { id: await answeringEndpoint(organization.app, organization) },
      json: { workspace_id: organization.workspaceId },
    }),
    otherOrganization: (ours, theirs) => {
      const inWorkspace = (workspace_id: string): RequestParts => ({
        path: { id: ours.privateEndpointId },
        json: { workspace_id },
      });
      return {
        ...otherEndpoint(theirs, { workspace_id: ours.workspaceId }),
        'with the keys of a workspace': otherId(200, inWorkspace, theirs.workspaceId, UNKNOWN_UUID),
      };
    },
  },
};
