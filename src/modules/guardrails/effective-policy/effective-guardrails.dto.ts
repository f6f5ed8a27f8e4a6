import { DATA_REGIONS } from '../../../config/data-region.js';
import { DataOf } from '../../../http/openapi/response-envelopes.js';
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
} from '../../../http/validation/fields.js';
import { type Enforcement, ENFORCEMENTS } from '../../limits/limit-vocabulary.js';
import { RESET_INTERVALS, type ResetInterval } from '../dto/guardrail.dto.js';
import { McpArgumentRuleEntry } from '../dto/mcp-argument-rule.dto.js';
import { ContentFilterBuiltinEntry, ContentFilterEntry } from '../content-filters/content-filter.dto.js';

/** Why a guardrail applies to a key: its workspace, its owner, the key itself, or the `with` parameter of a request. */
export const GUARDRAIL_SOURCES = ['workspace', 'member', 'key', 'request'] as const;

export type GuardrailSource = (typeof GUARDRAIL_SOURCES)[number];

const GUARDRAIL_ID = '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60';

const FROM = { description: 'The ids of the guardrails behind the rule.', example: [GUARDRAIL_ID] };

/** The key, and optionally an additional guardrail. */
export class EffectiveGuardrailsQuery {
  @TextField({
    description: 'The hash of the key.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    minLength: 1,
  })
  key_hash: string;

  @UuidField({
    description: 'The id of a guardrail to add, as if it applied too.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f69',
    optional: true,
  })
  with?: string;
}

/** A guardrail that applies, and why. */
export class AppliedGuardrail {
  @UuidField({ description: 'The id of the guardrail.', example: GUARDRAIL_ID })
  id: string;

  @TextField({ description: 'The name of the guardrail.', example: 'Production' })
  name: string;

  @EnumListField(GUARDRAIL_SOURCES, {
    description:
      "Why the guardrail applies: as the default guardrail of the key's workspace, through the key's owner, to the key itself, or because the request added it.",
    example: ['member'],
  })
  applies_through: readonly GuardrailSource[];

  @EnumField(ENFORCEMENTS, {
    description: 'Only where the guardrail observes: its rules are not among the combined ones.',
    example: 'observe',
    optional: true,
  })
  enforcement?: Enforcement;
}

const LIST = {
  description: 'The combined list; null if no guardrail has one. An empty allow-list allows nothing.',
  nullable: true,
} as const;

/** A list combined from several guardrails. */
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

/** A switch combined from several guardrails. */
export class EffectiveSwitch {
  @BooleanField({ description: 'The combined value; null if no guardrail sets it.', example: true, nullable: true })
  value: boolean | null;

  @TextListField(FROM)
  guardrail_ids: readonly string[];
}

/** A builtin filter, with the strictest action that any guardrail has for it where it applies. */
export class EffectiveBuiltinFilter extends ContentFilterBuiltinEntry {
  @TextListField(FROM)
  guardrail_ids: readonly string[];
}

/** A custom filter, with the strictest action that any guardrail has for its pattern where it applies. */
export class EffectiveCustomFilter extends ContentFilterEntry {
  @TextListField(FROM)
  guardrail_ids: readonly string[];
}

/** A spending limit. Each is checked separately. */
export class EffectiveBudget {
  @UuidField({ description: 'The id of the guardrail with this budget.', example: GUARDRAIL_ID })
  guardrail_id: string;

  @NumberField({ description: 'The limit in US dollars for each interval.', example: 100, minimum: 0 })
  limit_usd: number;

  @EnumField(RESET_INTERVALS, { description: 'How often the limit resets.', example: 'monthly' })
  reset_interval: ResetInterval;

  @BooleanField({
    description: "Whether spend with the organization's own provider keys (BYOK) counts.",
    example: false,
  })
  include_byok_in_budgets: boolean;
}

/** An inspector that judges texts, and the guardrails that name it. */
export class EffectiveInspector {
  @UuidField({ description: 'The id of the inspector.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f80' })
  id: string;

