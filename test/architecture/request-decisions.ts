import { MCP_TOOL_ENTRY } from '../../src/modules/guardrails/mcp/mcp-tools-policy.js';
import {
  INPUT_MODALITIES,
  OUTPUT_MODALITIES,
  SUPPORTED_PARAMETERS,
} from '../../src/modules/catalog/model-vocabulary.js';
import { FILTER_PLACES } from '../../src/modules/content/content-filters.js';
import { providersOfContract } from '../support/contract/public-contract.js';

/** A known difference from the contract, and the reason for it. */
export type Decision = readonly [difference: string, reason: string];

/** The offset of every list. */
export const NO_NULL_OFFSET: Decision = [
  'query offset type: integer, null -> integer',
  'A query has no null, and an empty number is a 400 (docs/interface/conventions.md#pagination).',
];

/** The name of a key, when it is made and when it is changed. */
export const KEY_NAME: Decision = [
  'body.name maxLength: nothing -> 256',
  'A list of keys has a bound for its size only when their names have one.',
];

/** The spending limit of a key. */
export const KEY_LIMIT: Decision = [
  'body.limit minimum: nothing -> 0',
  'A spending limit is a finite number from 0 (docs/interface/keys-and-oauth.md#creating-a-key).',
];

const OWN_VIEW = 'Search and order of lists are our own (docs/interface/conventions.md#search-and-order).';

/** The search and the order of a list. @param fields what it can be sorted by */
export function viewBy(...fields: readonly string[]): readonly Decision[] {
  const sorts = [...fields.map((field) => `-${field}`), ...fields].sort();
  return [
    ['query search required: nothing -> false', OWN_VIEW],
    ['query search type: nothing -> string', OWN_VIEW],
    ['query search minLength: nothing -> 1', OWN_VIEW],
    ['query search maxLength: nothing -> 256', OWN_VIEW],
    ['query sort required: nothing -> false', OWN_VIEW],
    ['query sort type: nothing -> string', OWN_VIEW],
    [`query sort enum: nothing -> ${sorts.join(', ')}`, OWN_VIEW],
  ];
}

const OWN_SEARCH = 'The search of keys is our own (docs/interface/keys-and-oauth.md#lists-of-keys).';

/** The search in the list of keys. */
export const KEY_SEARCH: readonly Decision[] = [
  ...viewBy('name', 'created_at', 'expires_at', 'spent'),
  ['query status required: nothing -> false', OWN_SEARCH],
  ['query status type: nothing -> string', OWN_SEARCH],
  ['query status enum: nothing -> active, disabled, expired, suspended', OWN_SEARCH],
  ['query limit_used required: nothing -> false', OWN_SEARCH],
  ['query limit_used type: nothing -> number', OWN_SEARCH],
  ['query limit_used format: nothing -> double', OWN_SEARCH],
  ['query limit_used minimum: nothing -> 0', OWN_SEARCH],
  ['query limit_used maximum: nothing -> 1', OWN_SEARCH],
  ['query newest_first required: nothing -> false', OWN_SEARCH],
  ['query newest_first type: nothing -> boolean', OWN_SEARCH],
  ['query newest_first default: nothing -> false', OWN_SEARCH],
  ['query user_id required: nothing -> false', OWN_SEARCH],
  ['query user_id type: nothing -> string', OWN_SEARCH],
  ['query user_id minLength: nothing -> 1', OWN_SEARCH],
  ['query user_id maxLength: nothing -> 200', OWN_SEARCH],
];

const OWN_STATES = 'States of members are our own (docs/interface/members.md#states).';

/** The members who do not count, in the list of members. */
export const DEACTIVATED_MEMBERS: readonly Decision[] = [
  ['query include_deactivated required: nothing -> false', OWN_STATES],
  ['query include_deactivated type: nothing -> string', OWN_STATES],
  ['query include_deactivated enum: nothing -> false, true', OWN_STATES],
];

const OWN_RATE_LIMITS = 'Limits per minute are our own (docs/limits.md#rates).';

