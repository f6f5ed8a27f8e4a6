import {
  type Decision,
  NO_NULL_OFFSET,
  KEY_NAME,
  KEY_LIMIT,
  DEACTIVATED_MEMBERS,
  KEY_SEARCH,
  ALLOWED_ADDRESSES,
  ALLOWED_LABELS,
  LABELS_OF_KEY,
  LABELS_OF_REQUEST,
  RATE_LIMITS,
  SUSPEND_KEYS,
  EXTERNAL_IDENTITY,
  GUARDRAIL_FIELDS,
  WORKSPACE_SETTINGS,
  SEGMENT,
  ID_NOT_FOUND,
  MODEL_PATH,
  NOT_EMPTY,
  OUTPUT_MODALITIES_DECIDED,
  MODEL_FILTERS,
  DESTINATION_FIELDS,
  DESTINATION_ID,
  PRESET_SLUG,
  PRESET_WORKSPACE,
  anyProvider,
  PROVIDER_KEY,
  viewBy,
} from './request-decisions.js';

const OWN_LIMIT = 'The public interface has no limit here (docs/interface/keys-and-oauth.md#lists-of-keys).';

const CONFIRMATION =
  'The default workspace is deleted with it only (docs/interface/workspaces-and-budgets.md#default-workspace).';

const HASH_OR_DATE =
  'Another text is none, and would find nothing without saying why (docs/interface/usage.md#activity).';

const ANALYTICS_WORDS =
  'The names of the answer to getAnalyticsMeta; any other is a 400 (docs/interface/usage.md#analytics).';

const ANALYTICS_ROWS = 'An answer has a bound (docs/interface/usage.md#order-and-limits).';

const INFERENCE =
  'Models and system messages are read from the body, so their form is checked (docs/interface/presets.md).';