  @TextListField(FROM)
  guardrail_ids: readonly string[];
}

/** A list of tools of MCP servers. */
export class EffectiveMcpTools implements EffectiveList {
  @TextListField({ ...LIST, example: ['github/search_code'] })
  value: readonly string[] | null;

  @TextListField(FROM)
  guardrail_ids: readonly string[];
}

/** A rule for arguments of tools, and the guardrails that have it. */
export class EffectiveMcpArgumentRule extends McpArgumentRuleEntry {
  @TextListField(FROM)
  guardrail_ids: readonly string[];
}

/** The effective policy of a key. */
export class EffectiveGuardrails {
  @TextField({
    description: 'The hash of the key.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  key_hash: string;

  @ObjectListField(() => AppliedGuardrail, { description: 'The guardrails that apply.' })
  guardrails: AppliedGuardrail[];

  @ObjectField(() => EffectiveModels, { description: 'The models that all allow-lists permit.' })
  allowed_models: EffectiveModels;

  @ObjectField(() => EffectiveModels, { description: 'The models that any guardrail ignores.' })
  ignored_models: EffectiveModels;

  @ObjectField(() => EffectiveProviders, { description: 'The providers that all allow-lists permit.' })
  allowed_providers: EffectiveProviders;

  @ObjectField(() => EffectiveProviders, { description: 'The providers that any guardrail ignores.' })
  ignored_providers: EffectiveProviders;

  @ObjectField(() => EffectiveDataRegions, {
    description: 'The regions that all allow-lists permit.',
  })
  allowed_data_regions: EffectiveDataRegions;

  @ObjectField(() => EffectiveSwitch, { description: 'Zero data retention for the first of ZDR_VENDORS.' })
  enforce_zdr_vendor_a: EffectiveSwitch;

  @ObjectField(() => EffectiveSwitch, { description: 'Zero data retention for the second of ZDR_VENDORS.' })
  enforce_zdr_vendor_b: EffectiveSwitch;

  @ObjectField(() => EffectiveSwitch, { description: 'Zero data retention for the third of ZDR_VENDORS.' })
  enforce_zdr_vendor_c: EffectiveSwitch;

  @ObjectField(() => EffectiveSwitch, { description: 'Zero data retention for the fourth of ZDR_VENDORS.' })
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

  @ObjectListField(() => EffectiveInspector, {
    description: 'The inspectors of all guardrails, each of which is asked once; absent without any.',
    optional: true,
  })
  inspectors?: EffectiveInspector[];

  @ObjectField(() => EffectiveMcpTools, {
    description: 'The tools of MCP servers that all lists allow; absent without any list, where none may be used.',
    optional: true,
  })
  allowed_mcp_tools?: EffectiveMcpTools;

  @ObjectField(() => EffectiveMcpTools, {
    description: 'The tools of MCP servers that any guardrail ignores; absent without any list.',
    optional: true,
  })
  ignored_mcp_tools?: EffectiveMcpTools;

  @ObjectListField(() => EffectiveMcpArgumentRule, {
    description: 'The rules for arguments of all guardrails, each of which counts; absent without any.',
    optional: true,
  })
  mcp_argument_rules?: EffectiveMcpArgumentRule[];

  @ObjectListField(() => EffectiveBudget, { description: 'The spending limits of all guardrails.' })
  budgets: EffectiveBudget[];

  @TextListField({
    description: 'The ids of the permitted models in the catalog, oldest first.',
    example: ['openai/gpt-5.5'],
  })
  models: string[];

  @TextListField({
    description:
      'The permitted models that requests of the key can reach: the deployment is connected to a provider of a permitted endpoint, or the workspace has its own key for one. Empty if the guardrails do not allow the region of the deployment.',
    example: ['openai/gpt-5.5'],
  })
  available_models: string[];
}

/** The answer to getEffectiveGuardrails. */
export class EffectiveGuardrailsResponse extends DataOf(EffectiveGuardrails) {}