/** The limits per minute, of keys and of workspaces. */
export const RATE_LIMITS: readonly Decision[] = [
  ['body.rate_limits required: nothing -> false', OWN_RATE_LIMITS],
  ['body.rate_limits type: nothing -> null, object', OWN_RATE_LIMITS],
  ...['requests_per_minute', 'tokens_per_minute'].flatMap((name): Decision[] => [
    [`body.rate_limits.${name} maximum: nothing -> 1000000000`, OWN_RATE_LIMITS],
    [`body.rate_limits.${name} minimum: nothing -> 1`, OWN_RATE_LIMITS],
    [`body.rate_limits.${name} required: nothing -> false`, OWN_RATE_LIMITS],
    [`body.rate_limits.${name} type: nothing -> integer, null`, OWN_RATE_LIMITS],
  ]),
];

const OWN_ADDRESSES =
  'Keys can be bound to client addresses: our own (docs/interface/keys-and-oauth.md#client-addresses).';

/** The client addresses that a key is bound to. */
export const ALLOWED_ADDRESSES: readonly Decision[] = [
  ['body.allowed_addresses maxItems: nothing -> 50', OWN_ADDRESSES],
  ['body.allowed_addresses minItems: nothing -> 1', OWN_ADDRESSES],
  ['body.allowed_addresses required: nothing -> false', OWN_ADDRESSES],
  ['body.allowed_addresses type: nothing -> array, null', OWN_ADDRESSES],
  ['body.allowed_addresses[] maxLength: nothing -> 64', OWN_ADDRESSES],
  ['body.allowed_addresses[] minLength: nothing -> 2', OWN_ADDRESSES],
  ['body.allowed_addresses[] pattern: nothing -> ^[0-9A-Fa-f:.]+(?:/(?:0|[1-9][0-9]{0,2}))?$', OWN_ADDRESSES],
  ['body.allowed_addresses[] type: nothing -> string', OWN_ADDRESSES],
];

const OWN_LABELS = 'Labels and bound end users are our own (docs/interface/labels.md).';

/** The labels of a key, and the end user that it is bound to. */
export const LABELS_OF_KEY: readonly Decision[] = [
  ['body.bound_user maxLength: nothing -> 256', OWN_LABELS],
  ['body.bound_user minLength: nothing -> 1', OWN_LABELS],
  ['body.bound_user required: nothing -> false', OWN_LABELS],
  ['body.bound_user type: nothing -> null, string', OWN_LABELS],
  ['body.labels required: nothing -> false', OWN_LABELS],
  ['body.labels type: nothing -> null, object', OWN_LABELS],
];

/** The header with the labels of a request. */
export const LABELS_OF_REQUEST: readonly Decision[] = [
  ['header X-Labels required: nothing -> false', OWN_LABELS],
  ['header X-Labels type: nothing -> string', OWN_LABELS],
];

/** The labels that a workspace allows. */
export const ALLOWED_LABELS: readonly Decision[] = [
  ['body.allowed_labels required: nothing -> false', OWN_LABELS],
  ['body.allowed_labels type: nothing -> null, object', OWN_LABELS],
];

const OWN_SUSPENSION =
  'Keys of removed members can be suspended: our own (docs/interface/keys-and-oauth.md#suspended-keys).';

/** Whether the keys of members who are removed from a workspace are suspended. */
export const SUSPEND_KEYS: readonly Decision[] = [
  ['body.suspend_keys required: nothing -> false', OWN_SUSPENSION],
  ['body.suspend_keys type: nothing -> boolean', OWN_SUSPENSION],
];

/** What is bounded of the user and the secret of a partner. */
export const EXTERNAL_IDENTITY: readonly Decision[] = [
  ['body.external.user maxLength: nothing -> 256', KEY_NAME[1]],
  ['body.external.api_key maxLength: nothing -> 512', 'It is sent in a header, whose size servers and proxies bound.'],
  [
    'body.external.api_key pattern: nothing -> ^[A-Za-z0-9._~+/-]+=*$',
    'RFC 6750, 2.1: a bearer token is made of these characters, and of no others.',
  ],
];

const STORED_SIZE =
  'What is stored has a bound, so that the largest page of a list is answered in time (docs/api-design.md#sizes).';

const SERVER_TOOLS = 'A workspace has a bound for its size only when its lists of names have one.';

