import {
  INPUT_MODALITIES,
  OUTPUT_MODALITIES,
  SUPPORTED_PARAMETERS,
} from '../../src/modules/catalog/model-vocabulary.js';
import { providersOfContract } from '../support/contract/contract-answers.js';

type Decision = readonly [difference: string, reason: string];

const NO_NULL_OFFSET: Decision = [
  'query offset type: integer, null -> integer',
  'A query has no null, and an empty number is a 400 (docs/interface/conventions.md#pagination).',
];

const KEY_NAME: Decision = [
  'body.name maxLength: nothing -> 256',
  'A list of keys has a bound for its size only when their names have one.',
];

const KEY_LIMIT: Decision = [
  'body.limit minimum: nothing -> 0',
  'A spending limit is a finite number from 0 (docs/interface/keys-and-oauth.md#creating-a-key).',
];

const OWN_RATE_LIMITS = 'Limits per minute are our own (docs/limits.md#rates).';

/** The limits per minute, of keys and of workspaces. */
const RATE_LIMITS: readonly Decision[] = [
  ['body.rate_limits required: nothing -> false', OWN_RATE_LIMITS],
  ['body.rate_limits type: nothing -> null, object', OWN_RATE_LIMITS],
  ...['requests_per_minute', 'tokens_per_minute'].flatMap((name): Decision[] => [
    [`body.rate_limits.${name} maximum: nothing -> 1000000000`, OWN_RATE_LIMITS],
    [`body.rate_limits.${name} minimum: nothing -> 1`, OWN_RATE_LIMITS],
    [`body.rate_limits.${name} required: nothing -> false`, OWN_RATE_LIMITS],
    [`body.rate_limits.${name} type: nothing -> integer, null`, OWN_RATE_LIMITS],
  ]),
];

/** What is bounded of the user and the secret of a partner. */
const EXTERNAL_IDENTITY: readonly Decision[] = [
  ['body.external.user maxLength: nothing -> 256', KEY_NAME[1]],
  ['body.external.api_key maxLength: nothing -> 512', 'It is sent in a header, whose size servers and proxies bound.'],
  [
    'body.external.api_key pattern: nothing -> ^[A-Za-z0-9._~+/-]+=*$',
    'RFC 6750, 2.1: a bearer token is made of these characters, and of no others.',
  ],
];

const OWN_LIMIT = 'The public interface has no limit here (docs/interface/keys-and-oauth.md#lists-of-keys).';

const STORED_SIZE =
  'What is stored has a bound, so that the largest page of a list is answered in time (docs/api-design.md#sizes).';

const SERVER_TOOLS = 'A workspace has a bound for its size only when its lists of names have one.';

/** The bounds of the lists of a guardrail, in createGuardrail and updateGuardrail alike. */
const GUARDRAIL_SIZES: readonly Decision[] = [
  'allowed_models',
  'allowed_providers',
  'content_filters',
  'ignored_models',
  'ignored_providers',
].map((list): Decision => [`body.${list} maxItems: nothing -> 1000`, STORED_SIZE]);

/** What a request can set a workspace to, in createWorkspace and updateWorkspace alike. */
const WORKSPACE_SETTINGS: readonly Decision[] = [
  ...RATE_LIMITS,
  ...['default_image_model', 'default_provider_sort', 'default_text_model'].map((name): Decision => [
    `body.${name} maxLength: nothing -> 256`,
    STORED_SIZE,
  ]),
  ['body.io_logging_api_key_ids maxItems: nothing -> 1000', STORED_SIZE],
  ['body.disabled_server_tools maxItems: nothing -> 100', SERVER_TOOLS],
  ['body.disabled_server_tools[] maxLength: nothing -> 128', SERVER_TOOLS],
  ['body.disabled_server_tools[] minLength: nothing -> 1', 'An empty text names no tool.'],
  [
    'body.io_logging_api_key_ids[] maximum: nothing -> 9007199254740991',
    'RFC 8259, 6: beyond this a number is not exactly what was sent.',
  ],
  ['body.io_logging_api_key_ids[] minimum: nothing -> 0', 'Nothing is counted below 0.'],
  ['body.io_logging_sampling_rate maximum: nothing -> 1', 'A part of all requests is not more than all.'],
  ['body.io_logging_sampling_rate minimum: nothing -> 0', 'A part of all requests is not less than none.'],
];

const CONFIRMATION =
  'The default workspace is deleted with it only (docs/interface/workspaces-and-budgets.md#default-workspace).';

const SEGMENT = 'RFC 3986: a segment of a path that is empty makes another path, which leads nowhere.';

