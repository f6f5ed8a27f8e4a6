import { AdditionalProperties } from '../../../http/validation/dto-fields.js';
import {
  BooleanField,
  EnumField,
  FreeObjectField,
  FreeObjectListField,
  IntegerField,
  NumberField,
  ObjectField,
  SchemaField,
  TextField,
  TextListField,
} from '../../../http/validation/fields.js';
import { PLUGIN, STREAM_OPTIONS, TRACE } from './shared-schemas.js';
import { ProviderPreferences } from './provider-preferences.dto.js';

const OPTIONAL = { optional: true, nullable: true } as const;

/** The settings that all forms of requests share: chat completions, completions, Messages and Responses. */
@AdditionalProperties()
export abstract class RequestSettings {
  @TextField({
    example: 'support-bot',
    description: 'The slug of a preset.',
    minLength: 1,
    maxLength: 200,
    optional: true,
  })
  preset?: string;

  @ObjectField(() => ProviderPreferences, {
    description: 'Which providers are tried, and in which order.',
    ...OPTIONAL,
  })
  provider?: ProviderPreferences | null;

  @EnumField(['fallback', 'sort'], {
    description: 'The earlier form of `provider.sort.partition`.',
    deprecated: true,
    ...OPTIONAL,
  })
  route?: 'fallback' | 'sort' | null;

  @BooleanField({
    example: false,
    description: 'Whether the answer is sent as server-sent events while it is made.',
    default: false,
    ...OPTIONAL,
  })
  stream?: boolean | null;

  @NumberField({ example: 0.7, description: 'Sampling temperature.', minimum: 0, maximum: 2, ...OPTIONAL })
  temperature?: number | null;

  @NumberField({
    example: 0.9,
    description: 'Nucleus sampling: the likeliest tokens whose probabilities add up to this share.',
    minimum: 0,
    maximum: 1,
    ...OPTIONAL,
  })
  top_p?: number | null;

  @IntegerField({ example: 40, description: 'Samples from the k likeliest tokens.', minimum: 0, ...OPTIONAL })
  top_k?: number | null;

  @TextField({
    example: 'session-1',
    description: 'Requests of one session stay with one endpoint. Takes precedence over the header x-session-id.',
    maxLength: 256,
    ...OPTIONAL,
  })
  session_id?: string | null;

  @FreeObjectListField({
    example: [{ id: 'context-compression' }],
    description:
      'Further steps of processing, by their id: `context-compression` and `response-healing`. Others are refused unless `enabled` is false.',
    maxItems: 50,
    form: PLUGIN,
    ...OPTIONAL,
  })
  plugins?: readonly Readonly<Record<string, unknown>>[] | null;

  @FreeObjectField({
    example: { trace_name: 'support' },
    description: 'The names of the request in traces.',
    form: TRACE,
    ...OPTIONAL,
  })
  trace?: Readonly<Record<string, unknown>> | null;

  @EnumField(['us', 'global'], {
    description:
      'Where data may be processed. With `us` only endpoints that keep to it are candidates, and tokens cost 1.1 times their price.',
    ...OPTIONAL,
  })
  inference_geo?: 'us' | 'global' | null;
}

/** The further settings that chat completions, completions and Responses share. */
export abstract class ModelRequestSettings extends RequestSettings {
  @TextField({
    description:
      'A model by id, canonical slug or alias, with a variant (`:nitro`, `:floor`, ...) or a preset (`@preset/slug`, `author/model@preset/slug`). The author may be left out where no other has a model of this slug. By default that of the workspace.',
    example: 'gatehouse/echo',
    minLength: 1,
    maxLength: 400,
    optional: true,
  })
  model?: string;

  @TextListField({
    example: ['anthropic/claude-sonnet-4.6'],
    description: 'Models to try one after the other, after `model`.',
    maxItems: 20,
    items: { minLength: 1, maxLength: 400 },
    optional: true,
  })
  models?: readonly string[];

  @NumberField({
    example: 0,
    description: 'Penalty for tokens that occur often, in proportion to how often.',
    minimum: -2,
    maximum: 2,
    ...OPTIONAL,
  })
  frequency_penalty?: number | null;

  @NumberField({
    example: 0,
    description: 'Penalty for tokens that have occurred.',
    minimum: -2,
    maximum: 2,
    ...OPTIONAL,
  })
  presence_penalty?: number | null;

  @EnumField(['auto', 'default', 'fast', 'flex', 'priority', 'scale'], {
    description: 'The tier of service.',
    ...OPTIONAL,
  })
  service_tier?: string | null;

  @TextField({
    example: 'support',
    description: 'Requests of one key stay with one endpoint, whose cache knows the prompt.',
    ...OPTIONAL,
  })
  prompt_cache_key?: string | null;

  @TextField({
    example: 'user-4711',
    description: "The caller's own name for the end user.",
    maxLength: 256,
    ...OPTIONAL,
  })
  user?: string | null;
}

/** The further settings that chat completions and completions share. */
export abstract class CompletionSettings extends ModelRequestSettings {
  @FreeObjectField({
    example: { include_usage: true },
    description: 'Accepted without effect: a stream always ends with its usage.',
    form: STREAM_OPTIONS,
    ...OPTIONAL,
  })
  stream_options?: Readonly<Record<string, unknown>> | null;

  @IntegerField({ example: 1000, description: 'The maximum of the answer, in tokens.', minimum: 1, ...OPTIONAL })
  max_tokens?: number | null;

  @NumberField({
    example: 0.05,
    description: 'The minimum probability of a token, relative to that of the likeliest token.',
    minimum: 0,
    maximum: 1,
    ...OPTIONAL,
  })
  min_p?: number | null;

  @NumberField({
    example: 0.1,
    description: "Like min_p, relative to the square of the likeliest token's probability.",
    minimum: 0,
    maximum: 1,
    ...OPTIONAL,
  })
  top_a?: number | null;

  @NumberField({ example: 1, description: 'Penalty for repetitions.', minimum: 0, maximum: 2, ...OPTIONAL })
  repetition_penalty?: number | null;

  @IntegerField({ example: 42, description: 'The same seed asks for the same answer.', ...OPTIONAL })
  seed?: number | null;

  @SchemaField(
    { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, maxItems: 4 }, { type: 'null' }] },
    { example: 'END', description: 'Texts at which the answer ends.', optional: true },
  )
  stop?: string | readonly string[] | null;

  @FreeObjectField({
    example: { '50256': -100 },
    description: 'Bias of tokens by their number in the vocabulary, from -100 to 100.',
    ...OPTIONAL,
  })
  logit_bias?: Readonly<Record<string, number>> | null;

  @FreeObjectField({
    example: { ticket: '4711' },
    description: 'Up to 16 texts by name, for the records.',
    ...OPTIONAL,
  })
  metadata?: Readonly<Record<string, string>> | null;
}
