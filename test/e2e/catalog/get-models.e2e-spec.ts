import type { ListModelsResponse } from '../../../src/modules/catalog/dto/list-models.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import {
  endpointEntry,
  replaceCatalog,
  listedImageModel,
  modelEntry,
} from '../../support/resources/catalog-entries.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TestApplication } from '../../support/application/test-application.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const DAY = 86_400;

const NOW = Math.floor(Date.now() / 1000);

const DELAY = { p50: 1, p75: 2, p90: 3, p99: 4 };

/** A model of each kind that filters tell apart, oldest first. */
const MODELS = [
  modelEntry('acme/old', {
    created: NOW - 400 * DAY,
    name: 'Acme: The Old One',
    context_length: 4096,
    pricing: { prompt: '0.0000003', completion: '0.0000025' },
    supported_parameters: ['tools'],
    architecture: { modality: null, input_modalities: ['text'], output_modalities: ['text'], tokenizer: 'Llama3' },
    benchmarks: {
      artificial_analysis: { intelligence_index: 30, coding_index: 20, agentic_index: null },
      design_arena: [{ arena: 'models', category: 'website', elo: 1100, win_rate: 40, rank: 9 }],
    },
    categories: ['programming', 'legal'],
    distillable: true,
    tool_success_rate: 0.8,
  }),
  modelEntry('acme/painter-and-writer', {
    created: NOW - 40 * DAY,
    context_length: 128000,
    pricing: { prompt: '0', completion: '0' },
    supported_parameters: ['tools', 'seed'],
    architecture: {
      modality: null,
      input_modalities: ['text', 'image'],
      output_modalities: ['text', 'image'],
      tokenizer: 'Llama4',
    },
    benchmarks: {
      artificial_analysis: { intelligence_index: 50, coding_index: 45, agentic_index: 40 },
      design_arena: [{ arena: 'models', category: 'website', elo: 1300, win_rate: 60, rank: 1 }],
    },
    categories: ['programming'],
    distillable: false,
    tool_success_rate: 1,
  }),
  modelEntry('globex/embedder', {
    created: NOW - 20 * DAY,
    context_length: 512,
    architecture: { modality: null, input_modalities: ['text'], output_modalities: ['embeddings'], tokenizer: 'Other' },
  }),
  modelEntry('globex/router', {
    created: NOW - 4 * DAY,
    context_length: null,
    pricing: { prompt: '-1', completion: '-1' },
    architecture: {
      modality: null,
      input_modalities: ['text', 'image'],
      output_modalities: ['text'],
      tokenizer: 'Router',
    },
  }),
];

const ENDPOINTS = [
  {
    id: 'acme/old',
    endpoints: [
      endpointEntry('here/fast', { provider_name: 'Here Inc', throughput_last_30m: { ...DELAY, p50: 90 }, zdr: true }),
      endpointEntry('there', { provider_name: 'There', latency_last_30m: { ...DELAY, p50: 0.2 } }),
    ],
  },
  {
    id: 'acme/painter-and-writer',
    endpoints: [
      endpointEntry('there', { throughput_last_30m: { ...DELAY, p50: 50 }, latency_last_30m: { ...DELAY, p50: 0.5 } }),
    ],
  },
];

const PROVIDERS = [
  { slug: 'here', name: 'Here Inc', datacenters: ['FR', 'JP'] },
  { slug: 'there', name: 'There', datacenters: ['US'] },
];

