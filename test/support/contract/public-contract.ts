import { FILTER_PLACES } from '../../../src/modules/content/content-filters.js';
import type { AnySchemaObject } from 'ajv';
import { readFileSync } from 'node:fs';

interface ContractOperation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, unknown>>;
}

/** The public contract, as far as tests read it. */
export interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ContractOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, AnySchemaObject>>;
    readonly responses: Readonly<Record<string, unknown>>;
  };
}

/** The public interface that existing clients are generated from: names, types, enums, bounds and statuses. */
const MANAGEMENT_FILE = 'test/contract/management-contract.json';

/** The public interface of inference and what belongs to it. */
const INFERENCE_FILE = 'test/contract/inference-contract.json';

/** The paths of the inference contract that are implemented. */
export const INFERENCE_PATHS: readonly string[] = [
  '/activity',
  '/analytics/meta',
  '/analytics/query',
  '/byok',
  '/byok/{id}',
  '/chat/completions',
  '/credits',
  '/embeddings',
  '/embeddings/models',
  '/generation',
  '/generation/content',
  '/messages',
  '/presets/{slug}/messages',
  '/presets/{slug}/responses',
  '/responses',
];

const TEXT = { type: 'string' };

const TEXT_OR_NULL = { type: ['string', 'null'] };

const ERROR_TYPE = {
  type: 'string',
  pattern: '^(invalid_request|authentication|permission|not_found|rate_limit|api|overloaded|billing|timeout)_error$',
};

/** Our own field of keys and of workspaces. */
const RATE_LIMITS = {
  type: ['object', 'null'],
  required: ['requests_per_minute', 'tokens_per_minute'],
  properties: {
    requests_per_minute: { type: ['integer', 'null'], minimum: 1 },
    tokens_per_minute: { type: ['integer', 'null'], minimum: 1 },
  },
};

/** Our own field of keys: why they are suspended (docs/interface/keys-and-oauth.md#suspended-keys). */
const SUSPENSION_CAUSES = { type: 'array', items: { enum: ['workspace_membership', 'member_deactivated'] } };

/** Our own fields of members (docs/interface/members.md). */
const OWN_FIELDS_OF_MEMBERS: AnySchemaObject = {
  name: TEXT,
  status: { enum: ['active', 'deactivated', 'ended'] },
  kind: { enum: ['person', 'service'] },
  scim_managed: { type: 'boolean' },
};

/** Our own field of keys: the client addresses that they are bound to (docs/interface/keys-and-oauth.md#client-addresses). */
const ALLOWED_ADDRESSES = { type: ['array', 'null'], items: TEXT, minItems: 1, maxItems: 50 };

/** Our own field of what a key says of itself (docs/interface/permissions.md). */
const PERMISSIONS = { type: ['array', 'null'], items: { type: 'string', pattern: '^[a-z_]+_(read|write)$' } };

/** What the newest clients of the public interface require of a budget of a key. */
const KEY_BUDGET: AnySchemaObject = {
  type: 'object',
  required: [
    'budget_id',
    'guardrail_id',
    'include_byok',
    'limit_usd',
    'remaining_usd',
    'reset_interval',
    'resets_at',
    'scope',
    'spend_usd',
  ],
  additionalProperties: false,
  properties: {
    budget_id: TEXT_OR_NULL,
    guardrail_id: TEXT_OR_NULL,
    include_byok: { type: 'boolean' },
    limit_usd: { type: 'number' },
    remaining_usd: { type: 'number' },
    reset_interval: { enum: ['daily', 'weekly', 'monthly', null] },
    resets_at: TEXT_OR_NULL,
    scope: {
      enum: ['workspace_default_member', 'workspace_default_key', 'member', 'api_key', 'workspace', 'key_limit'],
    },
    spend_usd: { type: 'number' },
  },
};

/** What a key says of itself besides the contract: all of its budgets, and the tightest. */
const BUDGETS_OF_KEY: readonly [string, AnySchemaObject][] = [
  ['budgets', { type: 'array', items: KEY_BUDGET }],
  ['effective_budget', { anyOf: [KEY_BUDGET, { type: 'null' }] }],
];

/** Our own field of destinations: how their deliveries go (docs/interface/destinations.md#states). */
const DELIVERY_STATE = { enum: ['active', 'retrying', 'paused', 'gone', 'off'] };

/** Why no model or provider could answer a request (docs/interface/inference.md#availability). */
const AVAILABILITY: AnySchemaObject = {
  type: 'object',
  required: ['code', 'retryable', 'requested_models', 'docs_url'],
  additionalProperties: false,
  properties: {
    code: TEXT,
    retryable: { type: 'boolean' },
    requested_models: { type: 'array', items: TEXT },
    docs_url: TEXT,
    retry_after: { type: 'integer', minimum: 0 },
    affected_providers: { type: 'array', items: TEXT, minItems: 1 },
    excluded_by: { type: 'array', items: TEXT, minItems: 1 },
    constraint: { type: 'object', required: ['field', 'detail'], properties: { field: TEXT, detail: TEXT } },
  },
};

