import { DATA_REGIONS, type DataRegion } from '../../../config/data-region.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  IntegerField,
  NumberField,
  ObjectField,
  SchemaField,
  TextField,
  TextListField,
  TimestampField,
  TrueField,
  UuidField,
} from '../../../http/schema/fields.js';
import type { JsonSchema } from '../../../http/schema/json-schema.js';
import { referenceTo, type SchemaClass } from '../../../http/schema/schema-registry.js';
import type { DestinationConfig } from '../credential-mask.js';
import { DESTINATION_SETTINGS, type Setting } from '../destination-settings.js';
import { DESTINATION_TYPES, type DestinationType } from '../destination-type.js';
import { ObservabilityFilterRulesConfig } from './filter-rules.dto.js';

/** A destination, of any type (SERVICE.md, section 2.10). */
export abstract class ObservabilityDestination {
  @UuidField({ description: 'The destination.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f67' })
  id: string;

  @UuidField({ description: 'The workspace.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61' })
  workspace_id: string;

  @TextField({ description: 'The name.', example: 'Production traces', nullable: true })
  name: string | null;

  /** Described by each variant. */
  type: DestinationType;

  @BooleanField({ description: 'Whether anything is sent.', example: true })
  enabled: boolean;

  @BooleanField({ description: 'Whether prompts and completions are left out.', example: false })
  privacy_mode: boolean;

  @NumberField({ description: 'The share of generations that is sent.', example: 1, minimum: 0, maximum: 1 })
  sampling_rate: number;

  @BooleanField({ description: 'Whether the cost is sent.', example: false })
  broadcast_generation_cost: boolean;

  @BooleanField({ description: 'Whether the identity of the user is sent.', example: false })
  broadcast_generation_identity: boolean;

  @BooleanField({ description: 'Whether the context of the request is sent.', example: false })
  broadcast_generation_request_context: boolean;

  @EnumListField(DATA_REGIONS, {
    description: 'The regions whose deployments send their generations: a deployment in another region sends none.',
    example: ['global'],
  })
  regions: DataRegion[];

  @TextListField({
    description: 'The hashes of the keys whose generations are sent; null for all.',
    example: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    nullable: true,
  })
  api_key_hashes: string[] | null;

  @ObjectField(() => ObservabilityFilterRulesConfig, { description: 'Which generations are sent.', nullable: true })
  filter_rules: ObservabilityFilterRulesConfig | null;

  /** Described by each variant. */
  config: DestinationConfig;

  @TimestampField({ description: 'When it was created.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed.' })
  updated_at: string;
}

const VARIANTS: ReadonlyMap<DestinationType, SchemaClass> = new Map(
  DESTINATION_TYPES.map((type) => [type, variantOf(type)]),
);

class AnyDestination {
  @SchemaField(anyVariant, { description: 'The destination; its type says which variant it is.' })
  data: ObservabilityDestination;
}

/** The answer to createObservabilityDestination. */
export class CreateObservabilityDestinationResponse extends AnyDestination {}

/** The answer to getObservabilityDestination. */
export class GetObservabilityDestinationResponse extends AnyDestination {}

/** The answer to updateObservabilityDestination. */
export class UpdateObservabilityDestinationResponse extends AnyDestination {}

/** The answer to listObservabilityDestinations. */
export class ListObservabilityDestinationsResponse {
  @SchemaField(() => ({ type: 'array', items: anyVariant() }), { description: 'The destinations of the page.' })
  data: ObservabilityDestination[];

  @IntegerField({ description: 'How many items there are on all pages.', example: 1, minimum: 0 })
  total_count: number;
}

/** The answer to deleteObservabilityDestination. */
export class DeleteObservabilityDestinationResponse {
  @TrueField({ description: 'Nothing is sent there any more.', example: true })
  deleted: true;
}

function anyVariant(): JsonSchema {
  const references = [...VARIANTS].map(([type, variant]) => [type, referenceTo(variant)] as const);
  return {
    oneOf: references.map(([, reference]) => reference),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(references.map(([type, { $ref }]) => [type, $ref!])),
    },
  };
}

/** The variant of a type: a class of its own, so that the document names it as the contract does. */
function variantOf(type: DestinationType): SchemaClass {
  class Variant extends ObservabilityDestination {}
  EnumField([type], { description: 'The variant.', example: type })(Variant.prototype, 'type');
  SchemaField(() => configSchema(type), { description: 'Connection settings; credentials are masked.' })(
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
        description: 'Further headers; their values are credentials.',
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
