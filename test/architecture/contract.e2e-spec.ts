import { INPUT_MODALITIES, OUTPUT_MODALITIES } from '../../src/modules/catalog/modalities.js';
import { SUPPORTED_PARAMETERS } from '../../src/modules/catalog/model-vocabulary.js';
import { contractRequests, requestDifferences } from '../support/contract-requests.js';
import { type Interface, interfaceOf } from '../support/operations.js';
import { OWN_OPERATIONS } from '../support/own-operations.js';
import { TestApplication } from '../support/test-application.js';

type Decision = readonly [difference: string, reason: string];

const NO_NULL_OFFSET: Decision = [
  'query offset type: integer, null -> integer',
  'DECISIONS.md, 1: "query `offset` (integer >= 0, default 0)"; a query has no null, and "Not an integer, ... or empty: 400".',
];

const KEY_NAME: Decision = [
  'body.name maxLength: nothing -> 256',
  'A list of keys has a bound for its size only when their names have one.',
];

const KEY_LIMIT: Decision = [
  'body.limit minimum: nothing -> 0',
  'DECISIONS.md, 4, of a spending limit: "a finite number >= 0".',
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

const OWN_LIMIT = 'INTERFACE.md, of `GET /keys`: "(and `limit`, ours, default 100)"; SERVICE.md, 8: "integer 1..100".';

const STORED_SIZE =
  'What is stored has a bound, so that the largest page of a list is answered in time (docs/api-design.md).';

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
  'INTERFACE.md: "The default workspace may be deleted with `confirm_default_workspace_deletion=true`".';

const SEGMENT = 'RFC 3986: a segment of a path that is empty makes another path, which leads nowhere.';

const ID_NOT_FOUND: Decision = [
  'path id format: uuid -> nothing',
  'As for destinations (DECISIONS.md, 4): an id that is not a uuid is a 404. A format would make it a 400.',
];

const MODEL_PATH: readonly Decision[] = [
  ['path author minLength: nothing -> 1', SEGMENT],
  ['path slug minLength: nothing -> 1', SEGMENT],
];

const WORDS = 'Words that mean nothing to a filter would be silently dropped (DECISIONS.md, 1: unknown fields).';

const NOT_EMPTY = 'DECISIONS.md, 1: what is empty is a 400.';

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
  ['body.name maxLength: nothing -> 200', 'As for guardrails (SERVICE.md, 8): a name is 1 to 200 characters.'],
  ['body.name minLength: nothing -> 1', 'As for guardrails (SERVICE.md, 8): a name is 1 to 200 characters.'],
  ['body.sampling_rate maximum: nothing -> 1', 'SERVICE.md, 2.10: a share of the generations.'],
  ['body.sampling_rate minimum: nothing -> 0', 'SERVICE.md, 2.10: a share of the generations.'],
];

const DESTINATION_ID: readonly Decision[] = [
  [
    'path id format: uuid -> nothing',
    'DECISIONS.md, 4: "An id that is not a uuid: 404." A format would make it a 400.',
  ],
  ['path id minLength: nothing -> 1', SEGMENT],
];

const PRESET_SLUG: readonly Decision[] = [
  ['path slug maxLength: nothing -> 100', 'DECISIONS.md, 4: "A slug is `...`, at most 100; anything else is a 400."'],
  [
    'path slug pattern: nothing -> ^[a-z0-9]+(?:-[a-z0-9]+)*$',
    'DECISIONS.md, 4: "A slug is `^[a-z0-9]+(?:-[a-z0-9]+)*$`".',
  ],
];

const PRESET_WORKSPACE: readonly Decision[] = [
  'format: nothing -> uuid',
  'required: nothing -> false',
  'type: nothing -> string',
].map((difference): Decision => [
  `query workspace_id ${difference}`,
  'DECISIONS.md, 4: "for a management key the default one or `workspace_id`".',
]);

const INFERENCE = 'INTERFACE.md: models and system messages of the body of an inference are read, and so must be some.';

