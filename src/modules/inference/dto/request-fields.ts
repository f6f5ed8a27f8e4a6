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
} from '../../../api/validation/fields.js';
import { ProviderPreferences } from './provider-preferences.dto.js';

// The fields that the bodies of several operations of inference have in the same form, each a decorator.

const OPTIONAL = { optional: true, nullable: true } as const;

/** The preset that the body is completed with. */
export const PresetField = (): PropertyDecorator =>
  TextField({
    example: 'support-bot',
    description: 'The slug of a preset.',
    minLength: 1,
    maxLength: 200,
    optional: true,
  });

/** Which providers are tried. */
export const ProviderField = (): PropertyDecorator =>
  ObjectField(() => ProviderPreferences, {
    description: 'Which providers are tried, and in which order.',
    ...OPTIONAL,
  });

/** The earlier form of an order across models. */
export const RouteField = (): PropertyDecorator =>
  EnumField(['fallback', 'sort'], {
    description: 'The earlier form of `provider.sort.partition`.',
    deprecated: true,
    ...OPTIONAL,
  });

/** Whether the answer is streamed. */
export const StreamField = (): PropertyDecorator =>
  BooleanField({
    example: false,
    description: 'Whether the answer is sent as server-sent events while it is made.',
    default: false,
    ...OPTIONAL,
  });

/** The temperature of sampling. */
export const TemperatureField = (): PropertyDecorator =>
  NumberField({ example: 0.7, description: 'Sampling temperature.', minimum: 0, maximum: 2, ...OPTIONAL });

/** The share of the likeliest tokens that are sampled from. */
export const TopPField = (): PropertyDecorator =>
  NumberField({ example: 0.9, description: 'Nucleus sampling.', minimum: 0, maximum: 1, ...OPTIONAL });

/** The number of the likeliest tokens that are sampled from. */
export const TopKField = (): PropertyDecorator =>
  IntegerField({ example: 40, description: 'Samples from the k likeliest tokens.', minimum: 0, ...OPTIONAL });

/** The penalty on frequent tokens. */
export const FrequencyPenaltyField = (): PropertyDecorator =>
  NumberField({ example: 0, description: 'Penalty for frequent tokens.', minimum: -2, maximum: 2, ...OPTIONAL });

/** The penalty on tokens that were there. */
export const PresencePenaltyField = (): PropertyDecorator =>
  NumberField({ example: 0, description: 'Penalty for tokens that occurred.', minimum: -2, maximum: 2, ...OPTIONAL });

/** How many alternatives of each token are told. */
export const TopLogprobsField = (): PropertyDecorator =>
  IntegerField({
    example: 0,
    description: 'How many alternatives of each token are returned.',
    minimum: 0,
    maximum: 20,
    ...OPTIONAL,
  });

/** The session of a request. */
export const SessionIdField = (): PropertyDecorator =>
  TextField({
    example: 'session-1',
    description: 'Requests of one session stay with one endpoint. Wins over the header x-session-id.',
    maxLength: 256,
    ...OPTIONAL,
  });

/** The key of a cached prompt. */
export const PromptCacheKeyField = (): PropertyDecorator =>
  TextField({
    example: 'support',
    description: 'Requests of one key stay with one endpoint, whose cache knows the prompt.',
    ...OPTIONAL,
  });

/** How the request is named in traces. */
export const TraceField = (): PropertyDecorator =>
  FreeObjectField({
    example: { trace_name: 'support' },
    description: 'How the request is named in traces.',
    ...OPTIONAL,
  });

/** The model to try first. */
export const ModelField = (): PropertyDecorator =>
  TextField({
    description:
      'A model by id, canonical slug or alias, with a variant (`:nitro`, `:floor`, ...) or a preset (`@preset/slug`, `author/model@preset/slug`). By default that of the workspace.',
    example: 'gatehouse/echo',
    minLength: 1,
    maxLength: 400,
    optional: true,
  });

/** The further models of a request. */
export const ModelsField = (): PropertyDecorator =>
  TextListField({
    example: ['anthropic/claude-sonnet-4.6'],
    description: 'Models to try one after the other, behind `model`.',
    maxItems: 20,
    items: { minLength: 1, maxLength: 400 },
    optional: true,
  });

/** What a stream has besides its answer. */
export const StreamOptionsField = (): PropertyDecorator =>
  FreeObjectField({
    example: { include_usage: true },
    description: 'Accepted without effect: a stream always ends with its usage.',
    ...OPTIONAL,
  });

/** The longest answer. */
export const MaxTokensField = (): PropertyDecorator =>
  IntegerField({ example: 1000, description: 'The maximum of the answer, in tokens.', minimum: 1, ...OPTIONAL });

/** The least probability of a token. */
export const MinPField = (): PropertyDecorator =>
  NumberField({
    example: 0.05,
    description: 'The least probability of a token, relative to the likeliest.',
    minimum: 0,
    maximum: 1,
    ...OPTIONAL,
  });

/** The least probability of a token, with a square. */
export const TopAField = (): PropertyDecorator =>
  NumberField({
    example: 0.1,
    description: 'Like min_p, with the square of the likeliest.',
    minimum: 0,
    maximum: 1,
    ...OPTIONAL,
  });

/** The penalty on repetitions. */
export const RepetitionPenaltyField = (): PropertyDecorator =>
  NumberField({ example: 1, description: 'Penalty for repetitions.', minimum: 0, maximum: 2, ...OPTIONAL });

/** The seed of sampling. */
export const SeedField = (): PropertyDecorator =>
  IntegerField({ example: 42, description: 'The same seed asks for the same answer.', ...OPTIONAL });

/** The texts that end an answer. */
export const StopField = (): PropertyDecorator =>
  SchemaField(
    { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, maxItems: 4 }, { type: 'null' }] },
    { example: 'END', description: 'Texts at which the answer ends.', optional: true },
  );

/** The bias of tokens. */
export const LogitBiasField = (): PropertyDecorator =>
  FreeObjectField({
    example: { '50256': -100 },
    description: 'Bias of tokens by their number, from -100 to 100.',
    ...OPTIONAL,
  });

/** The tier of service. */
export const ServiceTierField = (): PropertyDecorator =>
  EnumField(['auto', 'default', 'fast', 'flex', 'priority', 'scale'], {
    description: 'The tier of service.',
    ...OPTIONAL,
  });

/** The end user. */
export const UserField = (): PropertyDecorator =>
  TextField({
    example: 'user-4711',
    description: 'The end user, in the words of the caller.',
    maxLength: 256,
    ...OPTIONAL,
  });

/** What the records say besides. */
export const MetadataField = (): PropertyDecorator =>
  FreeObjectField({
    example: { ticket: '4711' },
    description: 'Up to 16 texts by name, for the records.',
    ...OPTIONAL,
  });

/** Further steps of processing. */
export const PluginsField = (): PropertyDecorator =>
  FreeObjectListField({
    example: [{ id: 'context-compression' }],
    description:
      'Further steps of processing, by their id. The gateway has none: they are accepted for clients that send them, and have no effect.',
    maxItems: 50,
    ...OPTIONAL,
  });
