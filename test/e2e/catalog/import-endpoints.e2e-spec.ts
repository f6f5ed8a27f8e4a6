import { CatalogService, type ModelOffer } from '../../../src/modules/catalog/catalog.service.js';
import { InvalidCatalog } from '../../../src/modules/catalog/import/invalid-catalog.js';
import {
  dryRunCatalog,
  endpointEntry,
  endpointsList,
  imageModelEntry,
  importCatalog,
  modelEntry,
  replaceCatalog,
} from '../../support/resources/catalog-entries.js';
import { TestApplication } from '../../support/application/test-application.js';
import { sharedApplication } from '../../support/application/shared-application.js';

const NOTHING = { added: [], changed: [], retired: [], wouldRetire: [], unchanged: 0 };

const ZDR = { model_id: 'acme/model', model_name: 'Model' };

describe('the import of endpoints and providers', () => {
  const app = sharedApplication();

  beforeEach(async () => {
    await app.rows('TRUNCATE providers, models, model_names, image_endpoints, model_endpoints');
    await importCatalog(app, { data: [modelEntry('acme/model'), modelEntry('acme/other')] });
  });

  /** The facts of each model that a policy reads. */
  const offers = async (through = app): Promise<Map<string, ModelOffer>> => {
    const seen = new Map<string, ModelOffer>();
    const note = (offer: ModelOffer): boolean => Boolean(seen.set(offer.id, offer));
    await through.application.get(CatalogService).listOffered('org_none', note, {}, '/models');
    return seen;
  };

  const endpoints = (): Promise<Record<string, unknown>[]> =>
    app.rows('SELECT model_id, position, tag, is_zdr FROM model_endpoints ORDER BY model_id, position');

  const tags = async (): Promise<string[]> =>
    (await endpoints()).map(({ model_id: id, tag }) => `${String(id)} ${String(tag)}`);

  const faultsOf = async (...contents: unknown[]): Promise<readonly string[]> => {
    const before = [await endpoints(), await app.rows('SELECT * FROM providers ORDER BY slug')];
    const thrown: unknown = await importCatalog(app, ...contents).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(InvalidCatalog);
    expect([await endpoints(), await app.rows('SELECT * FROM providers ORDER BY slug')]).toEqual(before);
    return (thrown as InvalidCatalog).issues;
  };

  it('stores the public list of a model’s endpoints, and providers that are not listed yet, for answers with 200', async () => {
    const stats = { p50: 1, p75: 2, p90: 3, p99: 4 };
    const first = endpointEntry('acme-cloud/eu', {
      status: -2,
      supports_tool_choice: { auto: true, function: false, none: true, required: false },
      uptime_last_1d: 99.5,
      latency_last_30m: stats,
    });

    const report = await importCatalog(app, endpointsList('acme/model', first, endpointEntry('other')));

    expect(report).toEqual({
      providers: { ...NOTHING, added: ['acme-cloud', 'other'] },
      endpoints: { ...NOTHING, added: ['acme/model acme-cloud/eu', 'acme/model other'] },
      aliases: 0,
    });
    expect(await app.rows('SELECT slug, name FROM providers ORDER BY slug')).toEqual([
      { slug: 'acme-cloud', name: 'The provider acme-cloud' },
      { slug: 'other', name: 'The provider other' },
    ]);
    expect(await app.rows('SELECT * FROM model_endpoints WHERE position = 0')).toEqual([
      {
        model_id: 'acme/model',
        capabilities: null,
        position: 0,
        provider_slug: 'acme-cloud',
        tag: 'acme-cloud/eu',
        name: 'acme-cloud/eu | some model',
        context_length: 128000,
        max_completion_tokens: 4096,
        max_prompt_tokens: null,
        pricing: { prompt: '0.000001', completion: '0.000002' },
        quantization: 'fp8',
        status: -2,
        supported_parameters: ['max_tokens', 'temperature'],
        supports_implicit_caching: false,
        supports_tool_choice: { auto: true, function: false, none: true, required: false },
        supports_voice_cloning: false,
        measurements: {
          uptime_last_5m: null,
          uptime_last_30m: null,
          uptime_last_1d: 99.5,
          latency_last_30m: stats,
          throughput_last_30m: null,
        },
        is_zdr: false,
        trains_on_requests: null,
        publishes_prompts: null,
        upstream_id: null,
        is_own: false,
      },
    ]);
  });

  it('adds and changes endpoints of the model by their tags, and reports those that only a complete list would retire', async () => {
    const of = (...list: object[]): object[] => [
      endpointsList('acme/model', ...list),
      endpointsList('acme/other', endpointEntry('same')),
    ];
    await importCatalog(
      app,
      ...of(endpointEntry('same'), endpointEntry('cheaper'), endpointEntry('gone'), endpointEntry('same')),
    );

    const after = of(endpointEntry('same'), endpointEntry('new'), endpointEntry('cheaper', { quantization: null }));
    const foretold = await dryRunCatalog(app, ...after);

    expect(await endpoints()).toHaveLength(5);
    const report = await importCatalog(app, ...after);
    expect(report).toEqual(foretold);
    expect(report.endpoints).toEqual({
      added: ['acme/model new'],
      changed: ['acme/model cheaper'],
      retired: [],
      wouldRetire: ['acme/model gone', 'acme/model same (2)'],
      unchanged: 4,
    });
    expect(await tags()).toEqual([
      'acme/model same',
      'acme/model new',
      'acme/model cheaper',
      'acme/model gone',
      'acme/model same',
      'acme/other same',
    ]);
    expect((await replaceCatalog(app, ...after)).endpoints).toMatchObject({
      changed: [],
      retired: ['acme/model gone', 'acme/model same (2)'],
      wouldRetire: [],
    });
    expect(await tags()).toEqual(['acme/model same', 'acme/model new', 'acme/model cheaper', 'acme/other same']);
  });

  it('stores a provider’s data policy from our own form, and keeps it when the public form is imported', async () => {
    const policy = { zdr: true, training: false, publication: true };
    await importCatalog(app, {
      providers: [{ slug: 'known', name: 'Known', headquarters: 'DE' }],
      endpoints: [{ id: 'acme/model', endpoints: [endpointEntry('known', policy)] }],
    });
    await importCatalog(
      app,
      endpointsList('ACME/model-20260102', endpointEntry('known', { context_length: 5 }), endpointEntry('new')),
    );

    expect((await offers()).get('acme/model')).toEqual({
      id: 'acme/model',
      canonicalSlug: 'acme/model-20260102',
      author: 'acme',
      outputs: ['text'],
      endpoints: [
        {
          provider: 'known',
          isFree: false,
          isChargeable: true,
          isPrivate: false,
          isZdr: true,
          trainsOnRequests: false,
          publishesPrompts: true,
          upstreamId: null,
          isOwn: true,
        },
        {
          provider: 'new',
          isFree: false,
          isChargeable: true,
          isPrivate: false,
          isZdr: false,
          trainsOnRequests: null,
          publishesPrompts: null,
          upstreamId: null,
          isOwn: false,
        },
      ],
    });
    expect((await offers()).get('acme/other')!.endpoints).toEqual([]);
    expect(await app.rows(`SELECT name, headquarters FROM providers WHERE slug = 'known'`)).toEqual([
      { name: 'Known', headquarters: 'DE' },
    ]);
  });

  it.each([
    [{ prompt: '0', completion: '0' }, true],
    [{ prompt: '0', completion: '0.0', request: '0' }, true],
    [{ prompt: '0', completion: '0', request: '0.01' }, false],
    [{ prompt: '-1', completion: '-1' }, false],
    [{ prompt: '0', completion: '0.000001' }, false],
  ])('stores whether a model with the prices %j is free: %s', async (pricing, isFree) => {
    await importCatalog(app, endpointsList('acme/model', endpointEntry('one', { pricing })));

    expect((await offers()).get('acme/model')!.endpoints).toMatchObject([{ isFree }]);
  });

  it('marks exactly the endpoints of the public zero-data-retention list as retaining nothing', async () => {
    const own = { id: 'acme/model', endpoints: [endpointEntry('one', { zdr: true }), endpointEntry('two')] };
    await importCatalog(app, { own: false, endpoints: [own] });

    const report = await importCatalog(app, {
      data: [
        { ...endpointEntry('two'), ...ZDR },
        { ...endpointEntry('three'), ...ZDR, model_id: 'acme/other' },
      ],
    });

    expect(report.endpoints).toEqual({
      ...NOTHING,
      added: ['acme/other three'],
      changed: ['acme/model one', 'acme/model two'],
    });
    expect(await endpoints()).toEqual([
      { model_id: 'acme/model', position: 0, tag: 'one', is_zdr: false },
      { model_id: 'acme/model', position: 1, tag: 'two', is_zdr: true },
      { model_id: 'acme/other', position: 0, tag: 'three', is_zdr: true },
    ]);
  });

  it('stores the public list of providers for an answer with 200', async () => {
    const provider = { slug: 'acme', name: 'Acme', privacy_policy_url: 'https://acme.example/privacy' };
    await importCatalog(app, { data: [provider] });

    const report = await importCatalog(app, {
      data: [
        { ...provider, headquarters: 'CH', datacenters: ['CH', 'DE'] },
        { slug: 'other', name: 'Other', privacy_policy_url: null },
      ],
    });

    expect(report.providers).toEqual({ ...NOTHING, added: ['other'], changed: ['acme'] });
    expect(await app.rows(`SELECT * FROM providers WHERE slug = 'acme'`)).toEqual([
      {
        slug: 'acme',
        name: 'Acme',
        privacy_policy_url: 'https://acme.example/privacy',
        status_page_url: null,
        terms_of_service_url: null,
        headquarters: 'CH',
        datacenters: ['CH', 'DE'],
      },
    ]);
  });

  it('stores the public list of an image model’s endpoints for an answer with 200', async () => {
    await importCatalog(app, { image_models: [imageModelEntry('acme/painter', [{}])] });
    const endpoint = {
      provider_name: 'One',
      provider_slug: 'one',
      provider_tag: null,
      supported_parameters: { n: { type: 'range', min: 1, max: 4 } },
      allowed_passthrough_parameters: ['style'],
      supports_streaming: true,
      pricing: [],
    };

    const report = await importCatalog(app, { id: 'acme/painter', endpoints: [endpoint] });

    expect(report.imageEndpoints).toEqual({
      ...NOTHING,
      added: ['acme/painter one'],
      retired: ['acme/painter provider-1'],
    });
    expect(await app.rows('SELECT provider_slug, supports_streaming FROM image_endpoints')).toEqual([
      { provider_slug: 'one', supports_streaming: true },
    ]);
  });

  it('names every issue and changes nothing, so that listEndpoints answers 200 as before', async () => {
    expect(
      await faultsOf(
        endpointsList(
          'acme/model',
          endpointEntry('Not A Slug'),
          endpointEntry('fine', { quantization: 'int3', status: 1 }),
        ),
        { data: [{ ...endpointEntry('x', { pricing: {} }), ...ZDR }] },
        { data: [{ slug: 'acme', name: '', headquarters: 'XX' }] },
      ),
    ).toEqual([
      expect.stringContaining('document-1.json: data.endpoints[0].tag'),
      expect.stringContaining('document-1.json: data.endpoints[1].quantization'),
      expect.stringContaining('document-1.json: data.endpoints[1].status'),
      'document-2.json: data[0].pricing.prompt is required',
      'document-2.json: data[0].pricing.completion is required',
      expect.stringContaining('document-3.json: data[0].name'),
      expect.stringContaining('document-3.json: data[0].headquarters'),
    ]);
    expect(
      await faultsOf(
        endpointsList('acme/none', endpointEntry('one')),
        endpointsList('acme/model', endpointEntry('one')),
        { data: [{ ...endpointEntry('x'), ...ZDR, model_id: 'acme/nothing' }] },
        {
          id: 'acme/model',
          endpoints: [
            {
              provider_slug: 'one',
              supported_parameters: {},
              supports_streaming: true,
              allowed_passthrough_parameters: [],
              pricing: [],
            },
          ],
        },
      ),
    ).toEqual([
      'there are endpoints of acme/none, which is not in the catalog',
      'there are image endpoints of acme/model, which is no image model of the catalog',
      'there is an endpoint of acme/nothing, which is not in the catalog',
    ]);
    expect(await faultsOf(endpointsList('acme/model'), endpointsList('ACME/model'))).toEqual([
      'the list of endpoints of ACME/model is given more than once',
    ]);
  });

  it('on one replica changes the answers of the other one', async () => {
    const replica = await TestApplication.start({ database: app.database });
    expect((await offers(replica)).get('acme/model')!.endpoints).toEqual([]);

    await importCatalog(app, endpointsList('acme/model', endpointEntry('one')));
    expect((await offers(replica)).get('acme/model')!.endpoints).toMatchObject([{ provider: 'one' }]);

    await app.rows(`UPDATE models SET in_model_list = false WHERE id = 'acme/model'`);
    expect([...(await offers(replica)).keys()]).toEqual(['acme/other']);
    await replica.stop();
  });
});
