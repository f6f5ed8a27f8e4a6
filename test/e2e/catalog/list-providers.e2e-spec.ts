import type { ListProvidersResponse } from '../../../src/modules/catalog/dto/provider.dto.js';
import { importCatalog } from '../../support/resources/catalog-entries.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

describe('listProviders', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  const list = async (): Promise<ListProvidersResponse['data']> => {
    const answer = await app.api.get<ListProvidersResponse>('/providers', { key: organization.managementKey });
    expect(answer.status).toBe(200);
    expectToFitContract('listProviders', 200, answer.body);
    return answer.body.data;
  };

  it('answers 200 with every provider and its known facts, by name', async () => {
    expect(await list()).toEqual([]);
    const known = {
      slug: 'acme',
      name: 'acme',
      privacy_policy_url: 'https://acme.example/privacy',
      terms_of_service_url: 'https://acme.example/terms',
      status_page_url: 'https://acme.example/status',
      headquarters: 'CH',
      datacenters: ['CH', 'DE'],
    };

    await importCatalog(app, { providers: [{ slug: 'zeta', name: 'Zeta' }, { slug: 'b', name: 'B' }, known] });

    const unknown = {
      privacy_policy_url: null,
      terms_of_service_url: null,
      status_page_url: null,
      headquarters: null,
      datacenters: null,
    };
    expect(await list()).toEqual([
      known,
      { slug: 'b', name: 'B', ...unknown },
      { slug: 'zeta', name: 'Zeta', ...unknown },
    ]);
  });

  it('answers 200 with the providers of the starter catalog', async () => {
    await app.factory.starterCatalog();

    const providers = await list();

    expect(providers.length).toBeGreaterThan(100);
    expect(providers.find(({ slug }) => slug === 'mistral')).toMatchObject({ name: 'Mistral', headquarters: 'FR' });
  });

  it('answers 400 for a query', async () => {
    const answer = await app.api.get('/providers?limit=1', { key: organization.managementKey });
    expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths: ['limit'], userId: organization.userId });
    expectToFitContract('listProviders', 400, answer.body);
  });
});