/** What a provider got in another form than the client had sent (docs/interface/capabilities.md#adjustments). */
const ADJUSTMENT: AnySchemaObject = {
  type: 'object',
  required: ['path', 'action', 'reason'],
  additionalProperties: false,
  properties: { path: TEXT, action: { enum: ['left_out', 'changed'] }, reason: TEXT },
};

/** What clients of OpenAI's interface read of an error. */
const OF_OPENAI = { type: TEXT, param: { type: ['string', 'null'] } };

/** What content filters have besides. */
const FILTER_FURTHER = {
  holds_whole_text: { type: 'boolean' },
  applies_to: { type: 'array', minItems: 1, items: { type: 'string', enum: [...FILTER_PLACES] } },
};

/** Properties that answers have besides those of the contract's schemas: on the wire of the public interface, or our own. */
const FURTHER_PROPERTIES: Readonly<Record<string, AnySchemaObject>> = {
  Workspace: {
    rate_limits: RATE_LIMITS,
    is_response_cache_enabled: { type: ['boolean', 'null'] },
    allowed_labels: { type: 'object' },
  },
  // What OpenAI's document requires of the list of models.
  Model: { object: { const: 'model' }, owned_by: TEXT },
  ModelsListResponse: { object: { const: 'list' } },
  // What the public interface has no price for (docs/interface/catalog-import.md#a-model).
  PublicPricing: { character: TEXT, image_output_token: TEXT, second: TEXT },
  PublicEndpoint: {
    pricing: { $ref: '#/components/schemas/PublicPricing' },
    // What the newest clients of the public interface require of an endpoint.
    native_tools: { type: 'object', additionalProperties: false },
    service_tier: { enum: ['flex', 'priority', 'ultrafast', null] },
    supports_diarization: { type: 'boolean' },
  },
  Guardrail: {
    enforcement: { enum: ['enforce', 'observe'] },
    inspector_ids: { type: 'array', items: { type: 'string' } },
    allowed_mcp_tools: { type: 'array', items: { type: 'string' } },
    ignored_mcp_tools: { type: 'array', items: { type: 'string' } },
    mcp_argument_rules: { type: 'array', items: { type: 'object' } },
  },
  ContentFilterEntry: FILTER_FURTHER,
  ContentFilterBuiltinEntry: FILTER_FURTHER,
  ChatResult: { provider: { type: 'string' } },
  // The time is that of the newest public interface.
  OpenRouterMetadata: { adjustments: { type: 'array', items: ADJUSTMENT }, generation_time: { type: 'integer' } },
  ChatChoice: { native_finish_reason: { type: ['string', 'null'] } },
  // What the newest types of Anthropic's library require of a message.
  BaseMessagesResult: { diagnostics: { type: 'null' } },
  // Of a message as a whole, which is described in parts.
  AnthropicUsage: {
    cost: { type: 'number' },
    cost_details: { $ref: '#/components/schemas/CostDetails' },
    is_byok: { type: 'boolean' },
    speed: { enum: ['standard', 'fast', null] },
  },
  // What every failure has, beside what clients of the form read.
  AnthropicMessagesErrorResponse: {
    error: {
      type: 'object',
      required: ['type', 'message', 'error_type', 'code'],
      properties: {
        type: ERROR_TYPE,
        message: TEXT,
        error_type: TEXT,
        code: { type: 'integer' },
        metadata: { type: 'object' },
        availability: AVAILABILITY,
      },
    },
    service_metadata: { type: 'object' },
    user_id: { type: ['string', 'null'] },
  },
  // The contract has these of the same object in another part of its description.
  OpenAIResponsesUsage: {
    cost: { type: 'number' },
    is_byok: { type: 'boolean' },
    cost_details: { type: 'object', additionalProperties: { type: ['number', 'null'] } },
  },
};

/** What the record of a generation has besides the contract. */
const FURTHER_OF_RECORD: AnySchemaObject = {
  status: { type: 'integer' },
  refusal: TEXT_OR_NULL,
  limited_by: { type: ['object', 'null'], additionalProperties: true },
  labels: { type: 'object' },
  observed: { type: 'array', items: { type: 'object', additionalProperties: true } },
  requested_model: TEXT,
  key_hash: TEXT_OR_NULL,
  key_name: TEXT_OR_NULL,
  key_label: TEXT_OR_NULL,
  user_id: TEXT,
  user_name: TEXT_OR_NULL,
  attempts: { type: 'array', items: { type: 'object', additionalProperties: true } },
  charges: { type: 'array', items: { type: 'object', additionalProperties: true } },
  overrun: { type: 'number' },
  is_usage_estimated: { type: 'boolean' },
  is_usage_capped: { type: 'boolean' },
  guardrail_actions: { type: 'array', items: { type: 'object', additionalProperties: true } },
  adjustments: { type: 'array', items: ADJUSTMENT },
  feedback: { type: 'array', items: { type: 'object', additionalProperties: true } },
};

/** A provider whose name stands in every list of names that the contract has. */
const LISTED_PROVIDER = 'Anthropic';

