import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type {
  ManagedPrivateEndpoint,
  PrivateEndpointValidation,
} from '../../../src/modules/private-models/dto/private-endpoint.dto.js';
import type { PrivateProvider } from '../../../src/modules/private-models/dto/private-provider.dto.js';
import type { TestApplication } from '../application/test-application.js';
import { answeringAddress } from '../network/answering-server.js';

/** The model of the catalog that endpoints of tests deploy, by its canonical slug, which both dialects take. */
export const DEPLOYED_MODEL = 'openai/gpt-5.4-20260305';

/** What a token costs at endpoints of tests. */
export const PRIVATE_PRICING = { prompt: '0.000003', completion: '0.000004' };

/** The address of providers of tests that nothing is asked of. */
export const UNUSED_ADDRESS = 'http://127.0.0.1:9/v1';

/** Makes a provider of an organization's own over HTTP. @param fields besides, or in place of, a new name */
export async function newPrivateProvider(
  app: TestApplication,
  organization: NewOrganization,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<PrivateProvider> {
  const name = `Own servers ${Math.random().toString(36).slice(2, 12)}`;
  const json = { name, base_url: UNUSED_ADDRESS, ...fields };
  return created(app, organization, '/private-providers', json);
}

/** Makes a draft at a provider over HTTP. @param fields besides, or in place of, those of DEPLOYED_MODEL */
export async function newPrivateEndpoint(
  app: TestApplication,
  organization: NewOrganization,
  provider_slug: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<ManagedPrivateEndpoint> {
  const names = { model_permaslug: DEPLOYED_MODEL, upstream_model_id: 'theirs' };
  return created(app, organization, '/private-endpoints', {
    ...names,
    provider_slug,
    pricing: PRIVATE_PRICING,
    ...fields,
  });
}

/** Makes a provider key for a provider of an organization's own, which the public contract does not have, over HTTP. */
export async function newKeyForOwnProvider(
  app: TestApplication,
  organization: NewOrganization,
  provider: string,
  key: string,
): Promise<void> {
  await created(app, organization, '/byok', { provider, key });
}

/** A draft at a server that answers chats, with a provider key. @returns its id */
export async function answeringEndpoint(app: TestApplication, organization: NewOrganization): Promise<string> {
  const { slug: provider } = await newPrivateProvider(app, organization, { base_url: await answeringAddress() });
  await newKeyForOwnProvider(app, organization, provider, 'sk-any-text');
  return (await newPrivateEndpoint(app, organization, provider)).id;
}

/** Validates an endpoint with the keys of the default workspace. */
export async function validated(
  app: TestApplication,
  { managementKey: key, workspaceId: workspace_id }: NewOrganization,
  id: string,
): Promise<PrivateEndpointValidation> {
  const answer = await app.api.post<{ data: PrivateEndpointValidation }>(`/private-endpoints/${id}/validate`, {
    key,
    json: { workspace_id },
  });
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: answer.text });
  return answer.body.data;
}

async function created<Item>(
  app: TestApplication,
  { managementKey: key }: NewOrganization,
  path: string,
  json: object,
): Promise<Item> {
  const answer = await app.api.post<{ data: Item }>(path, { key, json });
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 201, text: answer.text });
  return answer.body.data;
}
