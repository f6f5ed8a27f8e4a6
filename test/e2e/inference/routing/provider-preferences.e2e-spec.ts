import { EXCLUSIONS } from '../../../../src/modules/routing/endpoint-exclusion.js';
import type { ErrorBody } from '../../../support/network/api-client.js';
import { endpoint } from '../test-gateway.js';
import { filledBefore } from '../../../support/application/filled-before.js';
import { sharedOrganization } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

/** All percentiles of a measurement. */
const measured = (value: number): object => ({ p50: value, p75: value, p90: value, p99: value });

const MODELS = {
  // Alpha is the cheapest, turbo has the highest throughput, and Beta the shortest latency.
  'acme/racer': [
    endpoint('alpha', {
      zdr: true,
      training: false,
      publication: false,
      latency_last_30m: measured(900),
      throughput_last_30m: measured(20),
    }),
    endpoint('beta', {
      pricing: { prompt: '0.000003', completion: '0.000004' },
      quantization: 'bf16',
      latency_last_30m: measured(100),
      throughput_last_30m: measured(50),
    }),
    endpoint('alpha/turbo', {
      pricing: { prompt: '0.000002', completion: '0.000003' },
      quantization: 'fp16',
      supported_parameters: ['max_tokens', 'seed'],
      latency_last_30m: measured(500),
      throughput_last_30m: measured(90),
    }),
  ],
  // The dearer an endpoint is, the more it can.
  'acme/able': [
    endpoint('alpha', { supported_parameters: ['max_tokens', 'tools'] }),
    endpoint('alpha/turbo', {
      pricing: { prompt: '0.000002', completion: '0.000003' },
      supported_parameters: ['max_tokens', 'tools', 'response_format'],
    }),
    endpoint('beta', {
      pricing: { prompt: '0.000003', completion: '0.000004' },
      supported_parameters: ['tools', 'tool_choice', 'response_format', 'structured_outputs', 'verbosity'],
    }),
  ],
  'acme/plain': [endpoint('alpha', { context_length: 100, supported_parameters: ['max_tokens'] })],
  'acme/learner': [endpoint('alpha', { zdr: true })],
  'acme/keeper': [endpoint('alpha', { training: false, publication: false })],
  'acme/gift': [endpoint('alpha', { pricing: { prompt: '0', completion: '0' } })],
};

const TOOL = { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } };

const ABLE = { model: 'acme/able', tools: [TOOL] };

const SCHEMA = { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' } } };

/** What the provider object makes of the endpoints of acme/racer, or of another model. */
const ORDERS: [provider: object, tags: readonly string[], fields?: object][] = [
  [{ sort: 'price' }, ['alpha', 'alpha/turbo', 'beta']],
  [{ sort: 'throughput' }, ['alpha/turbo', 'beta', 'alpha']],
  [{ sort: 'latency' }, ['beta', 'alpha/turbo', 'alpha']],
  [{ sort: { by: 'latency', partition: 'model' } }, ['beta', 'alpha/turbo', 'alpha']],
  [{}, ['alpha/turbo', 'beta', 'alpha'], { model: 'acme/racer:nitro' }],
  [{}, ['alpha', 'alpha/turbo', 'beta'], { model: 'acme/racer:floor' }],
  [{ sort: 'latency' }, ['beta', 'alpha/turbo', 'alpha'], { model: 'acme/racer:floor' }],
  [{}, ['alpha', 'beta', 'alpha/turbo'], { model: 'acme/racer:exacto' }],
  [{ sort: 'exacto' }, ['alpha', 'beta', 'alpha/turbo']],
  [{ order: ['beta', 'alpha/turbo'] }, ['beta', 'alpha/turbo', 'alpha']],
  [{ order: ['beta'], sort: 'throughput' }, ['beta', 'alpha/turbo', 'alpha']],
  [{ order: ['beta'], allow_fallbacks: false }, ['beta']],
  [{ sort: 'throughput', allow_fallbacks: false }, ['alpha/turbo']],
  [{ only: ['ALPHA'], sort: 'price' }, ['alpha', 'alpha/turbo']],
  [{ only: ['alpha/turbo'] }, ['alpha/turbo']],
  [{ only: ['Alpha Cloud'], sort: 'price' }, ['alpha', 'alpha/turbo']],
  [{ order: ['beta cloud'], sort: 'price' }, ['beta', 'alpha', 'alpha/turbo']],
  [{ ignore: ['ALPHA Cloud'] }, ['beta']],
  [{ ignore: ['alpha'] }, ['beta']],
  [{ ignore: ['alpha/turbo'], sort: 'price' }, ['alpha', 'beta']],
  [{ max_price: { prompt: 2 }, sort: 'price' }, ['alpha', 'alpha/turbo']],
  [{ max_price: { prompt: '2', completion: '2' } }, ['alpha']],
  [{ quantizations: ['bf16', 'fp16'], sort: 'price' }, ['alpha/turbo', 'beta']],
  [{ zdr: true }, ['alpha']],
  [{ data_collection: 'deny' }, ['alpha']],
  [{ require_parameters: true }, ['alpha/turbo'], { seed: 7 }],
  [{ sort: 'price', preferred_min_throughput: 60 }, ['alpha/turbo', 'alpha', 'beta']],
  [{ sort: 'price', preferred_max_latency: { p90: 0.2 } }, ['beta', 'alpha', 'alpha/turbo']],
  [
    { sort: { by: 'price', partition: 'none' } },
    ['alpha', 'alpha/turbo', 'acme/spare-20260102 beta', 'beta'],
    { models: ['acme/spare'] },
  ],
  [{ sort: 'price' }, ['alpha', 'alpha/turbo', 'beta'], { ...ABLE, response_format: { type: 'text' } }],
  [{ sort: 'price' }, ['alpha/turbo', 'beta', 'alpha'], { ...ABLE, response_format: { type: 'json_object' } }],
  [{ sort: 'price' }, ['beta', 'alpha/turbo', 'alpha'], { ...ABLE, response_format: SCHEMA }],
  [{}, ['beta', 'alpha/turbo', 'alpha'], { ...ABLE, response_format: SCHEMA }],
  [{ order: ['alpha'] }, ['alpha/turbo', 'alpha', 'beta'], { ...ABLE, response_format: SCHEMA }],
  [{ sort: 'price' }, ['beta', 'alpha', 'alpha/turbo'], { ...ABLE, verbosity: 'low' }],
  [{ sort: 'price' }, ['beta', 'alpha', 'alpha/turbo'], { ...ABLE, tool_choice: 'required' }],
  [{ sort: 'price' }, ['alpha', 'alpha/turbo', 'beta'], { ...ABLE, tool_choice: 'auto' }],
];

const IMAGE = [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }];

