import {
  BooleanField,
  EnumField,
  EnumListField,
  FreeObjectField,
  SchemaField,
  TextListField,
} from '../../../http/validation/fields.js';
import { namedSchema } from '../../../http/openapi/named-schemas.js';
import { QUANTIZATIONS } from '../../catalog/model-vocabulary.js';
import { type ProviderPreferences as Preferences, type Sort, SORTS } from '../../codecs/chat/client-request.js';
import { MAX_PRICE, PERCENTILES } from './shared-schemas.js';
import type { PercentileBound } from '../../routing/endpoint-order.js';

const OPTIONAL = { optional: true, nullable: true } as const;

/** At most this many, and that long, names of providers. */
const PROVIDERS = { maxItems: 200, items: { minLength: 1, maxLength: 200 }, ...OPTIONAL } as const;

const SORT_SETTINGS = namedSchema('ProviderSortSettings', {
  type: 'object',
  description: 'What endpoints are sorted by, and across which.',
  properties: {
    by: {
      type: ['string', 'null'],
      enum: [...SORTS, null],
      description: 'What endpoints are sorted by.',
      examples: ['price'],
    },
    partition: {
      type: ['string', 'null'],
      enum: ['model', 'none', null],
      description: '`none`: the endpoints of all models are sorted together.',
      examples: ['model'],
    },
  },
});

/** Which providers a request is sent to, and in which order (docs/interface/inference.md#providers). */
export class ProviderPreferences implements Preferences {
  @TextListField({ example: ['openai'], description: 'Providers to try first, in this order.', ...PROVIDERS })
  order?: readonly string[] | null;

  @TextListField({ example: ['openai', 'azure'], description: 'The only providers to try.', ...PROVIDERS })
  only?: readonly string[] | null;

  @TextListField({ example: ['deepinfra'], description: 'Providers not to try.', ...PROVIDERS })
  ignore?: readonly string[] | null;

  @BooleanField({
    example: true,
    description: 'Whether another provider is tried if the first one fails.',
    default: true,
    ...OPTIONAL,
  })
  allow_fallbacks?: boolean | null;

  @BooleanField({
    example: false,
    description: 'Whether an endpoint must support every parameter of the request.',
    default: false,
    ...OPTIONAL,
  })
  require_parameters?: boolean | null;

  @EnumField(['allow', 'deny'], {
    description: '`deny`: only providers that are known not to keep requests, train on them or publish them.',
    ...OPTIONAL,
  })
  data_collection?: 'allow' | 'deny' | null;

  @BooleanField({ example: true, description: 'Whether an endpoint must retain nothing of the request.', ...OPTIONAL })
  zdr?: boolean | null;

  @BooleanField({
    example: false,
    description: 'Whether the author of the model must allow training on its answers.',
    ...OPTIONAL,
  })
  enforce_distillable_text?: boolean | null;

  @EnumListField(QUANTIZATIONS, {
    example: ['fp16', 'bf16'],
    description: 'The only quantizations to use.',
    ...OPTIONAL,
  })
  quantizations?: readonly (typeof QUANTIZATIONS)[number][] | null;

  @SchemaField(
    {
      anyOf: [{ type: 'string', enum: SORTS }, SORT_SETTINGS, { type: 'null' }],
    },
    { description: 'What endpoints are sorted by, in place of a choice weighted by price.', optional: true },
  )
  sort?: Sort | { readonly by?: Sort | null; readonly partition?: 'model' | 'none' | null } | null;

  @FreeObjectField({
    example: { prompt: 1, completion: 5 },
    description:
      'The highest prices: `prompt` and `completion` in USD per million tokens, `request`, `image` and `audio` (also a second or a character of it) each.',
    form: MAX_PRICE,
    ...OPTIONAL,
  })
  max_price?: Readonly<
    Partial<Record<'prompt' | 'completion' | 'request' | 'image' | 'audio', string | number>>
  > | null;

  @SchemaField(
    { anyOf: [{ type: 'number', exclusiveMinimum: 0 }, PERCENTILES, { type: 'null' }] },
    { example: 50, description: 'Tokens per second; slower endpoints are tried last.', optional: true },
  )
  preferred_min_throughput?: PercentileBound | null;

  @SchemaField(
    { anyOf: [{ type: 'number', exclusiveMinimum: 0 }, PERCENTILES, { type: 'null' }] },
    { example: 2, description: 'Seconds to the first token; slower endpoints are tried last.', optional: true },
  )
  preferred_max_latency?: PercentileBound | null;
}

/** Which providers a request is sent to, and what each of them alone is told (docs/interface/audio.md#options-of-a-provider). */
export class OptionedPreferences extends ProviderPreferences {
  @FreeObjectField({
    example: { openai: { chunking_strategy: 'auto' } },
    description: 'Fields for one provider alone, by its slug. Fields of the request itself go before them.',
    optional: true,
    nullable: true,
  })
  options?: Readonly<Record<string, unknown>> | null;
}
