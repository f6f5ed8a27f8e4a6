import type { ListGenerationsResponse } from '../../../src/modules/generations/listing/generation-list.dto.js';
import type {
  GetProvidersHealthResponse,
  ProviderHealth,
} from '../../../src/modules/inference/provider-health/dto/provider-health.dto.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { PrivateEndpoint } from '../../../src/modules/private-models/dto/private-endpoint.dto.js';
import type { ActivityItem } from '../../../src/modules/usage/activity/dto/activity.dto.js';
import type { AnalyticsResult } from '../../../src/modules/usage/analytics/dto/analytics-query.dto.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import type { ErrorBody } from '../../support/network/api-client.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { importCatalog, modelEntry } from '../../support/resources/catalog-entries.js';
import {
  newKeyForOwnProvider,
  newPrivateEndpoint,
  newPrivateProvider,
  PRIVATE_PRICING,
  validated,
} from '../../support/resources/private-models.js';
import { answerAsAsked, embeddings } from '../inference/provider-answers.js';
import { sharedGateway } from '../inference/shared-gateway.js';
import { dateOf, dayBefore, keepRecordsBefore, recordUsed, rollUpUsage } from '../usage/used-generations.js';

const SECRET = 'sk-own-server-0123456789';

const NAME = 'Our own servers';

const CHATS = 'acme/unconnected';

const EMBEDDER = 'acme/lone-embedder';

const NUMBERS = [0.5, -1];