/** A request whose endpoints are all excluded for one reason, and under which guardrail. */
const EXCLUDED: [status: number, reason: string, words: string, fields: object, guardrail?: object][] = [
  [404, 'not_connected', 'the provider is not connected', { model: 'acme/unconnected' }],
  [404, 'allowed_models', 'the model is not allowed by a guardrail', {}, { ignored_models: ['acme/plain'] }],
  [
    404,
    'allowed_providers',
    'the provider is not allowed by a guardrail or the request',
    {},
    { ignored_providers: ['alpha'] },
  ],
  [404, 'allowed_providers', 'the provider is not allowed', { provider: { only: ['beta'] } }],
  [404, 'data_policy:zdr', 'zero data retention is required', {}, { enforce_zdr_other: true }],
  [404, 'data_policy:zdr', 'zero data retention is required', { provider: { zdr: true } }],
  [
    404,
    'data_policy:publication',
    'prompts may be published',
    { model: 'acme/gift' },
    { enable_free_model_publication: false },
  ],
  [404, 'data_policy:training', 'requests may be trained on', {}, { enable_paid_model_training: false }],
  [
    404,
    'data_policy:training',
    'requests may be trained on',
    { model: 'acme/learner', provider: { data_collection: 'deny' } },
  ],
  [
    404,
    'data_policy:zdr',
    'zero data retention is required',
    { model: 'acme/keeper', provider: { data_collection: 'deny' } },
  ],
  [404, 'distillable', 'the model may not be distilled', { provider: { enforce_distillable_text: true } }],
  [404, 'quantization', 'the quantization is not allowed', { provider: { quantizations: ['int4'] } }],
  [404, 'max_price', 'the price is too high', { provider: { max_price: { completion: 1.5 } } }],
  [400, 'context_length', 'the prompt is too long', { messages: [{ role: 'user', content: 'x'.repeat(808) }] }],
  [404, 'max_tokens', 'max_tokens is more than the endpoint supports', { max_tokens: 5_000 }],
  [404, 'tools', 'tools are not supported', { tools: [TOOL] }],
  [404, 'modalities', 'the modalities are not supported', { messages: [{ role: 'user', content: IMAGE }] }],
  [
    404,
    'require_parameters',
    'a parameter is not supported',
    { temperature: 1, provider: { require_parameters: true } },
  ],
];

/** What the request itself asks of endpoints. */
const CONSTRAINTS: ReadonlySet<string> = new Set([
  'quantization',
  'max_price',
  'context_length',
  'max_tokens',
  'require_parameters',
]);