const ID_NOT_FOUND: Decision = [
  'path id format: uuid -> nothing',
  'As for destinations (docs/interface/destinations.md#types): an id that is not a UUID is a 404. A format would make it a 400.',
];

const MODEL_PATH: readonly Decision[] = [
  ['path author minLength: nothing -> 1', SEGMENT],
  ['path slug minLength: nothing -> 1', SEGMENT],
];

const WORDS =
  'A word that a filter does not know would be silently dropped (docs/interface/conventions.md#unknown-fields).';

const NOT_EMPTY = 'An empty value is a 400 (docs/interface/conventions.md#absent-null-and-empty).';

const OUTPUT = `(?:${OUTPUT_MODALITIES.join('|')})`;

/** A parameter that takes some of these words, with commas between them. */
const someOf = (name: string, words: readonly string[]): Decision => {
  const word = `(?:${words.join('|')})`;
  return [`query ${name} pattern: nothing -> ^${word}(?:,${word})*$`, WORDS];
};

const OUTPUT_MODALITIES_DECIDED: readonly Decision[] = [
  ['query output_modalities default: nothing -> text', 'As in the public interface.'],
  [`query output_modalities pattern: nothing -> ^(?:all|${OUTPUT}(?:,${OUTPUT})*)$`, WORDS],
];

const HASH_OR_DATE =
  'Another text is none, and would find nothing without saying why (docs/interface/usage.md#activity).';

const ANALYTICS_WORDS =
  'The names of the answer to getAnalyticsMeta; any other is a 400 (docs/interface/usage.md#analytics).';

const ANALYTICS_ROWS = 'An answer has a bound (docs/interface/usage.md#order-and-limits).';

/** The ranges that lists of models can be filtered by. */
const RANGES = ['price', 'output_price', 'intelligence_index', 'coding_index', 'agentic_index', 'tool_success_rate'];

const MODEL_FILTERS: readonly Decision[] = [
  NO_NULL_OFFSET,
  ...OUTPUT_MODALITIES_DECIDED,
  someOf('input_modalities', INPUT_MODALITIES),
  someOf('supported_parameters', SUPPORTED_PARAMETERS),
  ...['arch', 'model_authors', 'providers', 'q'].map((name): Decision => [
    `query ${name} minLength: nothing -> 1`,
    NOT_EMPTY,
  ]),
  ...['use_rss', 'use_rss_chat_links'].map((name): Decision => [`query ${name} enum: nothing -> false, true`, WORDS]),
  ...['min', 'max'].flatMap((end): Decision[] => [
    [`query ${end}_age_days type: integer, null -> integer`, NO_NULL_OFFSET[1]],
    ...RANGES.flatMap((range): Decision[] => [
      [`query ${end}_${range} type: null, number -> number`, NO_NULL_OFFSET[1]],
      [`query ${end}_${range} format: nothing -> double`, 'As the contract has it of every number in a body.'],
    ]),
  ]),
];

const DESTINATION_FIELDS: readonly Decision[] = [
  ['body.api_key_hashes maxItems: nothing -> 500', STORED_SIZE],
  ['body.name maxLength: nothing -> 200', 'As for guardrails: a name is 1 to 200 characters.'],
  ['body.name minLength: nothing -> 1', 'As for guardrails: a name is 1 to 200 characters.'],
  [
    'body.sampling_rate maximum: nothing -> 1',
    'A share of the generations (docs/interface/destinations.md#what-is-sent).',
  ],
  [
    'body.sampling_rate minimum: nothing -> 0',
    'A share of the generations (docs/interface/destinations.md#what-is-sent).',
  ],
];

const DESTINATION_ID: readonly Decision[] = [
  [
    'path id format: uuid -> nothing',
    'An id that is not a UUID is a 404 (docs/interface/destinations.md#types). A format would make it a 400.',
  ],
  ['path id minLength: nothing -> 1', SEGMENT],
];

const PRESET_SLUG: readonly Decision[] = [
  [
    'path slug maxLength: nothing -> 100',
    'At most 100 characters; anything else is a 400 (docs/interface/presets.md#slugs).',
  ],
  ['path slug pattern: nothing -> ^[a-z0-9]+(?:-[a-z0-9]+)*$', 'The form of a slug (docs/interface/presets.md#slugs).'],
];

const PRESET_WORKSPACE: readonly Decision[] = [
  'format: nothing -> uuid',
  'required: nothing -> false',
  'type: nothing -> string',
].map((difference): Decision => [
  `query workspace_id ${difference}`,
  'A management key names the workspace (docs/interface/presets.md#which-workspace).',
]);

/** Any provider of the catalog, which a deployment may extend. */
const anyProvider = (place: string): Decision => [
  `${place} enum: ${[...providersOfContract()].sort().join(', ')} -> nothing`,
  'The catalog says which providers there are (docs/interface/provider-keys.md#providers).',
];

