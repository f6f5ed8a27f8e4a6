import {
  BooleanField,
  EnumField,
  FreeObjectField,
  IntegerField,
  NumberField,
  ObjectField,
  TextField,
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