describe('sendChatCompletionRequest with provider preferences', () => {
  const gateway = sharedGateway({ models: MODELS });
  const organization = sharedOrganization(gateway);
  const key = filledBefore(beforeAll, () => gateway.app.factory.key(organization));

  it.each(ORDERS)('answers 503 after asking, for %j, only %j in this order', async (provider, tags, fields = {}) => {
    for (const server of [gateway.alpha, gateway.beta]) server.answerJson({}, 500);
    const answer = await gateway.ask(key, { model: 'acme/racer', ...fields, provider });
    const { provider_responses: asked } = await gateway.record(answer, key);

    expect(answer.status).toBe(503);
    expect(
      (asked as { model_permaslug: string; endpoint_id: string }[]).map((attempt) =>
        `${attempt.model_permaslug} ${attempt.endpoint_id}`.replace(/^acme\/(racer|able)-20260102 /, ''),
      ),
    ).toEqual(tags);
    expect(gateway.alpha.received.length + gateway.beta.received.length).toBe(tags.length);
  });

  it.each(EXCLUDED)('answers %i for endpoints excluded by %s: %s (%j, %j)', async (...row) => {
    const [status, reason, words, fields, guardrail] = row;
    const caller = guardrail === undefined ? key : await gateway.guardedKey(organization, guardrail);
    const answer = await gateway.ask<ErrorBody>(caller, { model: 'acme/plain', provider: undefined, ...fields });
    const isPrivacy = reason.startsWith('data_policy');
    const isConstraint = CONSTRAINTS.has(reason);

    expect(answer.status).toBe(status);
    expect(answer.body.error.message).toMatch(/^0 endpoints out of 1 are available for acme\//);
    expect(answer.body.error.message).toContain(`1 endpoint excluded: ${words}`);
    expect(answer.body.error).toMatchObject({
      metadata: { reason: 'no_endpoints' },
      availability: {
        code: isConstraint ? 'constraint_filtered' : isPrivacy ? 'privacy_restricted' : 'no_endpoints',
        retryable: false,
        requested_models: [expect.stringMatching(/^acme\//)],
        docs_url: isPrivacy ? '/docs#/Guardrails/getEffectiveGuardrails' : '/docs#/Endpoints/listEndpoints',
        excluded_by: [reason],
        ...(isConstraint && { constraint: { field: reason, detail: words } }),
      },
    });
    expect([...gateway.alpha.received, ...gateway.beta.received]).toEqual([]);
  });

  it('has a test above for every reason that can exclude an endpoint of chats, but for those of own keys, names, prices, limits of spending and regions', () => {
    const ofOthers = [
      'unsupported_operation',
      'unknown_name',
      'byok_only',
      'unchargeable_price',
      'spending_limit',
      'inference_geo',
    ];
    expect(new Set([...ofOthers, ...EXCLUDED.map(([, reason]) => reason)])).toEqual(new Set(EXCLUSIONS));
  });

  it('answers 404 with every reason for which one endpoint is excluded', async () => {
    const caller = await gateway.guardedKey(organization, {
      ignored_models: ['acme/unconnected'],
      enforce_zdr_other: true,
    });
    const fields = { model: 'acme/unconnected', tools: [TOOL], provider: { max_price: { prompt: 0 } } };
    const answer = await gateway.ask<ErrorBody>(caller, fields);

    expect(answer.status).toBe(404);
    expect(answer.body.error).toMatchObject({
      message: [
        '0 endpoints out of 1 are available for acme/unconnected.',
        '1 endpoint excluded: the provider is not connected',
        '1 endpoint excluded: the model is not allowed by a guardrail',
        '1 endpoint excluded: zero data retention is required',
        '1 endpoint excluded: the price is too high',
      ].join(' '),
      availability: {
        code: 'no_endpoints',
        excluded_by: ['not_connected', 'allowed_models', 'data_policy:zdr', 'max_price'],
      },
    });
  });

  it('answers 404 with the number of endpoints for each reason', async () => {
    const provider = { only: ['alpha'], zdr: true, max_price: { prompt: '0.5' } };
    const answer = await gateway.ask<ErrorBody>(key, { model: 'acme/racer', provider });

    expect(answer.status).toBe(404);
    expect(answer.body.error).toMatchObject({
      availability: { code: 'no_endpoints', excluded_by: ['allowed_providers', 'data_policy:zdr', 'max_price'] },
    });
    for (const count of [
      '3 endpoints excluded: the price',
      '2 endpoints excluded: zero',
      '1 endpoint excluded: the provider',
    ]) {
      expect(answer.body.error.message).toContain(count);
    }
  });
});