const INSPECTING = 'Inspectors are our own (docs/interface/inspectors.md).';

const TOOLS = 'The tools of MCP servers are our own (docs/interface/guardrails.md#tools-of-mcp-servers).';

const OBSERVING = 'That a guardrail only observes is our own (docs/interface/guardrails.md#observing).';

const PLACES = 'Where a filter applies is our own (docs/interface/guardrails.md#where-filters-apply).';

/** The bounds of the lists of a guardrail, where its filters apply and whether it refuses, in createGuardrail and updateGuardrail alike. */
export const GUARDRAIL_FIELDS: readonly Decision[] = [
  ...['allowed_models', 'allowed_providers', 'content_filters', 'ignored_models', 'ignored_providers'].map(
    (list): Decision => [`body.${list} maxItems: nothing -> 1000`, STORED_SIZE],
  ),
  ...[
    'applies_to minItems: nothing -> 1',
    'applies_to required: nothing -> false',
    'applies_to type: nothing -> array',
    `applies_to[] enum: nothing -> ${FILTER_PLACES.join(', ')}`,
    'applies_to[] type: nothing -> string',
    'holds_whole_text required: nothing -> false',
    'holds_whole_text type: nothing -> boolean',
  ].map((difference): Decision => [`body.content_filter_builtins[].${difference}`, PLACES]),
  ['body.inspector_ids maxItems: nothing -> 8', INSPECTING],
  ['body.inspector_ids minItems: nothing -> 1', INSPECTING],
  ['body.inspector_ids required: nothing -> false', INSPECTING],
  ['body.inspector_ids type: nothing -> array, null', INSPECTING],
  ['body.inspector_ids[] format: nothing -> uuid', INSPECTING],
  ['body.inspector_ids[] type: nothing -> string', INSPECTING],
  ...['allowed_mcp_tools', 'ignored_mcp_tools'].flatMap((list) =>
    [
      'maxItems: nothing -> 1000',
      'minItems: nothing -> 1',
      'required: nothing -> false',
      'type: nothing -> array, null',
    ].map((difference): Decision => [`body.${list} ${difference}`, TOOLS]),
  ),
  ...['allowed_mcp_tools[]', 'ignored_mcp_tools[]', 'mcp_argument_rules[].tool'].flatMap((name): Decision[] => [
    [`body.${name} pattern: nothing -> ${MCP_TOOL_ENTRY}`, TOOLS],
    [`body.${name} type: nothing -> string`, TOOLS],
  ]),
  ...[
    ' maxItems: nothing -> 32',
    ' required: nothing -> false',
    ' type: nothing -> array, null',
    '[] type: nothing -> object',
    '[].schema required: nothing -> true',
    '[].schema type: nothing -> object',
    '[].tool required: nothing -> true',
  ].map((difference): Decision => [`body.mcp_argument_rules${difference}`, TOOLS]),
  ['body.enforcement enum: nothing -> enforce, observe', OBSERVING],
  ['body.enforcement required: nothing -> false', OBSERVING],
  ['body.enforcement type: nothing -> string', OBSERVING],
];

/** What a request can set a workspace to, in createWorkspace and updateWorkspace alike. */
const OWN_CACHE = 'Whether answers are cached is our own (docs/response-cache.md).';

