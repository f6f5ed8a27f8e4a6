import { importCatalog, modelEntry } from '../../../support/resources/catalog-entries.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { completion, embeddings } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint } from '../test-gateway.js';

const PRICING = { prompt: '0.000001', completion: '0.000002' };

const DEARER_ABOVE_1000 = { min_prompt_tokens: 1_000, prompt: '0.00001', completion: '0.00002' };

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const TODAY = DAYS[new Date().getUTCDay()]!;
const TOMORROW = DAYS[(new Date().getUTCDay() + 1) % 7]!;
const IN_TWO_DAYS = DAYS[(new Date().getUTCDay() + 2) % 7]!;

const priced = (fields: object): readonly object[] => [endpoint('alpha', { pricing: { ...PRICING, ...fields } })];

const MODELS = {
  'acme/tiered': priced({ overrides: [DEARER_ABOVE_1000] }),
  'acme/discounted': priced({ discount: 0.5 }),
  'acme/discounted-tier': priced({ discount: 0.25, request: '0.001', overrides: [DEARER_ABOVE_1000] }),
  // A day that begins while the tests run is one of these, too.
  'acme/today': priced({ overrides: [{ utc_days: [TODAY, TOMORROW], prompt: '0.00001' }] }),
  'acme/another-day': priced({ overrides: [{ utc_days: [IN_TWO_DAYS], prompt: '0.00001' }] }),
  'acme/varying': [endpoint('alpha', { pricing: { prompt: '-1', completion: '-1' } })],
  'acme/infinite': [endpoint('alpha', { pricing: { ...PRICING, prompt: '1e400' } })],
  'acme/unparsable': [endpoint('alpha', { pricing: { ...PRICING, overrides: [{ prompt: 'cheap' }] } })],
  'acme/half-unparsable': [endpoint('alpha', { pricing: { ...PRICING, request: 'none' } }), endpoint('beta')],
} as const;

const UNCHARGEABLE = [['acme/varying'], ['acme/infinite'], ['acme/unparsable']] as const;

describe('A price rule that the catalog lists', () => {
  const gateway = sharedGateway({ models: MODELS });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  const alphaCounts = (prompt: number, answer: number): void => {
    const usage = { prompt_tokens: prompt, completion_tokens: answer, total_tokens: prompt + answer };
    gateway.alpha.answerJson(completion('Hello', { usage }));
  };

  it.each([
    ['acme/tiered', [1_000, 10], 0.00102],
    ['acme/tiered', [5_000, 10], 0.0502],
    ['acme/discounted', [1_000, 100], 0.0006],
    ['acme/discounted-tier', [1_000, 100], 0.00165],
    ['acme/discounted-tier', [2_000, 100], 0.01725],
    ['acme/today', [1_000, 10], 0.01002],
    ['acme/another-day', [1_000, 10], 0.00102],
  ] as const)(
    'is charged: %s with the tokens %j answers with 200 and costs %d',
    async (model, [prompt, answer], cost) => {
      alphaCounts(prompt, answer);
      const response = await gateway.ask(key, { model, provider: undefined });

      expect(response).toMatchObject({ status: 200, body: { usage: { cost } } });
      expect(await gateway.record(response, key)).toMatchObject({ total_cost: cost });
    },
  );

  it.each([
    // 6,000 bytes are 3,000 tokens at most, and 12 for their form.
    ['refuses', 402, 'acme/tiered', 'x'.repeat(6_000), 0.0303],
    ['admits', 200, 'acme/tiered', 'x'.repeat(6_000), 0.0304],
    ['admits a shorter prompt', 200, 'acme/tiered', 'x'.repeat(1_900), 0.001],
    ['refuses half of its worst case', 402, 'acme/discounted', 'x'.repeat(6_000), 0.0015],
    ['admits half of its worst case', 200, 'acme/discounted', 'x'.repeat(6_000), 0.00152],
  ])('is reserved: a limit %s: %i', async (_, status, model, content, limit) => {
    alphaCounts(10, 1);
    const limited = await gateway.app.api.patch(`/keys/${key.hash}`, {
      key: organization.managementKey,
      json: { limit },
    });
    expect(limited.status).toBe(200);

    const asked = { model, messages: [{ role: 'user', content }], max_tokens: 10, provider: undefined };
    expect((await gateway.ask(key, asked)).status).toBe(status);
  });

  it.each(UNCHARGEABLE)('and cannot be charged keeps %s from being routed to: 404 that says so', async (model) => {
    const answer = await gateway.ask(key, { model, provider: undefined });

    expect(answer).toMatchObject({
      status: 404,
      body: {
        error: {
          message: `0 endpoints out of 1 are available for ${model}. 1 endpoint excluded: its price cannot be charged`,
          metadata: { reason: 'no_endpoints' },
          availability: { excluded_by: ['unchargeable_price'] },
        },
      },
    });
    expect(gateway.alpha.received).toEqual([]);
  });

  it.each(UNCHARGEABLE)('and cannot be charged is listed for %s as it was given: 200', async (model) => {
    const listed = await gateway.app.api.get(`/models/${model}/endpoints`, { key: organization.managementKey });

    expect(listed).toMatchObject({ status: 200, body: { data: { endpoints: [{ pricing: pricingOf(model) }] } } });
  });

  it('and cannot be charged leaves the other endpoints of its model: 200', async () => {
    expect(await gateway.ask(key, { model: 'acme/half-unparsable', provider: undefined })).toMatchObject({
      status: 200,
      body: { provider: 'Beta Cloud' },
    });
  });

  it('and cannot be charged is named by the import that brings it, and keeps its model from being routed to: 404', async () => {
    const report = await importCatalog(gateway.app, {
      models: [
        ...['acme/writer', 'acme/spare', ...Object.keys(MODELS)].map((id) => modelEntry(id)),
        modelEntry('acme/router', { pricing: { prompt: '-1', completion: '-1' } }),
      ],
      endpoints: [
        { id: 'acme/router', endpoints: [endpoint('alpha')] },
        { id: 'acme/varying', endpoints: MODELS['acme/varying'] },
      ],
    });

    expect(report.unchargeable).toEqual([
      { entry: 'acme/router', price: 'prompt is "-1"' },
      { entry: 'acme/varying alpha', price: 'prompt is "-1"' },
    ]);
    expect((await gateway.ask(key, { model: 'acme/router', provider: undefined })).status).toBe(404);
  });

  it('is charged for embeddings: 200', async () => {
    const embedder = { output_modalities: ['embeddings'], input_modalities: ['text'], modality: 'text->embeddings' };
    await importCatalog(gateway.app, {
      models: ['acme/writer', 'acme/spare', 'acme/vectors', ...Object.keys(MODELS)].map((id) =>
        modelEntry(id, id === 'acme/vectors' ? { architecture: embedder } : {}),
      ),
      endpoints: [{ id: 'acme/vectors', endpoints: MODELS['acme/discounted-tier'] }],
    });
    gateway.alpha.answerJson(embeddings([[1, 2]], { usage: { prompt_tokens: 2_000, total_tokens: 2_000 } }));

    expect(await gateway.embed(key, { model: 'acme/vectors', provider: undefined })).toMatchObject({
      status: 200,
      body: { usage: { cost: 0.01575 } },
    });
  });
});

function pricingOf(model: keyof typeof MODELS): object {
  return (MODELS[model][0] as { readonly pricing: object }).pricing;
}
