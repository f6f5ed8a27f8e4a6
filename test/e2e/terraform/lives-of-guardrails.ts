import { asks, ends, type Life, LIST, NUMBER, removes, TEXT } from './exchange.js';

const PROVIDERS = ['openai', 'anthropic', 'deepseek'];

const FILTERS = [
  { pattern: '\\b(tk-[a-zA-Z0-9]{32})\\b', action: 'block', label: '[TOKEN]' },
  { pattern: 'secret', action: 'redact' },
];

const SETTINGS = {
  name: 'of a plan',
  limit_usd: 1,
  reset_interval: 'monthly',
  allowed_providers: PROVIDERS,
  ignored_providers: ['azure'],
  content_filters: FILTERS,
  enforce_zdr_openai: true,
  enable_paid_model_training: true,
};

const GUARDRAIL: Life = [
  asks('creates it', 'POST /guardrails', 201, {
    json: {
      ...SETTINGS,
      description: 'first',
      content_filter_builtins: [
        { slug: 'phone', action: 'redact' },
        { slug: 'email', action: 'block' },
        { slug: 'regex-prompt-injection', action: 'flag', scan_scope: 'user_only' },
      ],
    },
    has: {
      'data.limit_usd': 1,
      'data.reset_interval': 'monthly',
      'data.allowed_providers': PROVIDERS,
      'data.ignored_providers': ['azure'],
      'data.content_filter_builtins.0.slug': 'phone',
      'data.content_filter_builtins.1.label': TEXT,
      'data.content_filter_builtins.2.scan_scope': 'user_only',
      'data.content_filters.0.pattern': FILTERS[0]!.pattern,
      'data.content_filters.1.action': 'redact',
      'data.enforce_zdr_openai': true,
      'data.workspace_id': '{defaultWorkspace}',
      'data.include_byok_in_budgets': false,
    },
    saves: { id: 'data.id' },
  }),
  asks('reads it', 'GET /guardrails/{id}', 200, {
    has: {
      'data.allowed_providers': PROVIDERS,
      'data.content_filters.0.label': '[TOKEN]',
      'data.enforce_zdr_openai': true,
    },
  }),
  asks('changes it, and sends back what was answered', 'PATCH /guardrails/{id}', 200, {
    json: {
      ...SETTINGS,
      description: 'second',
      include_byok_in_budgets: false,
      content_filter_builtins: [
        { slug: 'phone', action: 'redact', label: '[PHONE]' },
        { slug: 'email', action: 'block', label: '[EMAIL]' },
      ],
    },
    has: {
      'data.description': 'second',
      'data.content_filter_builtins.0.slug': 'phone',
      'data.content_filter_builtins.length': 2,
    },
  }),
  asks('enforces zero data retention', 'PATCH /guardrails/{id}', 200, {
    json: { enforce_zdr: true },
    has: { 'data.enforce_zdr': true },
  }),
  asks('names models by their ids', 'PATCH /guardrails/{id}', 200, {
    json: { allowed_models: ['openai/o1', 'openai/gpt-4-turbo'] },
    has: { 'data.allowed_models': ['openai/o1-2024-12-17', 'openai/gpt-4-turbo'] },
  }),
  asks('looks names up without a credential', 'GET /models?output_modalities=all&offset=0&limit=500', 200, {
    headers: { authorization: '' },
    has: { data: LIST, total_count: NUMBER },
  }),
  asks('leaves a switch off that is not enforced', 'PATCH /guardrails/{id}', 200, {
    json: { enforce_first_party_harness_models: false },
  }),
  asks('turns on a switch that is not enforced', 'PATCH /guardrails/{id}', 400, {
    json: { enforce_first_party_harness_models: true },
    has: { 'error.message': expect.stringContaining('must be false, because it is not enforced') },
  }),
  asks('asks for half of a budget', 'POST /guardrails', 400, { json: { name: 'half', limit_usd: 5 } }),
  ...ends('/guardrails/{id}'),
  asks('reads an id that is none', 'GET /guardrails/gr_of_nobody', 404),
];

const DEFAULT_GUARDRAIL: Life = [
  asks('makes a workspace', 'POST /workspaces', 201, {
    json: { name: 'Guarded', slug: 'guarded' },
    saves: { ws: 'data.id', id: 'data.default_guardrail_id' },
  }),
  asks('looks it up', 'GET /workspaces/{ws}', 200, { has: { 'data.default_guardrail_id': '{id}' } }),
  asks('configures it', 'PATCH /guardrails/{id}', 200, {
    json: {
      limit_usd: 250,
      reset_interval: 'monthly',
      enforce_zdr_openai: true,
      enforce_zdr_anthropic: true,
      allowed_models: ['openai/gpt-4o'],
    },
    has: {
      'data.id': '{id}',
      'data.limit_usd': 250,
      'data.enforce_zdr_openai': true,
      'data.allowed_models': ['openai/gpt-4o'],
      'data.name': TEXT,
    },
  }),
  asks('reads it', 'GET /guardrails/{id}', 200, {
    has: { 'data.workspace_id': '{ws}', 'data.limit_usd': 250, 'data.enforce_zdr_google': null },
  }),
  removes('/workspaces/{ws}'),
];

const members = { json: { member_user_ids: ['{member}'] } };
const users = { json: { user_ids: ['{member}'] } };

const MEMBER_ASSIGNMENT: Life = [
  asks('makes a guardrail', 'POST /guardrails', 201, {
    json: { name: 'here' },
    has: { 'data.workspace_id': '{defaultWorkspace}' },
    saves: { here: 'data.id' },
  }),
  asks('makes a guardrail of another workspace', 'POST /guardrails', 201, {
    json: { name: 'there', workspace_id: '{workspace}' },
    saves: { there: 'data.id' },
  }),
  asks('assigns one who is no member there', 'POST /guardrails/{there}/assignments/members', 400, {
    ...members,
    has: { 'error.message': expect.stringContaining('is no member of the workspace') },
  }),
  asks('removes what there is not', 'POST /guardrails/{there}/assignments/members/remove', 200, members),
  asks('makes them a member', 'POST /workspaces/{workspace}/members/add', 200, users),
  asks('assigns it', 'POST /guardrails/{here}/assignments/members', 200, { ...members, has: { assigned_count: 1 } }),
  asks('reads it', 'GET /guardrails/{here}/assignments/members?offset=0&limit=100', 200, {
    has: { total_count: 1, 'data.0.user_id': '{member}', 'data.0.guardrail_id': '{here}' },
  }),
  asks('assigns the other to the same member', 'POST /guardrails/{there}/assignments/members', 200, {
    ...members,
    has: { assigned_count: 1 },
  }),
  asks('reads that the first is still there', 'GET /guardrails/{here}/assignments/members?offset=0&limit=100', 200, {
    has: { total_count: 1 },
  }),
  asks('destroys it', 'POST /guardrails/{there}/assignments/members/remove', 200, {
    ...members,
    has: { unassigned_count: 1 },
  }),
  removes('/guardrails/{here}'),
  removes('/guardrails/{there}'),
  asks('takes them out again', 'POST /workspaces/{workspace}/members/remove', 200, users),
];

/** Guardrails, and those of workspaces and members. */
export const LIVES_OF_GUARDRAILS = {
  guardrail: GUARDRAIL,
  workspace_default_guardrail: DEFAULT_GUARDRAIL,
  guardrail_member_assignment: MEMBER_ASSIGNMENT,
};
