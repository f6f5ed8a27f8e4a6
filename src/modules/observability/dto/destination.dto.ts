import { DATA_REGIONS, type DataRegion } from '../../../config/data-region.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  FreeObjectField,
  IntegerField,
  NumberField,
  ObjectField,
  SchemaField,
  TextField,
  TextListField,
  TimestampField,
  UuidField,
} from '../../../http/validation/fields.js';
import { PathIdField, WorkspaceIdField } from '../../../http/validation/id-fields.js';
import { Deleted } from '../../../http/openapi/response-envelopes.js';
import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import type { JsonSchema } from '../../../http/openapi/json-schema.js';
import type { DestinationConfig } from '../config-mask.js';
import {
  DESTINATION_SETTINGS,
  DESTINATION_TYPES,
  type DestinationType,
  type Setting,
} from '../destination-settings.js';
import { DELIVERY_STATE, DELIVERY_STATES, type DeliveryState } from './deliveries.dto.js';
import { ObservabilityFilterRulesConfig } from './filter-rules.dto.js';
import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import { Rules } from '../../../http/validation/rules.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import { atMostInJson } from '../../../http/input/size-rules.js';
import { configOfItsType } from '../config-issues.js';
import { NamedPageQuery } from '../../../http/pagination/pagination.js';

const ENABLED = { description: 'Whether the destination receives anything.', example: true } as const;
const PRIVACY_MODE = { description: 'Whether prompts and completions are omitted.', example: false } as const;
const SENDS_COST = { description: 'Whether the cost is sent.', example: false } as const;
const SENDS_IDENTITY = { description: 'Whether the identity of the user is sent.', example: false } as const;
const SENDS_REQUEST_CONTEXT = { description: 'Whether the context of the request is sent.', example: false } as const;

const FILTER_RULES = {
  description: 'Rules that select the generations to send; null for all.',
  nullable: true,
} as const;
const API_KEY_HASHES = {
  description: 'The hashes of the API keys whose generations are sent; null for all keys.',
  example: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  nullable: true,
} as const;

/** What requests may name: the regions, and `eu` as another name of `europe`. */
const REQUESTED_REGIONS = [...DATA_REGIONS, 'eu'] as const;

/** The regions of a request without aliases and duplicates, in order of first appearance. */
export function regionsOf(requested: readonly (typeof REQUESTED_REGIONS)[number][]): DataRegion[] {
  return [...new Set(requested.map((region) => (region === 'eu' ? 'europe' : region)))];
}

/** Which destination. */
export class DestinationPath {
  @PathIdField('The id of the destination.', '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f67')
  id: string;
}

/** A destination of any type (docs/interface/destinations.md). */
export abstract class ObservabilityDestination {
  @UuidField({ description: 'The id of the destination.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f67' })
  id: string;

  @WorkspaceIdField('The workspace.')
  workspace_id: string;

  @TextField({ description: 'The name of the destination.', example: 'Production traces', nullable: true })
  name: string | null;

  /** Described by each variant. */
  type: DestinationType;

  @BooleanField(ENABLED)
  enabled: boolean;

  @BooleanField(PRIVACY_MODE)
  privacy_mode: boolean;

  @NumberField({
    description: 'The share of generations that is sent, from 0 to 1.',
    example: 1,
    minimum: 0,
    maximum: 1,
  })
  sampling_rate: number;

  @BooleanField(SENDS_COST)
  broadcast_generation_cost: boolean;

  @BooleanField(SENDS_IDENTITY)
  broadcast_generation_identity: boolean;

  @BooleanField(SENDS_REQUEST_CONTEXT)
  broadcast_generation_request_context: boolean;

  @EnumListField(DATA_REGIONS, {
    description: 'The regions whose deployments send their generations.',
    example: ['global'],
  })
  regions: DataRegion[];

  @TextListField(API_KEY_HASHES)
  api_key_hashes: string[] | null;

  @ObjectField(() => ObservabilityFilterRulesConfig, FILTER_RULES)
  filter_rules: ObservabilityFilterRulesConfig | null;

