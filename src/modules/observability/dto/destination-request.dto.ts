import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import { Rules } from '../../../http/input/rules.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  NumberField,
  ObjectField,
  SchemaField,
  TextField,
  TextListField,
  UuidField,
} from '../../../http/schema/fields.js';
import { WholeExample } from '../../../http/schema/schema-registry.js';
import { atMostInJson } from '../../../http/input/size-rules.js';
import { configOfItsType } from '../config-faults.js';
import type { DestinationConfig } from '../credential-mask.js';
import { REQUESTED_REGIONS } from '../destination-region.js';
import { DESTINATION_TYPES, type DestinationType } from '../destination-type.js';
import { ObservabilityFilterRulesConfig } from './filter-rules.dto.js';

const NAME = { description: 'The name.', example: 'Production traces', minLength: 1, maxLength: 200 } as const;

/** How many keys a destination can name; beyond that, have the generations of all keys sent. */
const MAXIMUM_KEYS = 500;

/** The largest rules of a destination, in bytes of JSON: room for some two hundred of them. */
const MAXIMUM_FILTER_RULES_SIZE = 16_384;

/** What may be said of a destination when it is made, and later. */
@BodyLimit(BODY_LIMITS.medium)
@Rules(atMostInJson('filter_rules', MAXIMUM_FILTER_RULES_SIZE))
abstract class DestinationRequest {
  @BooleanField({ description: 'Whether anything is sent.', example: true, optional: true, default: true })
  enabled?: boolean;

  @BooleanField({
    description: 'Whether prompts and completions are left out.',
    example: false,
    optional: true,
    default: false,
  })
  privacy_mode?: boolean;

  @NumberField({
    description: 'The share of generations that is sent; 1 when left out.',
    example: 1,
    minimum: 0,
    maximum: 1,
    optional: true,
  })
  sampling_rate?: number;

  @BooleanField({ description: 'Whether the cost is sent.', example: false, optional: true, default: false })
  broadcast_generation_cost?: boolean;

  @BooleanField({
    description: 'Whether the identity of the user is sent.',
    example: false,
    optional: true,
    default: false,
  })
  broadcast_generation_identity?: boolean;

  @BooleanField({
    description: 'Whether the context of the request is sent.',
    example: false,
    optional: true,
    default: false,
  })
  broadcast_generation_request_context?: boolean;

  @EnumListField(REQUESTED_REGIONS, {
    description:
      'The regions whose deployments send their generations, each kept once; eu is europe. When left out of a creation: global.',
    example: ['global'],
    minItems: 1,
    optional: true,
  })
  regions?: (typeof REQUESTED_REGIONS)[number][];

  @TextListField({
    description: 'The hashes of the API keys whose generations are sent; null for all.',
    example: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    minItems: 1,
    maxItems: MAXIMUM_KEYS,
    optional: true,
    nullable: true,
  })
  api_key_hashes?: string[] | null;

  @ObjectField(() => ObservabilityFilterRulesConfig, {
    description: 'Which generations are sent; null for all.',
    optional: true,
    nullable: true,
  })
  filter_rules?: ObservabilityFilterRulesConfig | null;
}

/** The body of createObservabilityDestination. */
@Rules(configOfItsType)
@WholeExample({
  type: 'langfuse',
  name: 'Production traces',
  config: { publicKey: 'pk-lf-0123456789abcdef', secretKey: 'sk-lf-0123456789abcdef' },
  sampling_rate: 0.5,
  filter_rules: { groups: [{ rules: [{ field: 'model', operator: 'starts_with', value: 'openai/' }] }] },
})
export class CreateObservabilityDestinationRequest extends DestinationRequest {
  @EnumField(DESTINATION_TYPES, { description: 'The variant, which never changes.', example: 'langfuse' })
  type: DestinationType;

  @TextField(NAME)
  name: string;

  @SchemaField(() => ({ type: 'object', additionalProperties: true }), {
    description:
      'Connection settings, as the destination of the type has them in answers. Addresses are https URLs of hosts on the internet.',
    example: { publicKey: 'pk-lf-0123456789abcdef', secretKey: 'sk-lf-0123456789abcdef' },
  })
  config: DestinationConfig;

  @UuidField({
    description: 'The workspace; when left out, the default workspace.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
    optional: true,
  })
  workspace_id?: string;
}

/** The body of updateObservabilityDestination: what is left out stays as it is. */
@WholeExample({ enabled: false, config: { secretKey: 'sk-lf-fedcba9876543210' } })
export class UpdateObservabilityDestinationRequest extends DestinationRequest {
  @TextField({ ...NAME, optional: true })
  name?: string;

  @SchemaField(() => ({ type: 'object', additionalProperties: true }), {
    description:
      'The connection settings to change: one that is left out stays, null takes it back to its default or away, headers are given all together. A credential that is sent back masked stays as it is.',
    example: { secretKey: 'sk-lf-fedcba9876543210' },
    optional: true,
  })
  config?: DestinationConfig;

  // What is left out of a change has no default.
  @BooleanField({ description: 'Whether anything is sent.', example: true, optional: true })
  override enabled?: boolean;

  @BooleanField({ description: 'Whether prompts and completions are left out.', example: false, optional: true })
  override privacy_mode?: boolean;

  @BooleanField({ description: 'Whether the cost is sent.', example: false, optional: true })
  override broadcast_generation_cost?: boolean;

  @BooleanField({ description: 'Whether the identity of the user is sent.', example: false, optional: true })
  override broadcast_generation_identity?: boolean;

  @BooleanField({ description: 'Whether the context of the request is sent.', example: false, optional: true })
  override broadcast_generation_request_context?: boolean;
}
