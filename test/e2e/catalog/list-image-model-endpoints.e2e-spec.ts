import type { ImageModelEndpointsResponse } from '../../../src/modules/catalog/dto/image-model.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { imageEndpoint, imageModelEntry, importCatalog, modelEntry } from '../../support/resources/catalog-entries.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

describe('listImageModelEndpoints', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  beforeAll(() =>
    importCatalog(app, {
      providers: [{ slug: 'provider-1', name: 'The First' }],
      models: [modelEntry('acme/writer')],
      aliases: [{ alias: 'acme/painter-latest', model: 'acme/painter' }],
      image_models: [
        imageModelEntry('acme/painter', [], {
          endpoints: [imageEndpoint('provider-1', { seed: { type: 'boolean' } }, true), imageEndpoint('nameless', {})],
        }),
      ],
    }),
  );

  const get = (name: string): Promise<Answer<ImageModelEndpointsResponse>> =>
    app.api.get(`/images/models/${name}/endpoints`, { key: organization.managementKey });

  it.each(['acme/painter', 'ACME/Painter', 'acme/painter-latest', 'acme/painter:nitro'])(
    'answers 200 with each endpoint of %s',
    async (name) => {
      const { status, body } = await get(name);

      const pricing = [{ billable: 'output_image', unit: 'image', cost_usd: 0.04 }];
      const common = { provider_tag: null, allowed_passthrough_parameters: [], pricing };
      expect([status, body]).toEqual([
        200,
        {
          id: 'acme/painter',
          endpoints: [
            {
              ...common,
              provider_name: 'The First',
              provider_slug: 'provider-1',
              supported_parameters: { seed: { type: 'boolean' } },
              supports_streaming: true,
            },
            {
              ...common,
              provider_name: 'nameless',
              provider_slug: 'nameless',
              supported_parameters: {},
              supports_streaming: false,
            },
          ],
        },
      ]);
      expectToFitContract('listImageModelEndpoints', 200, body);
    },
  );

  it.each(['acme/writer', 'acme/none', 'acme/painter:surprise'])('answers 404 for %s', async (name) => {
    const answer = await get(name);
    expectRefusal(answer, { status: 404, reason: 'model_not_found', userId: organization.userId });
    expectToFitContract('listImageModelEndpoints', 404, answer.body);
  });
});
