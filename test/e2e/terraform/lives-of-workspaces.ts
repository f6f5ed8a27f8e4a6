import { asks, BOOLEAN, ends, type Life, NUMBER, removes, TEXT, TIME } from './exchange.js';

const WORKSPACE: Life = [
  asks('creates it', 'POST /workspaces', 201, {
    json: { name: 'Planned', slug: 'planned' },
    has: {
      'data.id': TEXT,
      'data.default_guardrail_id': TEXT,
      'data.slug': 'planned',
      'data.description': null,
      'data.io_logging_api_key_ids': null,
      'data.io_logging_sampling_rate': NUMBER,
      'data.is_data_discount_logging_enabled': BOOLEAN,
      'data.include_byok_in_budgets': BOOLEAN,
      'data.created_at': TIME,
    },
    saves: { id: 'data.id' },
  }),
  asks('reads it by its slug', 'GET /workspaces/planned', 200, { has: { 'data.id': '{id}' } }),
  asks('changes it', 'PATCH /workspaces/{id}', 200, {
    json: {
      name: 'Planned',
      slug: 'planned-anew',
      description: 'x',
      default_text_model: 'openai/gpt-4o',
      default_image_model: 'acme/painter-of-old',
      default_provider_sort: 'price',
      io_logging_api_key_ids: [4],
      io_logging_sampling_rate: 0.5,
      is_data_discount_logging_enabled: true,
      is_observability_broadcast_enabled: true,
      is_observability_io_logging_enabled: true,
    },
    has: {
      'data.slug': 'planned-anew',
      'data.description': 'x',
      'data.io_logging_api_key_ids': [4],
      'data.io_logging_sampling_rate': 0.5,
      'data.default_image_model': 'acme/painter-of-old',
      'data.is_observability_io_logging_enabled': true,
    },
  }),
  asks('asks for a slug that is taken', 'POST /workspaces', 409, { json: { name: 'x', slug: '{slug}' } }),
  ...ends('/workspaces/{id}'),
];

const budget = '/workspaces/budgeted/budgets/monthly';

const BUDGET: Life = [
  asks('makes a workspace', 'POST /workspaces', 201, {
    json: { name: 'Budgeted', slug: 'budgeted' },
    saves: { ws: 'data.id' },
  }),
  asks('reads that there is none', 'GET /workspaces/budgeted/budgets', 200, {
    has: { 'data.length': 0, include_byok_in_budgets: BOOLEAN },
  }),
  asks('reads it before it is there', `GET ${budget}`, 404),
  asks('creates it', `PUT ${budget}`, 200, {
    json: { limit_usd: 100, include_byok_in_budgets: true },
    has: {
      'data.id': TEXT,
      'data.workspace_id': '{ws}',
      'data.limit_usd': 100,
      'data.reset_interval': 'monthly',
      'data.created_at': TIME,
      'data.updated_at': TIME,
      include_byok_in_budgets: true,
    },
  }),
  asks('reads it by the id', 'GET /workspaces/{ws}/budgets/monthly', 200, {
    has: { 'data.limit_usd': 100, include_byok_in_budgets: true },
  }),
  asks('sets one that never resets', 'PUT /workspaces/budgeted/budgets/lifetime', 200, {
    json: { limit_usd: 1000 },
    has: { 'data.reset_interval': null },
  }),
  ...ends(budget),
  removes('/workspaces/{ws}'),
];

const users = { json: { user_ids: ['{member}'] } };

const MEMBER: Life = [
  asks('makes a workspace', 'POST /workspaces', 201, {
    json: { name: 'Joined', slug: 'joined' },
    saves: { ws: 'data.id' },
  }),
  asks('adds them', 'POST /workspaces/{ws}/members/add', 200, {
    ...users,
    has: {
      'data.0.user_id': '{member}',
      'data.0.role': 'member',
      'data.0.created_at': TIME,
      added_count: 1,
    },
  }),
  asks('adds them again', 'POST /workspaces/{ws}/members/add', 200, {
    ...users,
    has: { 'data.0.user_id': '{member}' },
  }),
  asks('reads them', 'GET /workspaces/{ws}/members?offset=0&limit=100', 200, {
    has: { total_count: 1, 'data.0.user_id': '{member}' },
  }),
  asks('adds nobody', 'POST /workspaces/{ws}/members/add', 400, {
    json: { user_ids: ['user_of_nobody'] },
    has: { 'error.message': expect.stringContaining('user_ids[0]') },
  }),
  asks('takes them out', 'POST /workspaces/{ws}/members/remove', 200, { ...users, has: { removed_count: 1 } }),
  asks('reads that nobody is left', 'GET /workspaces/{ws}/members?offset=0&limit=100', 200, {
    has: { total_count: 0 },
  }),
  removes('/workspaces/{ws}'),
  asks('takes them out of what is gone', 'POST /workspaces/{ws}/members/remove', 404, users),
];

const group = { scim_group_id: '{group}', workspace_id: '{workspace}', role: 'member' };

const GROUP_MAPPING: Life = [
  asks('creates it', 'POST /scim/group-mappings', 201, {
    json: group,
    has: {
      'data.id': TEXT,
      'data.organization_id': TEXT,
      'data.role': 'member',
      'data.created_at': TIME,
      'data.updated_at': TIME,
    },
    saves: { id: 'data.id' },
  }),
  asks('creates it again', 'POST /scim/group-mappings', 409, { json: group }),
  asks('changes it', 'PATCH /scim/group-mappings/{id}', 200, {
    json: { role: 'admin' },
    has: { 'data.role': 'admin' },
  }),
  asks('reads it', 'GET /scim/group-mappings/{id}', 200, { has: { 'data.role': 'admin' } }),
  asks('destroys it without a word on its members', 'DELETE /scim/group-mappings/{id}', 400),
  asks('destroys it', 'DELETE /scim/group-mappings/{id}?keep_members=false', 200, { has: { deleted: true } }),
  asks('reads what is gone', 'GET /scim/group-mappings/{id}', 404),
];

const SETTINGS: Life = [
  asks('reads them', 'GET /organization/settings', 200, {
    has: { 'data.id': TEXT, 'data.is_filtered_model_catalog_enabled': BOOLEAN },
  }),
  ...[true, false].map((isFiltered) =>
    asks(`sets them to ${isFiltered}`, 'PATCH /organization/settings', 200, {
      json: { is_filtered_model_catalog_enabled: isFiltered },
      has: { 'data.id': TEXT, 'data.is_filtered_model_catalog_enabled': isFiltered },
    }),
  ),
];

/** Workspaces and what belongs to them, and the settings of the organization. */
export const LIVES_OF_WORKSPACES = {
  workspace: WORKSPACE,
  workspace_budget: BUDGET,
  workspace_member: MEMBER,
  scim_group_mapping: GROUP_MAPPING,
  organization_settings: SETTINGS,
};