/** Where requests differ from the contract's on purpose, and what decides so. */
export const DECIDED: Readonly<Record<string, readonly Decision[]>> = {
  getGeneration: [['query id maxLength: nothing -> 200', 'Ids are shorter.']],
  listGenerationContent: [['query id maxLength: nothing -> 200', 'Ids are shorter.']],
  bulkAssignKeysToGuardrail: [ID_NOT_FOUND, ['path id minLength: nothing -> 1', SEGMENT]],
  bulkAssignMembersToGuardrail: [ID_NOT_FOUND, ['path id minLength: nothing -> 1', SEGMENT]],
  bulkUnassignKeysFromGuardrail: [ID_NOT_FOUND, ['path id minLength: nothing -> 1', SEGMENT]],
  bulkUnassignMembersFromGuardrail: [ID_NOT_FOUND, ['path id minLength: nothing -> 1', SEGMENT]],
  createAuthKeysCode: [
    ['body.callback_url maxLength: nothing -> 2048', 'What is stored is bounded, as the URLs of Connect clients are.'],
    ['body.spawn_agent maxLength: nothing -> 256', 'What is stored is bounded.'],
    ['body.spawn_cloud maxLength: nothing -> 256', 'What is stored is bounded.'],
    [
      'body.code_challenge maxLength: nothing -> 128',
      'RFC 7636, 4.2: a plain challenge is a verifier, of 43 to 128 characters.',
    ],
    [
      'body.code_challenge minLength: nothing -> 43',
      'RFC 7636, 4.2: a plain challenge is a verifier, of 43 to 128 characters.',
    ],
    [
      'body.code_challenge pattern: nothing -> ^[A-Za-z0-9._~-]+$',
      'RFC 7636, 4.2: a challenge is made of unreserved characters.',
    ],
    [
      'body.limit minimum: nothing -> 0',
      'A spending limit is a finite number from 0 (docs/interface/keys-and-oauth.md#creating-a-key).',
    ],
    [
      'body.user_id required: nothing -> false',
      'The user of the management key by default (docs/interface/keys-and-oauth.md#authorization-codes).',
    ],
    [
      'body.user_id type: nothing -> string',
      'The user of the management key by default (docs/interface/keys-and-oauth.md#authorization-codes).',
    ],
  ],
  createBYOKKey: [anyProvider('body.provider'), ...PROVIDER_KEY],
  createGuardrail: [
    ...GUARDRAIL_FIELDS,
    [
      'body.content_filter_builtins[].scan_scope default: nothing -> all_messages',
      'The default (docs/interface/guardrails.md#builtin-filters).',
    ],
    [
      'body.content_filters[].pattern maxLength: nothing -> 100000',
      'At most 100,000 characters (docs/interface/guardrails.md#custom-filters).',
    ],
    [
      'body.include_byok_in_budgets default: nothing -> false',
      'The default (docs/interface/guardrails.md#spending-limit).',
    ],
    ['body.limit_usd minimum: nothing -> 0', 'A finite number from 0 (docs/interface/guardrails.md#spending-limit).'],
  ],
  bulkRemoveWorkspaceMembers: SUSPEND_KEYS,
  createKeys: [KEY_LIMIT, KEY_NAME, ...RATE_LIMITS, ...ALLOWED_ADDRESSES, ...LABELS_OF_KEY, ...EXTERNAL_IDENTITY],
  createObservabilityDestination: DESTINATION_FIELDS,
  createPresetsChatCompletions: [
    ...PRESET_SLUG,
    ...PRESET_WORKSPACE,
    ...[
      'body.messages required: nothing -> false',
      'body.messages type: nothing -> array',
      'body.messages[] type: nothing -> object',
      'body.model required: nothing -> false',
      'body.model type: nothing -> string',
      'body.models required: nothing -> false',
      'body.models type: nothing -> array',
      'body.models[] type: nothing -> string',
    ].map((difference): Decision => [difference, INFERENCE]),
  ],
  createPresetsMessages: [...PRESET_SLUG, ...PRESET_WORKSPACE],
  createPresetsResponses: [...PRESET_SLUG, ...PRESET_WORKSPACE],
  createScimGroupMapping: [['body.role default: nothing -> member', 'The default (docs/interface/scim.md#mappings).']],
  createEmbeddings: LABELS_OF_REQUEST,
  createMessages: LABELS_OF_REQUEST,
  createResponses: LABELS_OF_REQUEST,
  sendChatCompletionRequest: LABELS_OF_REQUEST,
  createWorkspace: [...WORKSPACE_SETTINGS, ...ALLOWED_LABELS],
  deleteBYOKKey: DESTINATION_ID,
  deleteGuardrail: [ID_NOT_FOUND, ['path id minLength: nothing -> 1', SEGMENT]],
  deleteKeys: [['path hash minLength: nothing -> 1', SEGMENT]],
  deleteScimGroupMapping: [
    ID_NOT_FOUND,
    ['path id minLength: nothing -> 1', SEGMENT],
    [
      'query keep_members type: nothing -> boolean',
      'In a query the contract\'s two forms, a boolean and "true" or "false", are the same text.',
    ],
  ],
  deleteObservabilityDestination: DESTINATION_ID,
  deleteWorkspace: [['query confirm_default_workspace_deletion default: nothing -> false', CONFIRMATION]],
  exchangeAuthCodeForAPIKey: [
    [
      'body.code minLength: nothing -> 1',
      'A code is required, and an empty one is none (docs/interface/keys-and-oauth.md#exchange).',
    ],
  ],
  getBYOKKey: DESTINATION_ID,
  getKey: [['path hash minLength: nothing -> 1', SEGMENT]],
  getModel: MODEL_PATH,
  getModels: MODEL_FILTERS,
  getGuardrail: [ID_NOT_FOUND, ['path id minLength: nothing -> 1', SEGMENT]],
  getObservabilityDestination: DESTINATION_ID,
  getPreset: [...PRESET_SLUG, ...PRESET_WORKSPACE],
  getPresetVersion: [...PRESET_SLUG, ...PRESET_WORKSPACE],
  list: [
    ['query include_disabled enum: nothing -> false, true', 'What is neither is a mistake, and no false.'],
    ['query limit default: nothing -> 100', OWN_LIMIT],
    ['query limit maximum: nothing -> 100', OWN_LIMIT],
    ['query limit minimum: nothing -> 1', OWN_LIMIT],
    ['query limit required: nothing -> false', OWN_LIMIT],
    ['query limit type: nothing -> integer', OWN_LIMIT],
    ['query offset default: nothing -> 0', 'The default (docs/interface/conventions.md#pagination).'],
    NO_NULL_OFFSET,
    ...KEY_SEARCH,
  ],
  listBYOKKeys: [NO_NULL_OFFSET, anyProvider('query provider')],
  getUserActivity: [
    ['query api_key_hash pattern: nothing -> ^[0-9a-f]{64}$', HASH_OR_DATE],
    ['query date pattern: nothing -> ^\\d{4}-\\d{2}-\\d{2}$', HASH_OR_DATE],
    ['query user_id minLength: nothing -> 1', NOT_EMPTY],
    ['query user_id maxLength: nothing -> 200', 'No user has a longer id.'],
    [
      'query workspace_id format: nothing -> uuid',
      'As the workspace filter of every list (docs/interface/conventions.md#workspace-filter).',
    ],
  ],
  queryAnalytics: [
    [
      'body.dimensions maxItems: 2 -> 3',
      'What filters did has three dimensions of its own (docs/interface/usage.md#what-filters-did).',
    ],
    ['body.filters[].operator enum: nothing -> eq, gt, gte, in, lt, lte, neq, not_in', ANALYTICS_WORDS],
    ['body.granularity enum: nothing -> day, hour, minute, month, week', ANALYTICS_WORDS],
    ...['group_limit', 'limit'].flatMap((name): Decision[] => [
      [`body.${name} minimum: nothing -> 1`, ANALYTICS_ROWS],
      [`body.${name} maximum: nothing -> 1000`, ANALYTICS_ROWS],
    ]),
    ['body.limit default: nothing -> 1000', ANALYTICS_ROWS],
  ],
  listEmbeddingsModels: [NO_NULL_OFFSET],
  listEndpoints: MODEL_PATH,
  listGuardrailKeyAssignments: [ID_NOT_FOUND, ['path id minLength: nothing -> 1', SEGMENT], NO_NULL_OFFSET],
  listGuardrailMemberAssignments: [ID_NOT_FOUND, ['path id minLength: nothing -> 1', SEGMENT], NO_NULL_OFFSET],
  getScimGroupMapping: [ID_NOT_FOUND, ['path id minLength: nothing -> 1', SEGMENT]],
  listGuardrails: [NO_NULL_OFFSET, ...viewBy('name', 'created_at')],
  listImageModelEndpoints: MODEL_PATH,
  listKeyAssignments: [NO_NULL_OFFSET],
  listMemberAssignments: [NO_NULL_OFFSET],
  listModelsCount: OUTPUT_MODALITIES_DECIDED,
  listObservabilityDestinations: [NO_NULL_OFFSET, ...viewBy('name', 'created_at')],
  listModelsUser: [NO_NULL_OFFSET, ...OUTPUT_MODALITIES_DECIDED],
  listOrganizationMembers: [...DEACTIVATED_MEMBERS, NO_NULL_OFFSET, ...viewBy('name', 'email', 'created_at')],
  listPresetVersions: [...PRESET_SLUG, NO_NULL_OFFSET, ...PRESET_WORKSPACE],
  listPresets: [NO_NULL_OFFSET, ...PRESET_WORKSPACE, ...viewBy('name', 'created_at', 'updated_at')],
  listScimGroupMappings: [NO_NULL_OFFSET],
  listScimGroups: [NO_NULL_OFFSET],
  listWorkspaceMembers: [NO_NULL_OFFSET, ...viewBy('name', 'email', 'created_at')],
  listWorkspaces: [NO_NULL_OFFSET, ...viewBy('name', 'created_at')],
  updateBYOKKey: [...DESTINATION_ID, ...PROVIDER_KEY],
  updateGuardrail: [
    ...GUARDRAIL_FIELDS,
    ID_NOT_FOUND,
    ['path id minLength: nothing -> 1', SEGMENT],
    [
      'body.content_filter_builtins[].scan_scope default: nothing -> all_messages',
      'The default (docs/interface/guardrails.md#builtin-filters).',
    ],
    [
      'body.content_filters[].pattern maxLength: nothing -> 100000',
      'At most 100,000 characters (docs/interface/guardrails.md#custom-filters).',
    ],
    ['body.limit_usd minimum: nothing -> 0', 'A finite number from 0 (docs/interface/guardrails.md#spending-limit).'],
  ],
  updateKeys: [
    KEY_LIMIT,
    ...RATE_LIMITS,
    ...ALLOWED_ADDRESSES,
    ...LABELS_OF_KEY,
    KEY_NAME,
    ['body.name minLength: nothing -> 1', 'As for createKeys: a PATCH is judged on its result.'],
    ['path hash minLength: nothing -> 1', SEGMENT],
  ],
  updateScimGroupMapping: [ID_NOT_FOUND, ['path id minLength: nothing -> 1', SEGMENT]],
  updateObservabilityDestination: [...DESTINATION_ID, ...DESTINATION_FIELDS],
  updateWorkspace: [...WORKSPACE_SETTINGS, ...ALLOWED_LABELS],
  upsertWorkspaceBudget: [
    [
      'body.limit_usd exclusiveMinimum: nothing -> 0',
      'Greater than 0 (docs/interface/workspaces-and-budgets.md#budgets).',
    ],
  ],
};

/**
 * Bodies whose parts are handed on to providers: what the contract says of them is checked by rules, or by the provider, and
 * bounds that the contract only states in its texts are our own.
 */
const OPEN_BODIES: readonly string[] = [
  'createEmbeddings',
  'createMessages',
  'createPresetsMessages',
  'createPresetsResponses',
  'createResponses',
  'sendChatCompletionRequest',
];

/** Whether a difference is about such a part. */
export function isOfOpenBody(operationId: string, difference: string): boolean {
  return OPEN_BODIES.includes(operationId) && difference.startsWith('body.');
}
