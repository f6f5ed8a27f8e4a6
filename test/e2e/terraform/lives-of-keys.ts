import { asks, BOOLEAN, ends, type Life, NUMBER, removes, TEXT, TIME } from './exchange.js';

const EXPIRES = '2031-05-01T12:00:00Z';

const KEY: Life = [
  asks('creates it', 'POST /keys', 201, {
    json: { name: 'of a plan', limit: 0, include_byok_in_limit: false, expires_at: EXPIRES },
    has: {
      key: TEXT,
      'data.hash': TEXT,
      'data.label': TEXT,
      'data.limit': 0,
      'data.limit_remaining': NUMBER,
      'data.limit_reset': null,
      'data.disabled': false,
      'data.expires_at': new Date(EXPIRES).toISOString(),
      'data.workspace_id': '{defaultWorkspace}',
      'data.external_user': null,
      'data.created_at': TIME,
      'data.usage': NUMBER,
    },
    saves: { hash: 'data.hash' },
  }),
  asks('sets at once what creation does not', 'PATCH /keys/{hash}', 200, {
    json: { name: 'of a plan', limit: 0, disabled: true, include_byok_in_limit: false },
    has: { 'data.disabled': true, 'data.limit': 0, 'data.name': 'of a plan' },
  }),
  asks('reads it', 'GET /keys/{hash}', 200, {
    has: {
      'data.disabled': true,
      'data.limit': 0,
      'data.limit_reset': null,
      'data.include_byok_in_limit': false,
      'data.expires_at': new Date(EXPIRES).toISOString(),
    },
  }),
  asks('changes it', 'PATCH /keys/{hash}', 200, {
    json: {
      name: 'of a plan',
      limit: 12.345678,
      limit_reset: 'monthly',
      disabled: false,
      include_byok_in_limit: true,
    },
    has: { 'data.limit': 12.345678, 'data.limit_reset': 'monthly', 'data.include_byok_in_limit': true },
  }),
  ...ends('/keys/{hash}'),
  asks('destroys what is gone', 'DELETE /keys/{hash}', 404),
  asks('asks for an expiry that is not in UTC', 'POST /keys', 400, {
    json: { name: 'elsewhere', expires_at: '2031-05-01T12:00:00+02:00' },
    has: { 'error.message': expect.stringContaining('expires_at must be in UTC') },
  }),
];

const KEY_ASSIGNMENT: Life = [
  asks('makes a guardrail', 'POST /guardrails', 201, { json: { name: 'one' }, saves: { one: 'data.id' } }),
  asks('makes another guardrail', 'POST /guardrails', 201, { json: { name: 'other' }, saves: { other: 'data.id' } }),
  asks('makes a key', 'POST /keys', 201, { json: { name: 'assigned' }, saves: { hash: 'data.hash' } }),
  asks('makes a key of another workspace', 'POST /keys', 201, {
    json: { name: 'elsewhere', workspace_id: '{workspace}' },
    saves: { hashElsewhere: 'data.hash' },
  }),
  asks('assigns it', 'POST /guardrails/{one}/assignments/keys', 200, {
    json: { key_hashes: ['{hash}'] },
    has: { assigned_count: 1 },
  }),
  asks('reads it', 'GET /guardrails/{one}/assignments/keys?offset=0&limit=100', 200, {
    has: { total_count: 1, 'data.0.key_hash': '{hash}', 'data.0.guardrail_id': '{one}' },
  }),
  asks('assigns it again', 'POST /guardrails/{one}/assignments/keys', 200, {
    json: { key_hashes: ['{hash}'] },
    has: { assigned_count: 1 },
  }),
  asks('assigns an unknown key', 'POST /guardrails/{one}/assignments/keys', 200, {
    json: { key_hashes: ['cd'.repeat(32)] },
    has: { assigned_count: 0 },
  }),
  asks('assigns a key of another workspace', 'POST /guardrails/{one}/assignments/keys', 400, {
    json: { key_hashes: ['{hashElsewhere}'] },
    has: { 'error.message': expect.stringContaining('is a key of another workspace') },
  }),
  asks('moves it', 'POST /guardrails/{other}/assignments/keys', 200, {
    json: { key_hashes: ['{hash}'] },
    has: { assigned_count: 1 },
  }),
  asks('reads that the first has none', 'GET /guardrails/{one}/assignments/keys?offset=0&limit=100', 200, {
    has: { total_count: 0 },
  }),
  ...[1, 0].map((count) =>
    asks('destroys it', 'POST /guardrails/{other}/assignments/keys/remove', 200, {
      json: { key_hashes: ['{hash}'] },
      has: { unassigned_count: count },
    }),
  ),
  removes('/keys/{hash}'),
  removes('/keys/{hashElsewhere}'),
  removes('/guardrails/{other}'),
  removes('/guardrails/{one}'),
  asks('reads what is gone', 'GET /guardrails/{one}/assignments/keys?offset=0&limit=100', 404),
];

const PROVIDER_KEY: Life = [
  asks('creates it', 'POST /byok', 201, {
    json: { key: 'a-key-of-a-provider-42', provider: 'openai', name: 'First' },
    has: {
      'data.id': TEXT,
      'data.label': TEXT,
      'data.provider': 'openai',
      'data.disabled': false,
      'data.is_fallback': false,
      'data.is_required': BOOLEAN,
      'data.is_byok_only': BOOLEAN,
      'data.declared_zdr': null,
      'data.allowed_models': null,
      'data.sort_order': NUMBER,
      'data.created_at': TIME,
    },
    saves: { id: 'data.id' },
  }),
  asks('changes it', 'PATCH /byok/{id}', 200, {
    json: {
      key: 'a-key-of-a-provider-42',
      name: 'Second',
      disabled: true,
      is_fallback: false,
      is_required: true,
      is_byok_only: false,
      declared_zdr: true,
      allowed_models: ['openai/gpt-4o'],
      allowed_user_ids: ['{member}'],
      allowed_api_key_hashes: ['{keyHash}'],
    },
    has: {
      'data.name': 'Second',
      'data.disabled': true,
      'data.is_required': true,
      'data.declared_zdr': true,
      'data.allowed_models': ['openai/gpt-4o'],
      'data.allowed_user_ids': ['{member}'],
      'data.allowed_api_key_hashes': ['{keyHash}'],
    },
  }),
  asks('reads it', 'GET /byok/{id}', 200, { has: { 'data.name': 'Second', 'data.provider': 'openai' } }),
  asks('declares a region', 'PATCH /byok/{id}', 200, {
    json: { declared_region: 'global' },
    has: { 'data.declared_region': 'global' },
  }),
  ...ends('/byok/{id}'),
];

/** Keys, their guardrails, and keys for providers. */
export const LIVES_OF_KEYS = {
  api_key: KEY,
  guardrail_key_assignment: KEY_ASSIGNMENT,
  byok_key: PROVIDER_KEY,
};
