import { OpenRouter } from '@openrouter/sdk';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import {
  imageEndpoint,
  imageModelEntry,
  importCatalog,
  modelEntry,
} from '../../../support/resources/catalog-entries.js';
import { embeddings } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint } from '../test-gateway.js';

const PERCENTILES = { p50: 1, p75: 2, p90: 3, p99: 4 };

const WORKLOADS = {
  text_generation: { latency: PERCENTILES, throughput: null, request_count: 1_200 },
  decisions: { latency: null, throughput: null, request_count: null },
};

const DECIDES = {
  architecture: { modality: 'text->decisions', input_modalities: ['text'], output_modalities: ['decisions'] },
};

const WATCHES = {
  architecture: { modality: 'text+video->text', input_modalities: ['text', 'video'], output_modalities: ['text'] },
};

const PRICING = {
  prompt: '0.000001',
  completion: '0.000002',
  overrides: [{ utc_days: ['saturday', 'sunday'], prompt: '0.0000005' }],
};

/** Two ways to think less from here on. */
const UPDATE = { reasoning: { effort: 'low' } };
const CONFIGURED_MESSAGE = { role: 'system', content: 'Be brief.', configuration_update: UPDATE };
const CONFIGURED_ITEM = { type: 'configuration_update', ...UPDATE };

/*
 * What the newest public interface has beyond the contract that the other tests compare with, as its SDK 1.3.19 reads it; the SDK's
 * calls of every operation are in router-sdk.e2e-spec.ts.
 */
describe('the newest public interface', () => {
  const gateway = sharedGateway({
    variables: { API_DIALECT: 'public' },
    models: { 'acme/measured': [endpoint('alpha', { perf_last_30m_by_workload: WORKLOADS, pricing: PRICING })] },
  });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeAll(() =>
    importCatalog(gateway.app, {
      models: [modelEntry('acme/judge', DECIDES), modelEntry('acme/measured', WATCHES)],
      image_models: [
        imageModelEntry('acme/painter', [], {
          endpoints: [
            {
              ...imageEndpoint('alpha', {}),
              pricing: [{ billable: 'output_image', unit: 'request', cost_usd: 0.04 }],
            },
          ],
        }),
      ],
    }),
  );

  const sdk = (): OpenRouter =>
    new OpenRouter({
      apiKey: key.plaintext,
      serverURL: `${gateway.app.origin}/api/v1`,
      retryConfig: { strategy: 'none' },
    });

  const post = (path: string, json: object) => gateway.app.api.post<object>(path, { key: key.plaintext, json });

  const asked = { model: 'acme/writer', provider: { only: ['alpha'] } };

  it('has measurements of endpoints by the kind of work, and price rules by days', async () => {
    const { data } = await sdk().endpoints.list({ author: 'acme', slug: 'measured' });

    expect(data.endpoints).toMatchObject([
      {
        perfLast30mByWorkload: {
          textGeneration: { latency: PERCENTILES, throughput: null, requestCount: 1_200 },
          decisions: { latency: null, throughput: null, requestCount: null },
        },
        pricing: { overrides: [{ utcDays: ['saturday', 'sunday'] }] },
      },
    ]);
    const { data: others } = await sdk().endpoints.list({ author: 'acme', slug: 'spare' });
    expect(others.endpoints[0]).not.toHaveProperty('perfLast30mByWorkload');
  });

  it.each(['/models', '/models/user'])('has models that decide, with 200 at %s', async (path) => {
    const answer = await gateway.app.api.get<{ data: { id: string }[] }>(`${path}?output_modalities=decisions`, {
      key: key.plaintext,
    });

    expect(answer.status).toBe(200);
    expect(answer.body.data.map(({ id }) => id)).toEqual(['acme/judge']);
  });

  it('has prices of images by the request', async () => {
    const { endpoints } = await sdk().images.listModelEndpoints({ author: 'acme', slug: 'painter' });

    expect(endpoints).toMatchObject([{ pricing: [{ billable: 'output_image', unit: 'request', costUsd: 0.04 }] }]);
  });

  it('says in the metadata of routing how long the provider took, with 200, and nothing where none was asked, with 404', async () => {
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    const chatRequest = { ...asked, messages };
    const answer = await sdk().chat.send({ xOpenRouterMetadata: 'enabled', chatRequest });
    const json = { messages, model: 'acme/unconnected' };
    const refused = await gateway.app.api.post<Record<string, object>>('/chat/completions', {
      key: key.plaintext,
      json,
      headers: { 'x-openrouter-metadata': 'enabled' },
    });

    const { openrouterMetadata: said } = answer as { openrouterMetadata?: { generationTime?: number } };
    expect(said!.generationTime).toBeGreaterThanOrEqual(0);
    expect(Number.isInteger(said!.generationTime)).toBe(true);
    expect(refused.status).toBe(404);
    expect(refused.body['openrouter_metadata']).not.toHaveProperty('generation_time');
  });

  it('tells clients in the metadata of routing, and in the record, what the provider did not get', async () => {
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    const chatRequest = { ...asked, messages, topK: 5 };
    const { id } = (await sdk().chat.send({ xOpenRouterMetadata: 'enabled', chatRequest })) as { id: string };
    const { body } = await gateway.app.api.get<{ data: { adjustments: object[] } }>(`/generation?id=${id}`, {
      key: key.plaintext,
    });

    expect(body.data.adjustments).toMatchObject([{ path: 'top_k', action: 'left_out' }]);
    expect((await sdk().generations.getGeneration({ id })).data).toMatchObject({ id, apiType: 'completions' });
  });

  it('has a session and a trace of embeddings, and their record, with 200', async () => {
    gateway.alpha.answerJson(embeddings([[0.5]]));
    const json = { ...asked, model: 'acme/embedder', input: 'Hi', session_id: 'session-1', trace: { trace_id: 't' } };
    const answer = await post('/embeddings', json);
    const id = answer.headers.get('x-generation-id')!;

    expect(answer.status).toBe(200);
    expect((await sdk().generations.getGeneration({ id })).data).toMatchObject({
      apiType: 'embeddings',
      sessionId: 'session-1',
    });
  });

  it.each([
    [
      '/chat/completions',
      'a video with its processing',
      {
        model: 'acme/measured',
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Hi' },
              { type: 'video_url', video_url: { url: 'https://a.example/v.mp4', processing: 'static' } },
            ],
          },
        ],
      },
    ],
    [
      '/chat/completions',
      'a changed configuration',
      { messages: [CONFIGURED_MESSAGE, { role: 'user', content: 'Hi' }] },
    ],
    [
      '/responses',
      'an item that changes the configuration',
      { input: [CONFIGURED_ITEM, { role: 'user', content: 'Hi' }] },
    ],
    [
      '/responses',
      'asynchronous functions',
      {
        input: [
          { role: 'user', content: 'Hi' },
          { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}', async: true },
          { type: 'function_call_output', call_id: 'c1', output: 'Here.' },
        ],
        tools: [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} }, async: true }],
      },
    ],
    [
      '/messages',
      'messages that are cleared, settings of thoughts and safeguards',
      {
        max_tokens: 2_000,
        messages: [{ role: 'user', content: 'Hi', clear_at: 'next_user_message', output_config: { effort: 'low' } }],
        thinking: { type: 'enabled', budget_tokens: 1_024, display: 'updates', block_binding: 'none' },
        safeguards: [{ type: 'cyber' }],
      },
    ],
  ])('takes with 200 at %s %s', async (path, _, fields) => {
    const { status, text } = await post(path, { ...asked, ...fields });

    expect({ status, text }).toEqual({ status: 200, text });
  });
});