  /** Described by each variant. */
  config: DestinationConfig;

  @EnumField(DELIVERY_STATES, DELIVERY_STATE)
  delivery_state: DeliveryState;

  @TimestampField({ description: 'When the destination was created.' })
  created_at: string;

  @TimestampField({ description: 'When the destination was last changed.' })
  updated_at: string;
}

const VARIANTS: ReadonlyMap<DestinationType, new () => object> = new Map(
  DESTINATION_TYPES.map((type) => [type, variantOf(type)]),
);

@ApiExtraModels(...VARIANTS.values())
class AnyDestination {
  @SchemaField(anyVariant(), { description: 'The destination. `type` selects the form of `config`.' })
  data: ObservabilityDestination;
}

/** The answer to createObservabilityDestination. */
export class CreateObservabilityDestinationResponse extends AnyDestination {}

/** The answer to getObservabilityDestination. */
export class GetObservabilityDestinationResponse extends AnyDestination {}

/** The answer to updateObservabilityDestination. */
export class UpdateObservabilityDestinationResponse extends AnyDestination {}

/** The answer to listObservabilityDestinations. */
@ApiExtraModels(...VARIANTS.values())
export class ListObservabilityDestinationsResponse {
  @SchemaField({ type: 'array', items: anyVariant() }, { description: 'The destinations of the page.' })
  data: ObservabilityDestination[];

  @IntegerField({ description: 'The number of items on all pages.', example: 1, minimum: 0 })
  total_count: number;
}

/** The answer to deleteObservabilityDestination. */
export class DeleteObservabilityDestinationResponse extends Deleted('Always true: the destination was deleted.') {}

function anyVariant(): JsonSchema {
  const references = [...VARIANTS].map(([type, variant]) => [type, { $ref: getSchemaPath(variant) }] as const);
  return {
    oneOf: references.map(([, reference]) => reference),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(references.map(([type, { $ref }]) => [type, $ref])),
    },
  };
}

/** The variant of a type: a class of its own, so that the document names it as the contract does. */
function variantOf(type: DestinationType): new () => object {
  class Variant extends ObservabilityDestination {}
  EnumField([type], { description: 'The type.', example: type })(Variant.prototype, 'type');
  SchemaField(configSchema(type), { description: 'Connection settings; credentials are masked.' })(
    Variant.prototype,
    'config',
  );
  const pascalCase = type.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  Object.defineProperty(Variant, 'name', { value: `Observability${pascalCase}Destination` });
  return Variant;
}

function configSchema(type: DestinationType): JsonSchema {
  const settings = Object.entries(DESTINATION_SETTINGS[type]);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(settings.map(([name, setting]) => [name, settingSchema(setting)])),
      headers: {
        type: 'object',
        description: 'Additional headers. All their values are treated as credentials.',
        examples: [{ Authorization: 'Bear...cdef' }],
        additionalProperties: { type: 'string' },
      },
    },
    required: settings.filter(([, setting]) => setting.required).map(([name]) => name),
  };
}

/** A setting in an answer. The bounds of a credential do not hold for its mask. */
function settingSchema({ description, example, enum: values, default: fallback }: Setting): JsonSchema {
  return {
    type: 'string',
    description,
    examples: [example],
    ...(values && { enum: values }),
    ...(fallback !== undefined && { default: fallback }),
  };
}

const NAME = {
  description: 'The name of the destination.',
  example: 'Production traces',
  minLength: 1,
  maxLength: 200,
} as const;

const MAXIMUM_KEYS = 500;

/** The maximum size of filter rules, in bytes of JSON: room for about two hundred rules. */
const MAXIMUM_FILTER_RULES_SIZE = 16_384;

/** The fields of both creating and updating a destination. */
@BodyLimit(BODY_LIMITS.medium)
@Rules(atMostInJson('filter_rules', MAXIMUM_FILTER_RULES_SIZE))
abstract class DestinationRequest {
  @BooleanField({ ...ENABLED, optional: true })
  enabled?: boolean;

