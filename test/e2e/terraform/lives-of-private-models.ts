import { asks, ends, type Life, removes, TEXT, TIME } from './exchange.js';

const ADDRESS = 'https://models.example.com/v1';

const PROVIDER: Life = [
  asks('creates it', 'POST /private-providers', 201, {
    json: {
      name: 'Own Servers',
      display_name: 'Own',
      base_url: ADDRESS,
      datacenters: [],
      data_policy: { training: false, retains_prompts: false, prompt_retention_days: null },
    },
    has: {
      'data.slug': 'own-servers',
      'data.name': 'Own Servers',
      'data.data_policy.training': false,
      'data.data_policy.prompt_retention_days': null,
      'data.datacenters': [],
      'data.headquarters': null,
      'data.privacy_policy_url': null,
      'data.created_at': TIME,
    },
  }),
  asks('creates one of which nothing is said', 'POST /private-providers', 201, {
    json: { name: 'Plain Servers', display_name: 'Plain', base_url: ADDRESS },
    has: { 'data.slug': 'plain-servers', 'data.display_name': 'Plain', 'data.base_url': ADDRESS },
  }),
  asks('changes it', 'PATCH /private-providers/plain-servers', 200, {
    json: {
      display_name: 'Plain Labs',
      base_url: ADDRESS,
      datacenters: ['US'],
      data_policy: { training: false, retains_prompts: true, prompt_retention_days: 30 },
      headquarters: 'US',
      privacy_policy_url: null,
    },
    has: {
      'data.display_name': 'Plain Labs',
      'data.data_policy.prompt_retention_days': 30,
      'data.datacenters': ['US'],
      'data.headquarters': 'US',
      'data.privacy_policy_url': null,
    },
  }),
  asks('asks for a name that is taken', 'POST /private-providers', 409, {
    json: { name: 'Plain Servers', base_url: ADDRESS },
  }),
  ...ends('/private-providers/plain-servers'),
];

const PRICES = { prompt: '0.0000025', completion: '0.00001' };

const MODEL = { model_permaslug: 'openai/gpt-4o', provider_slug: '{provider}' };

const ENDPOINT: Life = [
  asks('makes a provider', 'POST /private-providers', 201, {
    json: { name: 'Servers of Endpoints', base_url: ADDRESS },
    saves: { provider: 'data.slug' },
  }),
  asks('creates it', 'POST /private-endpoints', 201, {
    headers: { 'idempotency-key': 'first-of-a-plan-0123456789' },
    json: {
      ...MODEL,
      upstream_model_id: 'first',
      base_url: ADDRESS,
      declared_region: 'us',
      declared_zdr: true,
      pricing: PRICES,
    },
    has: {
      'data.id': TEXT,
      'data.status': 'draft',
      'data.model_permaslug': 'openai/gpt-4o',
      'data.provider_name': TEXT,
      'data.declared_region': 'us',
      'data.declared_zdr': true,
    },
    saves: { id: 'data.id' },
  }),
  asks('reads it', 'GET /private-endpoints/{id}', 200, {
    has: {
      'data.pricing': PRICES,
      'data.base_url': ADDRESS,
      'data.upstream_model_id': 'first',
      'data.provider_slug': '{provider}',
    },
  }),
  asks('changes its prices', 'PUT /private-endpoints/{id}/pricing', 200, {
    json: { pricing: { ...PRICES, prompt: '0.000003' } },
    has: { 'data.pricing': { ...PRICES, prompt: '0.000003' } },
  }),
  asks('writes an address in another way', 'POST /private-endpoints', 201, {
    json: { ...MODEL, upstream_model_id: 'second', base_url: 'HTTPS://Models.Example.com/v1/chat/completions' },
    saves: { second: 'data.id' },
  }),
  asks('reads the address in normal form', 'GET /private-endpoints/{second}', 200, {
    has: { 'data.base_url': ADDRESS },
  }),
  asks('activates what does not answer', 'POST /private-endpoints', 422, {
    headers: { 'idempotency-key': 'third-of-a-plan-0123456789' },
    json: { ...MODEL, upstream_model_id: 'third', pricing: PRICES, activate: { workspace_id: '{workspace}' } },
    has: { 'data.endpoint.id': TEXT, 'data.validation.passed': false, 'error.metadata.endpoint.status': 'draft' },
    saves: { draft: 'data.endpoint.id' },
  }),
  asks('activates it again', 'POST /private-endpoints', 422, {
    headers: { 'idempotency-key': 'third-of-a-plan-0123456789' },
    json: { ...MODEL, upstream_model_id: 'third', pricing: PRICES, activate: { workspace_id: '{workspace}' } },
    has: { 'data.endpoint.id': '{draft}', 'error.metadata.endpoint.id': '{draft}' },
  }),
  asks('reads the draft that was left', 'GET /private-endpoints/{draft}', 200, { has: { 'data.status': 'draft' } }),
  removes('/private-endpoints/{draft}?draft_only=true'),
  removes('/private-endpoints/{second}'),
  ...ends('/private-endpoints/{id}'),
  removes('/private-providers/{provider}'),
];

/** Providers and endpoints of the organization's own. */
export const LIVES_OF_PRIVATE_MODELS = { private_provider: PROVIDER, private_endpoint: ENDPOINT };