describe('getModels', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  beforeAll(async () => {
    await replaceCatalog(app, {
      providers: PROVIDERS,
      models: MODELS,
      endpoints: ENDPOINTS,
      aliases: [{ alias: 'acme/latest', model: 'acme/old' }],
    });
    await replaceCatalog(app, { data: [listedImageModel('globex/painter', {})] });
  });

  const list = async (query = ''): Promise<Answer<ListModelsResponse>> => {
    const answer = await app.api.get<ListModelsResponse>(`/models${query}`, { key: organization.managementKey });
    expect(answer.status).toBe(200);
    expectToFitContract('getModels', 200, answer.body);
    return answer;
  };

  /** The slugs of the models that a query finds. */
  const found = async (query: string): Promise<string[]> =>
    (await list(`?${query}`)).body.data.map(({ id }) => id.split('/')[1]!);

  it('answers 200 with every text model, oldest first, as getModel answers it', async () => {
    const { body } = await list();

    expect(body.data.map(({ id }) => id)).toEqual(['acme/old', 'acme/painter-and-writer', 'globex/router']);
    expect([body.total_count, body.links]).toEqual([3, { next: null }]);
    for (const model of body.data) {
      const single = await app.api.get<{ data: object }>(`/model/${model.id}`, { key: organization.managementKey });
      const { object, owned_by, ...shown } = model;
      expect([object, owned_by]).toEqual(['model', model.id.split('/')[0]]);
      expect(shown).toEqual(single.body.data);
    }
  });

  it.each([
    ['output_modalities=all', ['old', 'painter-and-writer', 'embedder', 'router']],
    ['output_modalities=image', ['painter-and-writer']],
    ['output_modalities=image,embeddings', ['painter-and-writer', 'embedder']],
    ['output_modalities=rerank', []],
    ['input_modalities=text', ['old', 'painter-and-writer', 'router']],
    ['input_modalities=image,text', ['painter-and-writer', 'router']],
    ['input_modalities=audio', []],
    ['supported_parameters=tools', ['old', 'painter-and-writer']],
    ['supported_parameters=tools,seed', ['painter-and-writer']],
    ['category=programming', ['old', 'painter-and-writer']],
    ['category=legal', ['old']],
    ['category=marketing/seo', []],
    ['q=OLD', ['old']],
    ['q=the+one', ['old']],
    ['q=acme', ['old', 'painter-and-writer']],
    ['q=acme+writer', ['painter-and-writer']],
    ['q=20260102', ['old', 'painter-and-writer', 'router']],
    ['q=%25', []],
    ['arch=llama', ['old', 'painter-and-writer']],
    ['arch=Llama4,router', ['painter-and-writer', 'router']],
    ['arch=GPT', []],
    ['model_authors=ACME', ['old', 'painter-and-writer']],
    ['model_authors=globex,nobody', ['router']],
    ['providers=here', ['old']],
    ['providers=HERE+inc', ['old']],
    ['providers=here,There', ['old', 'painter-and-writer']],
    ['providers=nobody', []],
    ['context=4096', ['old', 'painter-and-writer']],
    ['context=4097', ['painter-and-writer']],
    ['min_price=0.3', ['old']],
    ['max_price=0.3', ['old', 'painter-and-writer']],
    ['max_price=0', ['painter-and-writer']],
    ['min_price=0.2&max_price=0.25', []],
    ['min_output_price=2.5&max_output_price=2.5', ['old']],
    ['max_output_price=2.4', ['painter-and-writer']],
    ['distillable=true', ['old']],
    ['distillable=false', ['painter-and-writer']],
    ['zdr=true', ['old']],
    ['region=eu', ['old']],
    ['region=us', ['old', 'painter-and-writer']],
    ['min_age_days=40', ['old', 'painter-and-writer']],
    ['max_age_days=41', ['painter-and-writer', 'router']],
    ['min_intelligence_index=30', ['old', 'painter-and-writer']],
    ['min_intelligence_index=30.5', ['painter-and-writer']],
    ['max_intelligence_index=30', ['old']],
    ['min_coding_index=21', ['painter-and-writer']],
    ['max_coding_index=21', ['old']],
    ['min_agentic_index=0', ['painter-and-writer']],
    ['max_agentic_index=39', []],
    ['min_tool_success_rate=0.9', ['painter-and-writer']],
    ['max_tool_success_rate=0.8', ['old']],
    ['supported_parameters=tools&region=us&max_price=0.1', ['painter-and-writer']],
    ['category=programming&zdr=true&distillable=false', []],
    ['use_rss=false&use_rss_chat_links=true', ['old', 'painter-and-writer', 'router']],
  ])('answers 200 with the models that match ?%s', async (query, slugs) => {
    const { body } = await list(`?${query}`);
    expect(body.data.map(({ id }) => id.split('/')[1])).toEqual(slugs);
    expect(body.total_count).toBe(slugs.length);
  });

  it.each([
    ['newest', ['router', 'painter-and-writer', 'old']],
    ['most-popular', ['old', 'painter-and-writer', 'router']],
    ['top-weekly', ['old', 'painter-and-writer', 'router']],
    ['pricing-low-to-high', ['painter-and-writer', 'old', 'router']],
    ['pricing-high-to-low', ['old', 'painter-and-writer', 'router']],
    ['context-high-to-low', ['painter-and-writer', 'old', 'router']],
    ['throughput-high-to-low', ['old', 'painter-and-writer', 'router']],
    ['latency-low-to-high', ['old', 'painter-and-writer', 'router']],
    ['intelligence-high-to-low', ['painter-and-writer', 'old', 'router']],
    ['coding-high-to-low', ['painter-and-writer', 'old', 'router']],
    ['agentic-high-to-low', ['painter-and-writer', 'old', 'router']],
    ['design-arena-elo-high-to-low', ['painter-and-writer', 'old', 'router']],
  ])('answers 200 with known values first in the order %s', async (order, slugs) => {
    expect(await found(`sort=${order}`)).toEqual(slugs);
  });

  it('answers 200 with a link to the next page that repeats the query', async () => {
    const first = await list('?limit=1&q=acme&sort=newest&input_modalities=text');
    expect(first.body).toMatchObject({ data: [{ id: 'acme/painter-and-writer' }], total_count: 2 });

    const next = new URL(first.body.links.next!, app.origin);
    expect(next.pathname).toBe('/api/v1/models');
    expect(Object.fromEntries(next.searchParams)).toEqual({
      limit: '1',
      offset: '1',
      q: 'acme',
      sort: 'newest',
      input_modalities: 'text',
    });
    const second = await list(next.search);
    expect(second.body).toMatchObject({ data: [{ id: 'acme/old' }], total_count: 2, links: { next: null } });
    expect((await list('?offset=2')).body).toMatchObject({ data: [{ id: 'globex/router' }], links: { next: null } });
    expect((await list('?offset=3')).body).toMatchObject({ data: [], total_count: 3, links: { next: null } });
    expect((await list('?limit=3')).body.links.next).toBeNull();
  });

  it('answers 200 with an RSS feed, newest model first, in escaped XML', async () => {
    await replaceCatalog(app, {
      models: [
        ...MODELS,
        modelEntry('globex/odd', { created: NOW, name: `<&"'>`, description: 'a\u0007b\ud83d\ude42' }),
      ],
    });
    const answer = await app.api.get('/models?use_rss=true&limit=2', { key: organization.managementKey });
    await replaceCatalog(app, { models: MODELS });

    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8']);
    expect(answer.headers.get('etag')).toMatch(/^"[\w-]{27}"$/);
    expect(answer.text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<rss version="2.0"><channel><title>Models/);
    expect(answer.text).toContain('<title>&lt;&amp;&quot;&apos;&gt;</title><description>ab\ud83d\ude42</description>');
    expect(answer.text.match(/<guid isPermaLink="false">[^<]*/g)).toEqual([
      '<guid isPermaLink="false">globex/odd',
      '<guid isPermaLink="false">globex/router',
    ]);
    expect(answer.text).toContain(`<pubDate>${new Date(NOW * 1000).toUTCString()}</pubDate>`);
  });

  it('answers 200 with a new import at once, through every replica', async () => {
    const replica = await TestApplication.start({ database: app.database });
    const total = async (through: TestApplication): Promise<number> =>
      (await through.api.get<ListModelsResponse>('/models', { key: organization.managementKey })).body.total_count;
    expect([await total(app), await total(replica)]).toEqual([3, 3]);

    await replaceCatalog(app, { models: [...MODELS, modelEntry('globex/new')] });
    expect([await total(replica), await total(app)]).toEqual([4, 4]);

    await replaceCatalog(replica, { models: MODELS });
    expect([await total(app), await total(replica)]).toEqual([3, 3]);
    await replica.stop();
  });

  it.each([
    ['limit=0', ['limit']],
    ['limit=1001', ['limit']],
    ['offset=-1', ['offset']],
    ['output_modalities=', ['output_modalities']],
    ['output_modalities=text,all', ['output_modalities']],
    ['output_modalities=text,', ['output_modalities']],
    ['input_modalities=smell', ['input_modalities']],
    ['supported_parameters=tools,nonsense', ['supported_parameters']],
    ['category=cooking', ['category']],
    ['sort=best', ['sort']],
    ['q=', ['q']],
    ['context=0', ['context']],
    ['context=1.5', ['context']],
    ['min_price=-1', ['min_price']],
    ['max_price=free', ['max_price']],
    ['max_price=1e3', ['max_price']],
    ['min_output_price=', ['min_output_price']],
    ['distillable=yes', ['distillable']],
    ['zdr=false', ['zdr']],
    ['region=de', ['region']],
    ['min_age_days=1.5', ['min_age_days']],
    ['max_tool_success_rate=1.1', ['max_tool_success_rate']],
    ['use_rss=1', ['use_rss']],
    ['surprise=1', ['surprise']],
    ['sort=best&limit=x&zdr=no&zdr=true&region=', ['sort', 'limit', 'zdr', 'region']],
  ])('answers 400 for ?%s', async (query, paths) => {
    const answer = await app.api.get(`/models?${query}`, { key: organization.managementKey });
    expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
    expectToFitContract('getModels', 400, answer.body);
  });
});