describe('what own endpoints answer', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  let server: ProviderServer;

  beforeAll(async () => {
    server = await ProviderServer.start();
    await keepRecordsBefore(gateway.app, 1);
  });
  beforeEach(() =>
    server.answerWith((response, request) => {
      if (!request.path.endsWith('/embeddings')) return answerAsAsked(response, request);
      const body = JSON.stringify(embeddings([NUMBERS]));
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    }),
  );
  afterAll(() => server.stop());

  /** An active endpoint of a model that no other provider serves. @returns the slug of its provider */
  const activeEndpointOf = async (model_permaslug: string, of: NewOrganization = organization): Promise<string> => {
    const { slug } = await newPrivateProvider(gateway.app, of, { name: NAME, base_url: server.baseUrl });
    await newKeyForOwnProvider(gateway.app, of, slug, SECRET);
    const names = { model_permaslug, upstream_model_id: 'theirs' };
    const { id } = await newPrivateEndpoint(gateway.app, of, slug, names);
    expect(await validated(gateway.app, of, id)).toMatchObject({ passed: true });
    const path = `/private-endpoints/${id}/activate`;
    const { status } = await gateway.app.api.post<{ data: PrivateEndpoint }>(path, { key: of.managementKey });
    expect(status).toBe(200);
    server.received.length = 0;
    return slug;
  };

  const get = async <Body>(path: string, { managementKey: key }: NewOrganization): Promise<Body> => {
    const { status, body } = await gateway.app.api.get<Body>(path, { key });
    expect({ path, status }).toEqual({ path, status: 200 });
    return body;
  };

  const usageOf = async (of: NewOrganization): Promise<AnalyticsResult['data']> => {
    const json = {
      metrics: ['request_count', 'byok_usage', 'credits_usage', 'tokens_prompt', 'tokens_completion'],
      dimensions: ['provider', 'model'],
      time_range: { start: dayBefore(2).toISOString(), end: dayBefore(-1).toISOString() },
    };
    const path = '/analytics/query';
    const { status, body } = await gateway.app.api.post<{ data: AnalyticsResult }>(path, {
      key: of.managementKey,
      json,
    });
    expect({ path, status }).toEqual({ path, status: 200 });
    return body.data.data;
  };

  it('is embeddings, too: 200 from the own server, for the prices of the endpoint', async () => {
    const slug = await activeEndpointOf(EMBEDDER);
    const key = await gateway.app.factory.key(organization);
    const answer = await gateway.embed(key, { model: EMBEDDER, provider: { only: [slug] } });

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      model: EMBEDDER,
      data: [{ embedding: NUMBERS }],
      usage: { prompt_tokens: 10, cost: 0.00003, is_byok: true },
    });
    expect(server.received).toMatchObject([
      { path: '/v1/embeddings', headers: { authorization: `Bearer ${SECRET}` }, body: { model: 'theirs' } },
    ]);
    expect(await gateway.record(answer, key)).toMatchObject({
      api_type: 'embeddings',
      is_byok: true,
      provider_name: NAME,
      total_cost: 0.00003,
    });
    const others = await gateway.app.factory.key(await gateway.app.factory.organization());
    expect((await gateway.embed(others, { model: EMBEDDER, provider: null })).status).toBe(404);
  });

  it('are no rankings: 400 to an endpoint of a model that ranks', async () => {
    const model_permaslug = 'acme/ranker';
    const architecture = { modality: 'text->rerank', input_modalities: ['text'], output_modalities: ['rerank'] };
    await importCatalog(gateway.app, { models: [modelEntry(model_permaslug, { architecture })], endpoints: [] });
    const { slug: provider_slug } = await newPrivateProvider(gateway.app, organization, { base_url: server.baseUrl });
    const json = { model_permaslug, provider_slug, upstream_model_id: 'ranker', pricing: PRIVATE_PRICING };
    const { status, body } = await gateway.app.api.post<ErrorBody>('/private-endpoints', {
      key: organization.managementKey,
      json,
    });

    expect([status, body.error.metadata]).toMatchObject([
      400,
      { reason: 'model_not_served', issues: [{ path: 'model_permaslug' }] },
    ]);
  });

  it('is in the usage and the requests of the organization with its costs, and of no other: 200', async () => {
    const slug = await activeEndpointOf(CHATS);
    const others = await gateway.app.factory.organization();
    await activeEndpointOf(EMBEDDER, others);
    const key = await gateway.app.factory.key(organization);
    const answers = [
      await gateway.ask(key, { model: CHATS, provider: null }),
      await gateway.stream(key, { model: CHATS, provider: { only: [NAME] } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);

    // 10 tokens of 0.000003 and 5 of 0.000004 dollars, twice.
    const used = { request_count: 2, byok_usage: 0.0001, credits_usage: 0, tokens_prompt: 20, tokens_completion: 10 };
    const rows = [{ ...used, provider: slug, provider_name: NAME, model: CHATS }];
    expect(await usageOf(organization)).toMatchObject(rows);
    await rollUpUsage(gateway.app);
    expect(await usageOf(organization)).toMatchObject(rows);
    expect(await usageOf(others)).toEqual([]);

    const { data: requests } = await get<ListGenerationsResponse>(`/generations?provider=${slug}`, organization);
    expect(requests.map(({ id }) => id).toSorted()).toEqual(
      answers.map(({ headers }) => headers.get('x-generation-id')).toSorted(),
    );
    for (const request of requests) {
      expect(request).toMatchObject({ provider: slug, model: CHATS, status: 200, total_cost: 0.00005, is_byok: true });
    }
    expect((await get<ListGenerationsResponse>('/generations', others)).data).toEqual([]);
    const { data: limits } = await get<{ data: object }>(`/keys/${key.hash}`, organization);
    expect(limits).toMatchObject({ usage: 0, byok_usage: 0.0001 });
  });

  it('decides about the health of the own provider, which the organization alone sees: 200, degraded by a 503', async () => {
    const slug = await activeEndpointOf(CHATS);
    const others = await gateway.app.factory.organization();
    const healthOf = async (of: NewOrganization): Promise<ProviderHealth | undefined> => {
      const { data } = await get<GetProvidersHealthResponse>('/providers/health', of);
      return data.providers.find(({ provider }) => provider === slug);
    };
    expect(await healthOf(organization)).toEqual({ provider: slug, name: NAME, condition: 'normal', endpoints: [] });

    server.answerWith((response) => void response.writeHead(500).end());
    const key = await gateway.app.factory.key(organization);
    expect((await gateway.ask(key, { model: CHATS, provider: null })).status).toBe(503);

    expect(await healthOf(organization)).toMatchObject({
      condition: 'degraded',
      endpoints: [
        {
          model: CHATS,
          endpoint: expect.stringMatching(`^${slug}/`) as string,
          condition: 'degraded',
          failed_attempts: 1,
        },
      ],
    });
    expect(await healthOf(others)).toBeUndefined();
  });

  it('is in the activity of the day before with the name of the provider: 200', async () => {
    const { slug: provider } = await newPrivateProvider(gateway.app, organization, { name: NAME });
    const key = await gateway.app.factory.key(organization);
    await recordUsed(gateway.app, organization, key, [
      { createdAt: dayBefore(1), provider, model: CHATS, isByok: true, costUsd: '0.00005' },
    ]);

    const { data } = await get<{ data: ActivityItem[] }>('/activity', organization);
    expect(data).toMatchObject([
      {
        date: dateOf(dayBefore(1)),
        model: CHATS,
        provider_name: NAME,
        requests: 1,
        usage: 0,
        byok_usage_inference: 0.00005,
      },
    ]);
  });
});
