import type {
  ListEndpointsResponse,
  ListEndpointsZdrResponse,
} from '../../../src/modules/catalog/dto/model-endpoint.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { endpointEntry, replaceCatalog, modelEntry } from '../../support/resources/catalog-entries.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TestApplication } from '../../support/application/test-application.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const MODELS = [modelEntry('acme/model'), modelEntry('acme/bare'), modelEntry('acme/free:free')];

/** What is the same of all endpoints. */
const OF_EVERY_ENDPOINT = { native_tools: {}, service_tier: null, supports_diarization: false };

const MEASURED = endpointEntry('deepinfra/fp8', {
  provider_name: 'DeepInfra',
  status: -2,
  max_prompt_tokens: 1000,
  supports_voice_cloning: true,
  supports_tool_choice: { auto: true, function: false, none: true, required: false },
  uptime_last_5m: 99,
  uptime_last_30m: 98.5,
  uptime_last_1d: 100,
  latency_last_30m: { p50: 1, p75: 2, p90: 3, p99: 4 },
  throughput_last_30m: { p50: 10, p75: 20, p90: 30, p99: 40 },
});

describe('the endpoints of models', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  beforeAll(() =>
    replaceCatalog(app, {
      models: MODELS,
      aliases: [{ alias: 'acme/latest', model: 'acme/model' }],
      endpoints: [
        {
          id: 'acme/model',
          endpoints: [{ ...MEASURED, zdr: true }, endpointEntry('groq', { provider_name: 'Groq', quantization: null })],
        },
        { id: 'acme/free:free', endpoints: [endpointEntry('groq', { provider_name: 'Groq', zdr: true })] },
      ],
    }),
  );

  const get = <Body>(path: string): Promise<Answer<Body>> => app.api.get(path, { key: organization.managementKey });

  const endpoints = async (name: string): Promise<ListEndpointsResponse['data']> => {
    const answer = await get<ListEndpointsResponse>(`/models/${name}/endpoints`);
    expect(answer.status).toBe(200);
    expectToFitContract('listEndpoints', 200, answer.body);
    return answer.body.data;
  };

  const zdr = async (): Promise<ListEndpointsZdrResponse['data']> => {
    const answer = await get<ListEndpointsZdrResponse>('/endpoints/zdr');
    expect(answer.status).toBe(200);
    expectToFitContract('listEndpointsZdr', 200, answer.body);
    return answer.body.data;
  };

  describe('listEndpoints', () => {
    it('answers 200 with a model and each of its endpoints, in the order of the import', async () => {
      expect(await endpoints('acme/model')).toEqual({
        id: 'acme/model',
        name: 'The model acme/model',
        created: 1767312000,
        description: 'What acme/model is.',
        architecture: {
          modality: 'text->text',
          input_modalities: ['text'],
          output_modalities: ['text'],
          tokenizer: 'Other',
          instruct_type: null,
        },
        endpoints: [
          { ...MEASURED, ...OF_EVERY_ENDPOINT, model_id: 'acme/model', model_name: 'The model acme/model' },
          {
            ...endpointEntry('groq', { provider_name: 'Groq', quantization: null }),
            model_id: 'acme/model',
            model_name: 'The model acme/model',
            ...OF_EVERY_ENDPOINT,
            supports_voice_cloning: false,
            supports_tool_choice: { auto: false, function: false, none: false, required: false },
            uptime_last_5m: null,
            uptime_last_30m: null,
            uptime_last_1d: null,
            latency_last_30m: null,
            throughput_last_30m: null,
          },
        ],
      });
    });

    it('answers 200 with all values of tool_choice for an endpoint that supports the parameter, unless the import lists them', async () => {
      const all = { auto: true, function: true, none: true, required: true };
      const said = { auto: true, function: false, none: false, required: false };
      const groq = { provider_name: 'Groq' };
      const parameters = { supported_parameters: ['tool_choice', 'tools'] };
      const entries = [
        endpointEntry('groq', { ...groq, ...parameters }),
        endpointEntry('groq/fast', { ...groq, ...parameters, supports_tool_choice: { ...said, surprise: 1 } }),
        endpointEntry('groq/slow', { ...groq, supported_parameters: ['tools'] }),
      ];
      await replaceCatalog(app, { endpoints: [{ id: 'acme/bare', endpoints: entries }] });

      const shown = (await endpoints('acme/bare')).endpoints.map(({ supports_tool_choice: support }) => support);

      expect(shown).toEqual([all, said, { auto: false, function: false, none: false, required: false }]);
      await replaceCatalog(app, { endpoints: [{ id: 'acme/bare', endpoints: [] }] });
    });

    it('answers 200 with an empty list when the catalog has no endpoints of the model', async () => {
      expect((await endpoints('acme/bare')).endpoints).toEqual([]);
    });

    it.each([
      ['ACME/Model', 'acme/model'],
      ['acme/latest', 'acme/model'],
      ['acme/model-20260102', 'acme/model'],
      ['acme/model:nitro', 'acme/model'],
      ['acme/free:free', 'acme/free:free'],
    ])('answers 200 for %s like getModel', async (name, id) => {
      expect((await endpoints(name)).id).toBe(id);
    });

    it.each(['acme/none', 'acme/model:surprise', 'nobody/model'])('answers 404 for %s', async (name) => {
      const answer = await get(`/models/${name}/endpoints`);
      expectRefusal(answer, { status: 404, reason: 'model_not_found', userId: organization.userId });
      expectToFitContract('listEndpoints', 404, answer.body);
    });

    it('answers 404 for a retired model, and lists none of its endpoints', async () => {
      await replaceCatalog(app, { models: MODELS.filter(({ id }) => id !== 'acme/free:free') });
      expect((await get('/models/acme/free:free/endpoints')).status).toBe(404);
      expect((await zdr()).map(({ model_id: id }) => id)).toEqual(['acme/model']);

      await replaceCatalog(app, { models: MODELS });
      expect((await endpoints('acme/free:free')).endpoints).toHaveLength(1);
    });

    it('answers 400 for a query', async () => {
      const answer = await get('/models/acme/model/endpoints?limit=1');
      expectRefusal(answer, {
        status: 400,
        reason: 'invalid_parameters',
        paths: ['limit'],
        userId: organization.userId,
      });
    });
  });

  describe('listEndpointsZdr', () => {
    it('answers 200 with the endpoints that retain nothing, in the form of listEndpoints', async () => {
      const expected = [
        ...(await endpoints('acme/free:free')).endpoints,
        ...(await endpoints('acme/model')).endpoints.filter(({ tag }) => tag === 'deepinfra/fp8'),
      ];

      expect(await zdr()).toEqual(expected);
    });

    it('answers 200 with some endpoints of the starter catalog', async () => {
      const other = await TestApplication.start();
      await other.factory.starterCatalog();
      const { managementKey: key } = await other.factory.organization();

      const { status, body } = await other.api.get<ListEndpointsZdrResponse>('/endpoints/zdr', { key });

      await other.stop();
      expect(status).toBe(200);
      expectToFitContract('listEndpointsZdr', 200, body);
      expect(body.data.length).toBeGreaterThan(20);
      expect(body.data.map(({ provider_name: name }) => name)).not.toContain('DeepSeek');
    });

    it('answers 400 for a query', async () => {
      const answer = await get('/endpoints/zdr?limit=1');
      expectRefusal(answer, {
        status: 400,
        reason: 'invalid_parameters',
        paths: ['limit'],
        userId: organization.userId,
      });
    });
  });
});
