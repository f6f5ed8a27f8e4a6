import { DATA_REGIONS, type DataRegion } from '../../../config/data-region.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  NumberField,
  TextField,
  TextListField,
} from '../../../http/schema/fields.js';
import { RESET_INTERVALS, type ResetInterval } from '../reset-interval.js';

const OPTIONAL = { optional: true, nullable: true } as const;

/** How many entries a list of models or providers has at most: far more than a catalog has models. */
const MAXIMUM_LIST_ENTRIES = 1_000;

const LIST = { ...OPTIONAL, minItems: 1, maxItems: MAXIMUM_LIST_ENTRIES } as const;

/** The fields that a guardrail has in requests and answers alike (SERVICE.md, section 2.1). */
export class GuardrailPolicy {
  @TextField({ ...OPTIONAL, description: 'What the guardrail is for.', example: 'Production traffic', maxLength: 1000 })
  description?: string | null;

  @NumberField({
    ...OPTIONAL,
    description: 'The spending limit in US dollars. Given together with reset_interval, or not at all.',
    example: 100,
    minimum: 0,
  })
  limit_usd?: number | null;

  @EnumField(RESET_INTERVALS, {
    ...OPTIONAL,
    description: 'How often the spending limit starts anew. Given together with limit_usd, or not at all.',
    example: 'monthly',
  })
  reset_interval?: ResetInterval | null;

  @TextListField({
    ...LIST,
    description: 'The only models that may be used: slugs or canonical slugs.',
    example: ['openai/gpt-5.5-20260423'],
  })
  allowed_models?: string[] | null;

  @TextListField({
    ...LIST,
    description: 'Models that are not routed to, even where they are allowed.',
    example: ['openai/gpt-5.4-nano-20260317'],
  })
  ignored_models?: string[] | null;

  @TextListField({
    ...LIST,
    description: 'The only providers that may be used: provider ids.',
    example: ['openai'],
  })
  allowed_providers?: string[] | null;

  @TextListField({
    ...LIST,
    description: 'Providers that are not routed to, even where they are allowed.',
    example: ['deepinfra'],
  })
  ignored_providers?: string[] | null;

  @EnumListField(DATA_REGIONS, {
    ...LIST,
    description:
      'The only regions through which a request may arrive, by the region of the deployment that takes it; null for no restriction.',
    example: ['europe'],
  })
  allowed_data_regions?: DataRegion[] | null;

  @BooleanField({
    ...OPTIONAL,
    description: 'Deprecated: stands for every enforce_zdr field of a vendor that is not set on the request.',
    example: true,
    deprecated: true,
  })
  enforce_zdr?: boolean | null;

  @BooleanField({ ...OPTIONAL, description: 'Enforce zero data retention for the first vendor.', example: true })
  enforce_zdr_vendor_a?: boolean | null;

  @BooleanField({ ...OPTIONAL, description: 'Enforce zero data retention for the second vendor.', example: true })
  enforce_zdr_vendor_b?: boolean | null;

  @BooleanField({ ...OPTIONAL, description: 'Enforce zero data retention for the third vendor.', example: true })
  enforce_zdr_vendor_c?: boolean | null;

  @BooleanField({ ...OPTIONAL, description: 'Enforce zero data retention for the fourth vendor.', example: true })
  enforce_zdr_vendor_d?: boolean | null;

  @BooleanField({ ...OPTIONAL, description: 'Enforce zero data retention for all other vendors.', example: false })
  enforce_zdr_other?: boolean | null;

  @BooleanField({ ...OPTIONAL, description: 'Allow free endpoints that publish prompts.', example: false })
  enable_free_model_publication?: boolean | null;

  @BooleanField({ ...OPTIONAL, description: 'Allow free endpoints that train on request data.', example: false })
  enable_free_model_training?: boolean | null;

  @BooleanField({ ...OPTIONAL, description: 'Allow paid endpoints that train on request data.', example: false })
  enable_paid_model_training?: boolean | null;
}