/** What is bounded of the key for a provider. */
const PROVIDER_KEY: readonly Decision[] = [
  ['body.key maxLength: nothing -> 4096', 'It is sent in a header, whose size servers and proxies bound.'],
  ['body.key pattern: nothing -> ^[\\x21-\\x7e]+$', 'RFC 9110, 5.5: it is sent in a header, in ASCII.'],
];

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
    ...GUARDRAIL_SIZES,
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
  createKeys: [KEY_LIMIT, KEY_NAME, ...RATE_LIMITS, ...EXTERNAL_IDENTITY],
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
  createWorkspace: WORKSPACE_SETTINGS,
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
  listGuardrails: [NO_NULL_OFFSET],
  listImageModelEndpoints: MODEL_PATH,
  listKeyAssignments: [NO_NULL_OFFSET],
  listMemberAssignments: [NO_NULL_OFFSET],
  listModelsCount: OUTPUT_MODALITIES_DECIDED,
  listObservabilityDestinations: [NO_NULL_OFFSET],
  listModelsUser: [NO_NULL_OFFSET, ...OUTPUT_MODALITIES_DECIDED],
  listOrganizationMembers: [NO_NULL_OFFSET],
  listPresetVersions: [...PRESET_SLUG, NO_NULL_OFFSET, ...PRESET_WORKSPACE],
  listPresets: [NO_NULL_OFFSET, ...PRESET_WORKSPACE],
  listScimGroupMappings: [NO_NULL_OFFSET],
  listScimGroups: [NO_NULL_OFFSET],
  listWorkspaceMembers: [NO_NULL_OFFSET],
  listWorkspaces: [NO_NULL_OFFSET],
  updateBYOKKey: [...DESTINATION_ID, ...PROVIDER_KEY],
  updateGuardrail: [
    ...GUARDRAIL_SIZES,
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
    KEY_NAME,
    ['body.name minLength: nothing -> 1', 'As for createKeys: a PATCH is judged on its result.'],
    ['path hash minLength: nothing -> 1', SEGMENT],
  ],
  updateScimGroupMapping: [ID_NOT_FOUND, ['path id minLength: nothing -> 1', SEGMENT]],
  updateObservabilityDestination: [...DESTINATION_ID, ...DESTINATION_FIELDS],
  updateWorkspace: WORKSPACE_SETTINGS,
  upsertWorkspaceBudget: [
    [
      'body.limit_usd exclusiveMinimum: nothing -> 0',
      'Greater than 0 (docs/interface/workspaces-and-budgets.md#budgets).',
    ],
  ],
};

const NUMBERED_ONE_AFTER_THE_OTHER = 'Versions that are made at the same time wait for each other.';

/** Error statuses of the contract that an operation need not document, and why it never answers them. */
export const NEVER_ANSWERED: Readonly<Record<string, readonly [statuses: readonly number[], reason: string]>> = {
  createPresetsChatCompletions: [[409], NUMBERED_ONE_AFTER_THE_OTHER],
  createPresetsMessages: [[409], NUMBERED_ONE_AFTER_THE_OTHER],
  createPresetsResponses: [[409], NUMBERED_ONE_AFTER_THE_OTHER],
  createResponses: [
    [402, 408, 502, 524, 529],
    'What fails at every provider is a 503, or within a stream an event; slow bodies end with their connection.',
  ],
  updateGuardrail: [[409], 'Changes that are made at the same time wait for each other.'],
  updateObservabilityDestination: [[409], 'Changes that are made at the same time wait for each other.'],
  listModelsUser: [[404], 'Every credential belongs to an organization, which has a list of models, if an empty one.'],
  listOrganizationMembers: [[404], 'Every credential belongs to an organization.'],
  createEmbeddings: [
    [402, 408, 502, 524, 529],
    'What fails at every provider is a 503; slow bodies end with their connection.',
  ],
  listGenerationContent: [[403, 502, 524, 529], 'Who may not see it gets a 404; a read asks no provider.'],
  getUserActivity: [[404], 'A key, member or workspace that there is not has no activity.'],
  getGeneration: [[402, 502, 524, 529], 'A read asks no provider, and costs nothing.'],
  createMessages: [[529], 'What fails at every provider is a 503, or within a stream an event.'],
  sendChatCompletionRequest: [
    [402, 408, 502, 524, 529],
    'What fails at every provider is a 503, or within a stream an event; slow bodies end with their connection.',
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

export function isOfOpenBody(operationId: string, difference: string): boolean {
  return OPEN_BODIES.includes(operationId) && difference.startsWith('body.');
}