export const WORKSPACE_SETTINGS: readonly Decision[] = [
  ...RATE_LIMITS,
  ['body.is_response_cache_enabled required: nothing -> false', OWN_CACHE],
  ['body.is_response_cache_enabled type: nothing -> boolean, null', OWN_CACHE],
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

/** Why a segment of a path is not empty. */
export const SEGMENT = 'RFC 3986: a segment of a path that is empty makes another path, which leads nowhere.';

/** The id of a guardrail or of a mapping. */
export const ID_NOT_FOUND: Decision = [
  'path id format: uuid -> nothing',
  'As for destinations (docs/interface/destinations.md#types): an id that is not a UUID is a 404. A format would make it a 400.',
];

/** The two segments that name a model. */
export const MODEL_PATH: readonly Decision[] = [
  ['path author minLength: nothing -> 1', SEGMENT],
  ['path slug minLength: nothing -> 1', SEGMENT],
];

const WORDS =
  'A word that a filter does not know would be silently dropped (docs/interface/conventions.md#unknown-fields).';

/** Why a filter is not empty. */
export const NOT_EMPTY = 'An empty value is a 400 (docs/interface/conventions.md#absent-null-and-empty).';

const OUTPUT = `(?:${OUTPUT_MODALITIES.join('|')})`;

/** A parameter that takes some of these words, with commas between them. */
const someOf = (name: string, words: readonly string[]): Decision => {
  const word = `(?:${words.join('|')})`;
  return [`query ${name} pattern: nothing -> ^${word}(?:,${word})*$`, WORDS];
};

/** What lists of models can be filtered by everywhere. */
export const OUTPUT_MODALITIES_DECIDED: readonly Decision[] = [
  ['query output_modalities default: nothing -> text', 'As in the public interface.'],
  [`query output_modalities pattern: nothing -> ^(?:all|${OUTPUT}(?:,${OUTPUT})*)$`, WORDS],
];

/** The ranges that lists of models can be filtered by. */
const RANGES = ['price', 'output_price', 'intelligence_index', 'coding_index', 'agentic_index', 'tool_success_rate'];

const OF_MESSAGES_FORM =
  'Clients of the Messages form read the same list in theirs (docs/interface/catalog.md#messages-form).';

/** What the list of models takes of clients of the Messages form. */
const MESSAGES_FORM: readonly Decision[] = [
  ...['header anthropic-version', 'query after_id', 'query before_id', 'query beta'].flatMap((name): Decision[] => [
    [`${name} required: nothing -> false`, OF_MESSAGES_FORM],
    [`${name} type: nothing -> string`, OF_MESSAGES_FORM],
  ]),
  ...['after_id', 'before_id'].map((name): Decision => [
    `query ${name} pattern: nothing -> ^[^/\\s]+/[^/\\s]+$`,
    OF_MESSAGES_FORM,
  ]),
  ['query beta enum: nothing -> false, true', OF_MESSAGES_FORM],
];

/** What the list of all models can be filtered by. */
export const MODEL_FILTERS: readonly Decision[] = [
  ...MESSAGES_FORM,
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

/** What a request can set a destination to. */
export const DESTINATION_FIELDS: readonly Decision[] = [
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

/** The id of a destination, or of a key for a provider. */
export const DESTINATION_ID: readonly Decision[] = [
  [
    'path id format: uuid -> nothing',
    'An id that is not a UUID is a 404 (docs/interface/destinations.md#types). A format would make it a 400.',
  ],
  ['path id minLength: nothing -> 1', SEGMENT],
];

/** The slug that a path names a preset by. */
export const PRESET_SLUG: readonly Decision[] = [
  [
    'path slug maxLength: nothing -> 100',
    'At most 100 characters; anything else is a 400 (docs/interface/presets.md#slugs).',
  ],
  ['path slug pattern: nothing -> ^[a-z0-9]+(?:-[a-z0-9]+)*$', 'The form of a slug (docs/interface/presets.md#slugs).'],
];

/** The workspace that a management key names. */
export const PRESET_WORKSPACE: readonly Decision[] = [
  'format: nothing -> uuid',
  'required: nothing -> false',
  'type: nothing -> string',
].map((difference): Decision => [
  `query workspace_id ${difference}`,
  'A management key names the workspace (docs/interface/presets.md#which-workspace).',
]);

/** Any provider of the catalog, which a deployment may extend. */
export const anyProvider = (place: string): Decision => [
  `${place} enum: ${[...providersOfContract()].sort().join(', ')} -> nothing`,
  'The catalog says which providers there are (docs/interface/provider-keys.md#providers).',
];

/** What is bounded of the key for a provider. */
export const PROVIDER_KEY: readonly Decision[] = [
  ['body.key maxLength: nothing -> 4096', 'It is sent in a header, whose size servers and proxies bound.'],
  [
    'body.key pattern: nothing -> ^([\\x21-\\x7e]+|\\{[\\t\\n\\r\\x20-\\x7e]+\\}\\s*)$',
    'RFC 9110, 5.5: it is sent in a header, in ASCII, unless it is a document.',
  ],
];