/** Adds the builtin provider to every list of names of providers. */
function withBuiltinProvider(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(withBuiltinProvider);
    return items.includes(LISTED_PROVIDER) ? [...items, 'Gatehouse'] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withBuiltinProvider(part)]));
}

/** Adds what answers have besides the contract's properties. */
function withFurtherProperties(schemas: Record<string, AnySchemaObject>): Record<string, AnySchemaObject> {
  const extended = structuredClone(schemas);
  for (const [name, properties] of Object.entries(FURTHER_PROPERTIES)) {
    Object.assign(extended[name]!['properties'] as object, properties);
  }
  for (const [name, schema] of Object.entries(extended)) {
    if (!/^Observability.+Destination$/.test(name)) continue;
    const properties = schema['properties'] as Record<string, { properties?: Record<string, object> }>;
    properties['delivery_state'] = DELIVERY_STATE as object;
    // Our own setting: what signs the deliveries of a webhook.
    if (name === 'ObservabilityWebhookDestination') properties['config']!.properties!['signingSecret'] = TEXT;
  }
  // Null until it is known, as the newest client of the public interface has it.
  extended['OpenAIResponsesUsage']!['type'] = ['object', 'null'];
  const record = extended['GenerationResponse']!['properties'] as { data: { properties: object } };
  Object.assign(record.data.properties, FURTHER_OF_RECORD);
  return extended;
}

/** What the contract of inference says with its maker's name, in the names of the default dialect. */
const RENAMED: Readonly<Record<string, string>> = {
  '"X-OpenRouter-Metadata"': '"X-Router-Metadata"',
  '"openrouter_metadata"': '"router_metadata"',
};

function inDefaultDialect(text: string): string {
  return Object.entries(RENAMED).reduce((rest, [theirs, ours]) => rest.replaceAll(theirs, ours), text);
}

/** The fields of every failure, as far as they are extended. */
interface ErrorProperties {
  router_metadata?: object;
  error_type?: object;
  readonly error: { readonly properties: Record<string, object> };
}

/** Errors of inference may say how the request was routed, why no model or provider could answer it, and of which kind they are. */
function withRoutingFields(components: Contract['components']): Contract['components'] {
  const extended = structuredClone(components) as unknown as {
    responses: { Error: { content: { 'application/json': { schema: { properties: ErrorProperties } } } } };
  };
  const { properties } = extended.responses.Error.content['application/json'].schema;
  properties.router_metadata = { $ref: '#/components/schemas/OpenRouterMetadata' };
  properties.error_type = TEXT;
  properties.error.properties['availability'] = AVAILABILITY;
  // What OpenAI's document requires of an error.
  Object.assign(properties.error.properties, OF_OPENAI);
  return extended as unknown as Contract['components'];
}

/** @returns the public contract as JSON text (an OpenAPI 3.1 document), in the names of the default dialect */
export function readContract(): string {
  const management = JSON.parse(readFileSync(MANAGEMENT_FILE, 'utf8')) as Contract;
  const inference = JSON.parse(inDefaultDialect(readFileSync(INFERENCE_FILE, 'utf8'))) as Contract;
  const paths = INFERENCE_PATHS.map((path) => [path, inference.paths[path]] as const);
  // What both describe is described by the contract of management as this service has it.
  const components = withRoutingFields(management.components);
  const document = {
    ...management,
    paths: { ...(withOwnFieldsOfKeys(management.paths) as Contract['paths']), ...Object.fromEntries(paths) },
    components: {
      ...components,
      responses: { ...inference.components.responses, ...components.responses },
      schemas: withFurtherProperties({ ...inference.components.schemas, ...components.schemas }),
    },
  };
  return JSON.stringify(withBuiltinProvider(document));
}

/** Adds our own fields to what answers say of keys, wherever the contract describes a key. */
function withOwnFieldsOfKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOwnFieldsOfKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries: [string, unknown][] = Object.entries(value).map(([name, part]) => [name, withOwnFieldsOfKeys(part)]);
  const isKey = 'limit_remaining' in value && 'usage_monthly' in value;
  // What listOrganizationMembers says of a member.
  if ('first_name' in value && 'last_name' in value) entries.push(...Object.entries(OWN_FIELDS_OF_MEMBERS));
  if (isKey) entries.push(['rate_limits', RATE_LIMITS]);
  // What a key says of itself has no hash: a suspended one says nothing.
  if (isKey && 'hash' in value) {
    entries.push(
      ['suspension_causes', SUSPENSION_CAUSES],
      ['allowed_addresses', ALLOWED_ADDRESSES],
      ['labels', { type: 'object' }],
      ['bound_user', TEXT],
      ['last_used_at', TEXT_OR_NULL],
    );
  }
  if (isKey && 'is_management_key' in value) entries.push(['permissions', PERMISSIONS], ...BUDGETS_OF_KEY);
  return Object.fromEntries(entries);
}

/** The slugs of providers that the contract names. */
export function providersOfContract(): readonly string[] {
  const { components } = JSON.parse(readContract()) as Contract;
  return components.schemas['BYOKProviderSlug']!['enum'] as readonly string[];
}