  @BooleanField({ ...PRIVACY_MODE, optional: true })
  privacy_mode?: boolean;

  @NumberField({
    description: 'The share of generations that is sent, from 0 to 1; 1 if absent.',
    example: 1,
    minimum: 0,
    maximum: 1,
    optional: true,
  })
  sampling_rate?: number;

  @BooleanField({ ...SENDS_COST, optional: true })
  broadcast_generation_cost?: boolean;

  @BooleanField({ ...SENDS_IDENTITY, optional: true })
  broadcast_generation_identity?: boolean;

  @BooleanField({ ...SENDS_REQUEST_CONTEXT, optional: true })
  broadcast_generation_request_context?: boolean;

  @EnumListField(REQUESTED_REGIONS, {
    description:
      'The regions whose deployments send their generations; eu is europe. A new destination without regions has global.',
    example: ['global'],
    minItems: 1,
    optional: true,
    asSent: true,
  })
  regions?: (typeof REQUESTED_REGIONS)[number][];

  @TextListField({ ...API_KEY_HASHES, minItems: 1, maxItems: MAXIMUM_KEYS, optional: true, asSent: true })
  api_key_hashes?: string[] | null;

  @ObjectField(() => ObservabilityFilterRulesConfig, { ...FILTER_RULES, optional: true })
  filter_rules?: ObservabilityFilterRulesConfig | null;
}

/** The body of createObservabilityDestination. */
@Rules(configOfItsType)
@SchemaExample({
  type: 'langfuse',
  name: 'Production traces',
  config: { publicKey: 'pk-lf-0123456789abcdef', secretKey: 'sk-lf-0123456789abcdef' },
  sampling_rate: 0.5,
  filter_rules: { groups: [{ rules: [{ field: 'model', operator: 'starts_with', value: 'openai/' }] }] },
})
export class CreateObservabilityDestinationRequest extends DestinationRequest {
  @EnumField(DESTINATION_TYPES, { description: 'The type, which cannot be changed.', example: 'langfuse' })
  type: DestinationType;

  @TextField(NAME)
  name: string;

  @FreeObjectField({
    description:
      'Connection settings of the type, with the same names as in responses. Addresses are https URLs of hosts on the internet.',
    example: { publicKey: 'pk-lf-0123456789abcdef', secretKey: 'sk-lf-0123456789abcdef' },
  })
  config: DestinationConfig;

  @WorkspaceIdField('The workspace of the destination; the default workspace if absent.', { optional: true })
  workspace_id?: string;

  @BooleanField({ ...ENABLED, optional: true, default: true })
  override enabled?: boolean;

  @BooleanField({ ...PRIVACY_MODE, optional: true, default: false })
  override privacy_mode?: boolean;

  @BooleanField({ ...SENDS_COST, optional: true, default: false })
  override broadcast_generation_cost?: boolean;

  @BooleanField({ ...SENDS_IDENTITY, optional: true, default: false })
  override broadcast_generation_identity?: boolean;

  @BooleanField({ ...SENDS_REQUEST_CONTEXT, optional: true, default: false })
  override broadcast_generation_request_context?: boolean;
}

/** The body of updateObservabilityDestination: what is left out stays as it is. */
@SchemaExample({ enabled: false, config: { secretKey: 'sk-lf-fedcba9876543210' } })
export class UpdateObservabilityDestinationRequest extends DestinationRequest {
  @TextField({ ...NAME, optional: true })
  name?: string;

  @FreeObjectField({
    description:
      'The connection settings to change. An absent setting stays; null removes it or restores its default; headers are replaced as a whole. A credential that is sent back masked stays.',
    example: { secretKey: 'sk-lf-fedcba9876543210' },
    optional: true,
  })
  config?: DestinationConfig;
}

/** Which destinations to list. */
export class ListDestinationsQuery extends NamedPageQuery {
  @WorkspaceIdField('The workspace whose destinations to list; the default workspace if absent.', { optional: true })
  workspace_id?: string;
}
