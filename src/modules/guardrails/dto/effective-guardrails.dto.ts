import { DATA_REGIONS } from '../../../config/data-region.js';
import { DataOf } from '../../../http/schema/answer-shapes.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  NumberField,
  ObjectField,
  ObjectListField,
  TextField,
  TextListField,
  UuidField,
} from '../../../http/schema/fields.js';
import { APPLICATIONS, type Application } from '../guardrail-application.js';
import { RESET_INTERVALS, type ResetInterval } from '../reset-interval.js';
import { ContentFilterBuiltinEntry, ContentFilterEntry } from './content-filter.dto.js';

const GUARDRAIL_ID = '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60';

const FROM = { description: 'The guardrails that the rule comes from.', example: [GUARDRAIL_ID] };

/** What to ask about. */
export class EffectiveGuardrailsQuery {
  @TextField({
    description: 'The hash of the key.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    minLength: 1,
  })
  key_hash: string;

  @UuidField({
    description: 'A guardrail to be taken as if it applied as well.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f69',
    optional: true,
  })
  with?: string;
}

/** A guardrail that applies, and why. */
export class AppliedGuardrail {
  @UuidField({ description: 'The guardrail.', example: GUARDRAIL_ID })
  id: string;

  @TextField({ description: 'The name.', example: 'Production' })
  name: string;

  @EnumListField(APPLICATIONS, {
    description:
      "Why it applies: as the default guardrail of the key's workspace, through the key's owner, to the key itself, or because the request asks for it.",
    example: ['member'],
  })
  applies_through: readonly Application[];
}

const LIST = {
  description: 'The list; null where no guardrail has one. An empty list of what is allowed allows nothing.',
  nullable: true,
} as const;

/** A list that several guardrails make together. */
export interface EffectiveList {
  readonly value: readonly string[] | null;
  readonly guardrail_ids: readonly string[];
}

/** A list of models. */
export class EffectiveModels implements EffectiveList {
  @TextListField({ ...LIST, example: ['openai/gpt-5.5-20260423'] })
  value: readonly string[] | null;

  @TextListField(FROM)
  guardrail_ids: readonly string[];
}

/** A list of providers. */
export class EffectiveProviders implements EffectiveList {
  @TextListField({ ...LIST, example: ['openai'] })
  value: readonly string[] | null;

  @TextListField(FROM)
  guardrail_ids: readonly string[];
}

/** A list of regions. */
export class EffectiveDataRegions implements EffectiveList {
  @EnumListField(DATA_REGIONS, { ...LIST, example: ['europe'] })
  value: readonly string[] | null;

  @TextListField(FROM)
  guardrail_ids: readonly string[];
}

/** A switch that several guardrails set together. */
export class EffectiveSwitch {
  @BooleanField({ description: 'What holds; null where no guardrail says anything.', example: true, nullable: true })
  value: boolean | null;

  @TextListField(FROM)
  guardrail_ids: readonly string[];
}

/** A builtin filter, with the strictest action that any guardrail has for it. */
export class EffectiveBuiltinFilter extends ContentFilterBuiltinEntry {
  @TextListField(FROM)
  guardrail_ids: readonly string[];
}

/** A custom filter, with the strictest action that any guardrail has for its pattern. */
export class EffectiveCustomFilter extends ContentFilterEntry {
  @TextListField(FROM)
  guardrail_ids: readonly string[];
}

/** A spending limit. Each is checked by itself. */
export class EffectiveBudget {
  @UuidField({ description: 'The guardrail that it comes from.', example: GUARDRAIL_ID })
  guardrail_id: string;

  @NumberField({ description: 'US dollars in an interval.', example: 100, minimum: 0 })
  limit_usd: number;

  @EnumField(RESET_INTERVALS, { description: 'How often it starts anew.', example: 'monthly' })
  reset_interval: ResetInterval;

  @BooleanField({ description: "Whether spend through the caller's own provider keys counts.", example: false })
  include_byok_in_budgets: boolean;
}

/** What applies to the requests of a key. */
export class EffectiveGuardrails {
  @TextField({
    description: 'The hash of the key.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  key_hash: string;

  @ObjectListField(() => AppliedGuardrail, { description: 'The guardrails that apply.' })
  guardrails: AppliedGuardrail[];

  @ObjectField(() => EffectiveModels, { description: 'The only models that may be used: what all lists allow.' })
  allowed_models: EffectiveModels;

  @ObjectField(() => EffectiveModels, { description: 'Models that are not routed to: what any list ignores.' })
  ignored_models: EffectiveModels;

  @ObjectField(() => EffectiveProviders, { description: 'The only providers that may be used: what all lists allow.' })
  allowed_providers: EffectiveProviders;

  @ObjectField(() => EffectiveProviders, { description: 'Providers that are not routed to: what any list ignores.' })
  ignored_providers: EffectiveProviders;

  @ObjectField(() => EffectiveDataRegions, {
    description: 'The only regions through which a request may arrive: what all lists allow.',
  })
  allowed_data_regions: EffectiveDataRegions;

  @ObjectField(() => EffectiveSwitch, { description: 'Zero data retention for the first vendor.' })
  enforce_zdr_vendor_a: EffectiveSwitch;

  @ObjectField(() => EffectiveSwitch, { description: 'Zero data retention for the second vendor.' })
  enforce_zdr_vendor_b: EffectiveSwitch;

  @ObjectField(() => EffectiveSwitch, { description: 'Zero data retention for the third vendor.' })
  enforce_zdr_vendor_c: EffectiveSwitch;

  @ObjectField(() => EffectiveSwitch, { description: 'Zero data retention for the fourth vendor.' })
  enforce_zdr_vendor_d: EffectiveSwitch;

  @ObjectField(() => EffectiveSwitch, { description: 'Zero data retention for all other vendors.' })
  enforce_zdr_other: EffectiveSwitch;

  @ObjectField(() => EffectiveSwitch, { description: 'Whether free endpoints that publish prompts are allowed.' })
  enable_free_model_publication: EffectiveSwitch;

  @ObjectField(() => EffectiveSwitch, { description: 'Whether free endpoints that train on requests are allowed.' })
  enable_free_model_training: EffectiveSwitch;

  @ObjectField(() => EffectiveSwitch, { description: 'Whether paid endpoints that train on requests are allowed.' })
  enable_paid_model_training: EffectiveSwitch;

  @ObjectListField(() => EffectiveBuiltinFilter, { description: 'The builtin filters of all guardrails.' })
  content_filter_builtins: EffectiveBuiltinFilter[];

  @ObjectListField(() => EffectiveCustomFilter, { description: 'The custom filters of all guardrails.' })
  content_filters: EffectiveCustomFilter[];

  @ObjectListField(() => EffectiveBudget, { description: 'The spending limits of all guardrails.' })
  budgets: EffectiveBudget[];

  @TextListField({
    description: 'The ids of the models of the catalog that all this leaves, oldest first.',
    example: ['openai/gpt-5.5'],
  })
  models: string[];
}

/** The answer to getEffectiveGuardrails. */
export class EffectiveGuardrailsResponse extends DataOf(EffectiveGuardrails) {}
