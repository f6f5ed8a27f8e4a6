import type { Capabilities } from '../../../src/modules/catalog/capability-union.js';
import type { ImageModelListItem, ListImageModelsResponse } from '../../../src/modules/catalog/dto/image-model.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import {
  imageEndpoint,
  imageModelEntry,
  replaceCatalog,
  listedImageModel,
  modelEntry,
} from '../../support/resources/catalog-entries.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TestApplication } from '../../support/application/test-application.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

describe('listImageModels', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  const list = async (): Promise<Answer<ListImageModelsResponse>> => {
    const answer = await app.api.get<ListImageModelsResponse>('/images/models', { key: organization.managementKey });
    expect(answer.status).toBe(200);
    expectToFitContract('listImageModels', 200, answer.body);
    return answer;
  };

  const ids = async (): Promise<string[]> => (await list()).body.data.map(({ id }) => id);

  /** The only image model, with these endpoints. */
  const only = async (...endpoints: Capabilities[]): Promise<ImageModelListItem> => {
    await replaceCatalog(app, { image_models: [imageModelEntry('acme/painter', endpoints)] });
    const { data } = (await list()).body;
    expect(data).toHaveLength(1);
    return data[0]!;
  };

  it('answers 200 with an empty list without a catalog', async () => {
    expect((await list()).body).toEqual({ data: [] });
  });

  it('answers 200 with every stored fact of an image model', async () => {
    const entry = listedImageModel(
      'acme/painter',
      {
        aspect_ratio: { type: 'enum', values: ['16:9', '1:1'] },
        n: { type: 'range', min: 1, max: 10 },
        strength: { type: 'range', min: 0.25, max: 0.75 },
        seed: { type: 'boolean' },
      },
      {
        supports_streaming: true,
        architecture: { input_modalities: ['image', 'text'], output_modalities: ['text', 'image'] },
      },
    );
    await replaceCatalog(app, { data: [entry] });

    expect((await list()).body).toEqual({ data: [entry] });
  });

  describe('for a model with several endpoints', () => {
    it('answers 200 with the parameters that any endpoint has', async () => {
      const item = await only({ seed: { type: 'boolean' } }, { n: { type: 'range', min: 1, max: 4 } }, {});

      expect(item.supported_parameters).toEqual({ seed: { type: 'boolean' }, n: { type: 'range', min: 1, max: 4 } });
    });

    it('answers 200 with the values of all endpoints, in the order in which they first appear', async () => {
      const item = await only(
        { size: { type: 'enum', values: ['2K', '1K'] } },
        { size: { type: 'enum', values: ['4K', '1K', '512'] } },
        { size: { type: 'enum', values: ['2K', '8K'] } },
      );

      expect(item.supported_parameters).toEqual({ size: { type: 'enum', values: ['2K', '1K', '4K', '512', '8K'] } });
    });

    it('answers 200 with the smallest minimum and the largest maximum of a range', async () => {
      const item = await only(
        { n: { type: 'range', min: 2, max: 4 } },
        { n: { type: 'range', min: 3, max: 10 } },
        { n: { type: 'range', min: -1.5, max: 3 } },
      );

      expect(item.supported_parameters).toEqual({ n: { type: 'range', min: -1.5, max: 10 } });
    });

    it('answers 200 with the same parameters in any order of the rows', async () => {
      const endpoints: Capabilities[] = [
        { size: { type: 'enum', values: ['a'] } },
        { size: { type: 'enum', values: ['b'] } },
      ];
      await only(...endpoints);
      // Written anew, the first endpoint lies behind the second.
      await app.rows(`UPDATE image_endpoints SET pricing = '[]' WHERE position = 0`);

      expect((await list()).body.data[0]!.supported_parameters).toEqual({ size: { type: 'enum', values: ['a', 'b'] } });
    });
  });

  it.each([
    [[false, false], false],
    [[true, false], true],
    [[false, true], true],
    [[true, true], true],
  ])('answers 200 for a model whose endpoints stream %j with supports_streaming %j', async (each, expected) => {
    const endpoints = each.map((streams, index) => imageEndpoint(`provider-${index}`, {}, streams));
    await replaceCatalog(app, { image_models: [imageModelEntry('acme/painter', [], { endpoints })] });

    expect((await list()).body.data[0]!.supports_streaming).toBe(expected);
  });

  it('answers 200 without models that make no images, and without models that have no image endpoint', async () => {
    await replaceCatalog(app, {
      models: [
        modelEntry('acme/writer'),
        // Makes images, and no provider offers it at the image interface.
        modelEntry('acme/sketcher', {
          architecture: { modality: 'text->image', input_modalities: ['text'], output_modalities: ['text', 'image'] },
        }),
      ],
      image_models: [
        imageModelEntry('acme/painter', [{}]),
        imageModelEntry('acme/reader', [{}], {
          architecture: { input_modalities: ['image'], output_modalities: ['text'] },
        }),
      ],
    });

    expect(await ids()).toEqual(['acme/painter']);
    await app.rows(`DELETE FROM image_endpoints WHERE model_id = 'acme/painter'`);
    expect(await ids()).toEqual([]);
  });

  it('answers 200 with models ordered by creation time, then by id', async () => {
    const added: [string, number][] = [
      ['acme/c', 3],
      ['acme/b', 1],
      ['acme/z', 2],
      ['acme/a', 2],
    ];
    await replaceCatalog(app, {
      image_models: added.map(([id, created]) => imageModelEntry(id, [{}, {}], { created })),
    });

    expect(await ids()).toEqual(['acme/b', 'acme/a', 'acme/z', 'acme/c']);
  });

  it('answers 200 with the whole list in one answer', async () => {
    const many = Array.from({ length: 150 }, (_, index) => imageModelEntry(`acme/painter-${index}`, [{}]));
    await replaceCatalog(app, { image_models: many });

    expect(new Set(await ids())).toEqual(new Set(many.map(({ id }) => id)));
  });

  it('answers 200 without a retired model, and with it again when an import restores it', async () => {
    const [one, other] = [imageModelEntry('acme/one', [{}]), imageModelEntry('acme/other', [{}])];
    await replaceCatalog(app, { image_models: [one, other] });
    await replaceCatalog(app, { image_models: [other] });
    expect(await ids()).toEqual(['acme/other']);

    await replaceCatalog(app, { image_models: [one] });
    expect(await ids()).toEqual(['acme/one']);
  });

  it('answers 200 with links below the path prefix of the deployment', async () => {
    await replaceCatalog(app, { image_models: [imageModelEntry('acme/painter', [{}])] });
    const replica = await TestApplication.start({
      database: app.database,
      variables: { API_BASE_PATH: '/gateway/v1' },
    });

    const { body } = await replica.api.get<ListImageModelsResponse>('/images/models', {
      key: organization.managementKey,
    });

    await replica.stop();
    expect((await list()).body.data[0]!.endpoints).toBe('/api/v1/images/models/acme/painter/endpoints');
    expect(body.data[0]!.endpoints).toBe('/gateway/v1/images/models/acme/painter/endpoints');
  });

  it.each(['limit=1', 'offset=0', 'workspace_id=x', 'anything'])(
    'answers 400 for ?%s, because it takes no parameters',
    async (query) => {
      const answer = await app.api.get(`/images/models?${query}`, { key: organization.managementKey });

      expectRefusal(answer, {
        status: 400,
        reason: 'invalid_parameters',
        paths: [query.split('=')[0]!],
        userId: organization.userId,
      });
    },
  );

  it('answers 200 without a credential when it is listed in ANONYMOUS_OPERATIONS, 401 to an invalid one and 403 to one of the wrong kind', async () => {
    const variables = { ANONYMOUS_OPERATIONS: 'listImageModels' };
    const open = await TestApplication.start({ database: app.database, variables });
    const { plaintext } = await app.factory.client(organization);

    const [anonymous, wrong, client, otherOperation] = [
      await open.api.get('/images/models'),
      await open.api.get('/images/models', { key: 'wrong' }),
      await open.api.get('/images/models', { key: plaintext }),
      await open.api.get('/model/acme/painter'),
    ];

    await open.stop();
    expect(anonymous.text).toBe((await list()).text);
    expectRefusal(wrong, { status: 401, reason: 'invalid_credential' });
    expectRefusal(client, { status: 403, reason: 'credential_kind_not_allowed' });
    expectRefusal(otherOperation, { status: 401, reason: 'missing_credential' });
  });
});