/** Where requests differ from the contract's on purpose, and what decides so. */
const DECIDED: Readonly<Record<string, readonly Decision[]>> = {
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
    ['body.limit minimum: nothing -> 0', 'DECISIONS.md, 4, of a spending limit: "a finite number >= 0".'],
    ['body.user_id required: nothing -> false', 'DECISIONS.md, 4: "`user_id` optional, default the key\'s own user".'],
    ['body.user_id type: nothing -> string', 'DECISIONS.md, 4: "`user_id` optional, default the key\'s own user".'],
  ],
  createGuardrail: [
    ...GUARDRAIL_SIZES,
    [
      'body.content_filter_builtins[].scan_scope default: nothing -> all_messages',
      'SERVICE.md, 2.2: "default all_messages".',
    ],
    [
      'body.content_filters[].pattern maxLength: nothing -> 100000',
      'DECISIONS.md, 4: "A pattern is at most 100,000 characters".',
    ],
    ['body.include_byok_in_budgets default: nothing -> false', 'SERVICE.md, 4.1: "default false".'],
    ['body.limit_usd minimum: nothing -> 0', 'DECISIONS.md, 4: "`limit_usd` is a finite number >= 0."'],
  ],
  createKeys: [KEY_LIMIT, KEY_NAME, ...EXTERNAL_IDENTITY],
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
  createScimGroupMapping: [
    ['body.role default: nothing -> member', 'DECISIONS.md, 4: "`role` is admin or member, default member."'],
  ],
  createWorkspace: WORKSPACE_SETTINGS,
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
    ['body.code minLength: nothing -> 1', 'DECISIONS.md, 4: "Required: `code`."; an empty one is none.'],
  ],
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
    ['query offset default: nothing -> 0', 'DECISIONS.md, 1: "`offset` (integer >= 0, default 0)".'],
    NO_NULL_OFFSET,
  ],
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
  updateGuardrail: [
    ...GUARDRAIL_SIZES,
    ID_NOT_FOUND,
    ['path id minLength: nothing -> 1', SEGMENT],
    [
      'body.content_filter_builtins[].scan_scope default: nothing -> all_messages',
      'SERVICE.md, 2.2: "default all_messages".',
    ],
    [
      'body.content_filters[].pattern maxLength: nothing -> 100000',
      'DECISIONS.md, 4: "A pattern is at most 100,000 characters".',
    ],
    ['body.limit_usd minimum: nothing -> 0', 'DECISIONS.md, 4: "`limit_usd` is a finite number >= 0."'],
  ],
  updateKeys: [
    KEY_LIMIT,
    KEY_NAME,
    ['body.name minLength: nothing -> 1', 'As for createKeys: a PATCH is judged on its result.'],
    ['path hash minLength: nothing -> 1', SEGMENT],
  ],
  updateScimGroupMapping: [ID_NOT_FOUND, ['path id minLength: nothing -> 1', SEGMENT]],
  updateObservabilityDestination: [...DESTINATION_ID, ...DESTINATION_FIELDS],
  updateWorkspace: WORKSPACE_SETTINGS,
  upsertWorkspaceBudget: [['body.limit_usd exclusiveMinimum: nothing -> 0', 'INTERFACE.md: "limit > 0".']],
};

const RATE = 'Requests have no rate limit by key here; where an operation has one, it documents it.';

/** Error statuses of the contract that an operation need not document, and why it never answers them. */
const NEVER_ANSWERED: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  createKeys: [429, RATE],
  getKey: [429, RATE],
  list: [429, RATE],
  updateKeys: [429, RATE],
  createPresetsChatCompletions: [409, 'Versions that are made at the same time wait for each other.'],
  updateGuardrail: [409, 'Changes that are made at the same time wait for each other.'],
  updateObservabilityDestination: [409, 'Changes that are made at the same time wait for each other.'],
  listModelsUser: [404, 'Whoever has a credential has an organization and a list of models, if an empty one.'],
  listOrganizationMembers: [404, 'Whoever has a credential has an organization.'],
};

const contract = contractRequests();

describe('the public contract', () => {
  let app: TestApplication;
  let api: Interface;

  beforeAll(async () => {
    app = await TestApplication.start();
    api = interfaceOf(app.application);
  });

  afterAll(() => app.stop());

  it('has every operation under the same name, method, path and status', () => {
    const shared = api.operations.filter(({ operationId }) => !OWN_OPERATIONS.has(operationId));
    for (const { operationId, method, path, answers } of shared) {
      const theirs = contract.operations.get(operationId);
      expect({ operationId, method, path }).toEqual({ operationId, method: theirs?.method, path: theirs?.path });
      expect([...answers.keys()].filter((status) => status < 300)).toEqual([theirs!.success]);
    }
  });

  it('documents every error status of the contract for every operation, but for those that it never answers', () => {
    const missing = api.operations.flatMap(({ operationId, answers }) => {
      const statuses = [...(contract.operations.get(operationId)?.answers.keys() ?? [])];
      const errors = statuses.filter((status) => status >= 400 && status !== NEVER_ANSWERED[operationId]?.[0]);
      return errors.filter((status) => !answers.has(status)).map((status) => `${operationId} ${status}`);
    });
    expect(missing).toEqual([]);
  });

  it('has requests of the same form for every operation, but for what is decided otherwise', () => {
    const differences = Object.fromEntries(
      api.operations.flatMap((operation) => {
        const theirs = contract.operations.get(operation.operationId);
        if (theirs === undefined) return [];
        const found = requestDifferences(contract, theirs, api, operation);
        return found.length === 0 ? [] : [[operation.operationId, found]];
      }),
    );

    const decided = Object.entries(DECIDED).map(
      ([operationId, decisions]) => [operationId, decisions.map(([difference]) => difference).sort()] as const,
    );
    expect(differences).toEqual(Object.fromEntries(decided));
  });
});
