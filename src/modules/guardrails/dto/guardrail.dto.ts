import {
  BooleanField,
  EnumField,
  EnumListField,
  FalseField,
  NumberField,
  ObjectListField,
  TextField,
  TextListField,
  TimestampField,
  UuidField,
} from '../../../http/validation/fields.js';
import { PathIdField, WorkspaceIdField } from '../../../http/validation/id-fields.js';
import { DATA_REGIONS, type DataRegion } from '../../../config/data-region.js';
import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import { RequestRules, Rules } from '../../../http/validation/rules.js';
import { MAXIMUM_CUSTOM_FILTER_TEXT, MAXIMUM_CUSTOM_FILTERS } from '../content-filters/stored-filters.js';
import { argumentRulesThatCompile, boundedFilters, eachBuiltinOnce, limitWithInterval } from '../guardrail-rules.js';
import { MCP_TOOL_ENTRY } from '../mcp/mcp-tools-policy.js';
import { MAXIMUM_ARGUMENT_RULES, McpArgumentRuleEntry } from './mcp-argument-rule.dto.js';
import {
  ContentFilterBuiltinEntry,
  ContentFilterBuiltinEntryInput,
  ContentFilterEntry,
} from '../content-filters/content-filter.dto.js';
import { DataOf, Deleted, PageOf } from '../../../http/openapi/response-envelopes.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import { PatternRule } from '../content-filters/pattern-rule.js';
import { type Enforcement, ENFORCEMENTS } from '../../limits/limit-vocabulary.js';
import { NamedPageQuery } from '../../../http/pagination/pagination.js';

/** How often the spending limit of a guardrail resets (docs/interface/guardrails.md#spending-limit). */
export const RESET_INTERVALS = ['daily', 'weekly', 'monthly'] as const;

export type ResetInterval = (typeof RESET_INTERVALS)[number];

/** Which guardrail. */
export class GuardrailPath {
  @PathIdField('The id of the guardrail.', '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60')
  id: string;
}

const OPTIONAL = { optional: true, nullable: true } as const;

/** How many entries a list of models or providers has at most: far more than a catalog has models. */
const MAXIMUM_LIST_ENTRIES = 1_000;

const NAME = {
  description: 'The name of the guardrail.',
  example: 'Production',
  minLength: 1,
  maxLength: 200,
} as const;

const INCLUDE_BYOK = {
  description: "Whether spend with the organization's own provider keys (BYOK) also counts toward limit_usd.",
  example: false,
} as const;

const ENFORCEMENT = {
  description:
    'Whether the guardrail refuses, or only records what it would have refused (`observe`). Answers have it only where it observes.',
  example: 'observe',
  optional: true,
} as const;

const FIRST_PARTY_HARNESSES = {
  description:
    'Whether agents use the models of their own makers alone. That is not enforced here: false is taken and not answered, true is a 400.',
  example: false,
  optional: true,
  publicOnly: true,
} as const;

/** How many inspectors a guardrail names at most. */
const MAXIMUM_INSPECTORS = 8;

const LIST = { ...OPTIONAL, minItems: 1, maxItems: MAXIMUM_LIST_ENTRIES } as const;

/** The fields with the same decorators in requests and responses (docs/interface/guardrails.md). */
export class GuardrailPolicy {
  @TextField({ ...OPTIONAL, description: 'The description.', example: 'Production traffic', maxLength: 1000 })
  description?: string | null;

  @NumberField({
    ...OPTIONAL,
    description: 'What may be spent until the limit resets, in US dollars. It needs `reset_interval`.',
    example: 100,
    minimum: 0,
  })
  limit_usd?: number | null;

  @EnumField(RESET_INTERVALS, {
    ...OPTIONAL,
    description:
      'How often the spending limit resets: at midnight, on Monday, or on the first of the month (UTC). It needs `limit_usd`.',
    example: 'monthly',
  })
  reset_interval?: ResetInterval | null;

  @TextListField({
    ...LIST,
    description: 'The models that may be used, by id, canonical slug or alias; null for no restriction.',
    example: ['openai/gpt-5.5-20260423'],
  })
  allowed_models?: string[] | null;

  @TextListField({
    ...LIST,
    description: 'Models that are never used, even if they are allowed.',
    example: ['openai/gpt-5.4-nano-20260317'],
  })
  ignored_models?: string[] | null;

  @TextListField({
    ...LIST,
    description: 'The ids of the providers that may be used; null for no restriction.',
    example: ['openai'],
  })
  allowed_providers?: string[] | null;

  @TextListField({
    ...LIST,
    description: 'Providers that are never used, even if they are allowed.',
    example: ['deepinfra'],
  })
  ignored_providers?: string[] | null;

  @EnumListField(DATA_REGIONS, {
    ...LIST,
    asSent: true,
    description:
      'The regions through which a request may arrive: the region of the deployment that receives it. null for no restriction.',
    example: ['europe'],
  })
  allowed_data_regions?: DataRegion[] | null;

  @TextListField({
    ...OPTIONAL,
    minItems: 1,
    maxItems: MAXIMUM_INSPECTORS,
    asSent: true,
    items: { format: 'uuid' },
    description: 'The ids of the inspectors that judge texts; absent or null for none.',
    example: ['019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f80'],
  })
  inspector_ids?: string[] | null;

  @TextListField({
    ...LIST,
    items: { pattern: MCP_TOOL_ENTRY },
    description:
      'The tools of MCP servers that may be used: `server/tool`, or `server/*` for all tools of a server. Absent or null says nothing; where no guardrail of a key has a list, it may use none.',
    example: ['github/search_code', 'docs/*'],
  })
  allowed_mcp_tools?: string[] | null;

  @TextListField({
    ...LIST,
    items: { pattern: MCP_TOOL_ENTRY },
    description: 'Tools of MCP servers that are never used, even if they are allowed.',
    example: ['github/delete_repository'],
  })
  ignored_mcp_tools?: string[] | null;

  @ObjectListField(() => McpArgumentRuleEntry, {
    ...OPTIONAL,
    maxItems: MAXIMUM_ARGUMENT_RULES,
    description:
      'What the arguments of tools must meet besides the schema of the tool. Each rule that names a tool counts.',
  })
  mcp_argument_rules?: McpArgumentRuleEntry[] | null;

  @BooleanField({
    ...OPTIONAL,
    description: 'Deprecated. When a guardrail is created, the value of each vendor field that the request leaves out.',
    example: true,
    deprecated: true,
  })
  enforce_zdr?: boolean | null;

  @BooleanField({
    ...OPTIONAL,
    description: 'Enforce zero data retention for the first of ZDR_VENDORS (anthropic by default).',
    example: true,
  })
  enforce_zdr_vendor_a?: boolean | null;

  @BooleanField({
    ...OPTIONAL,
    description: 'Enforce zero data retention for the second of ZDR_VENDORS (openai by default).',
    example: true,
  })
  enforce_zdr_vendor_b?: boolean | null;

  @BooleanField({
    ...OPTIONAL,
    description: 'Enforce zero data retention for the third of ZDR_VENDORS (google by default).',
    example: true,
  })
  enforce_zdr_vendor_c?: boolean | null;

  @BooleanField({
    ...OPTIONAL,
    description: 'Enforce zero data retention for the fourth of ZDR_VENDORS (xai by default).',
    example: true,
  })
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

/** The fields that a guardrail has in every request. */
@BodyLimit(BODY_LIMITS.large)
@Rules(boundedFilters, argumentRulesThatCompile)
export class GuardrailInput extends GuardrailPolicy {
  @ObjectListField(() => ContentFilterBuiltinEntryInput, {
    description: 'Builtin content filters, each at most once.',
    optional: true,
    nullable: true,
  })
  content_filter_builtins?: ContentFilterBuiltinEntryInput[] | null;

  @ObjectListField(() => ContentFilterEntry, {
    description: `Custom content filters. Their patterns and labels have at most ${MAXIMUM_CUSTOM_FILTER_TEXT} characters together.`,
    maxItems: MAXIMUM_CUSTOM_FILTERS,
    optional: true,
    nullable: true,
  })
  content_filters?: ContentFilterEntry[] | null;

  @FalseField(FIRST_PARTY_HARNESSES)
  enforce_first_party_harness_models?: false;

  @EnumField(ENFORCEMENTS, ENFORCEMENT)
  enforcement?: Enforcement;
}

/** A guardrail (docs/interface/guardrails.md). */
export class Guardrail extends GuardrailPolicy {
  @UuidField({ description: 'The id of the guardrail.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60' })
  id: string;

  @TextField(NAME)
  name: string;

  @WorkspaceIdField('The id of the workspace; null for a legacy guardrail from before workspaces.', { nullable: true })
  workspace_id: string | null;

  @BooleanField(INCLUDE_BYOK)
  include_byok_in_budgets: boolean;

  @ObjectListField(() => ContentFilterBuiltinEntry, {
    description: 'Builtin content filters.',
    optional: true,
    nullable: true,
  })
  content_filter_builtins?: ContentFilterBuiltinEntry[] | null;

  @ObjectListField(() => ContentFilterEntry, {
    description: 'Custom content filters.',
    optional: true,
    nullable: true,
  })
  content_filters?: ContentFilterEntry[] | null;

  @EnumField(ENFORCEMENTS, ENFORCEMENT)
  enforcement?: Enforcement;

  @TimestampField({ description: 'When the guardrail was created.' })
  created_at: string;

  @TimestampField({
    description: 'When the guardrail was last changed; null if never.',
    optional: true,
    nullable: true,
  })
  updated_at?: string | null;
}

/** The answer to createGuardrail. */
export class CreateGuardrailResponse extends DataOf(Guardrail) {}

/** The answer to getGuardrail. */
export class GetGuardrailResponse extends DataOf(Guardrail) {}

/** The answer to updateGuardrail. */
export class UpdateGuardrailResponse extends DataOf(Guardrail) {}

/** The answer to listGuardrails. */
export class ListGuardrailsResponse extends PageOf(Guardrail) {}

/** The body of createGuardrail (docs/interface/guardrails.md#creating). */
@Rules(limitWithInterval, eachBuiltinOnce)
@RequestRules(PatternRule)
@SchemaExample({
  name: 'Production',
  description: 'Production traffic',
  limit_usd: 100,
  reset_interval: 'monthly',
  allowed_models: ['openai/gpt-latest', 'anthropic/claude-sonnet-latest'],
  ignored_providers: ['deepinfra'],
  content_filter_builtins: [
    { slug: 'email', action: 'redact' },
    { slug: 'regex-prompt-injection', action: 'flag', scan_scope: 'user_only' },
  ],
  content_filters: [{ pattern: 'PROJECT-[0-9]{4}', action: 'redact', label: '[PROJECT]' }],
  enforce_zdr_other: true,
  enable_paid_model_training: false,
})
export class CreateGuardrailRequest extends GuardrailInput {
  @TextField(NAME)
  name: string;

  @WorkspaceIdField('The workspace of the guardrail; the default workspace if absent.', { optional: true })
  workspace_id?: string;

  @BooleanField({ ...INCLUDE_BYOK, optional: true, default: false })
  include_byok_in_budgets?: boolean;
}

/** The body of updateGuardrail: absent fields stay, null clears. */
@Rules(eachBuiltinOnce)
@RequestRules(PatternRule)
@SchemaExample({
  description: null,
  limit_usd: 250,
  reset_interval: 'monthly',
  ignored_models: ['openai/gpt-latest'],
  content_filter_builtins: [{ slug: 'email', action: 'block' }],
})
export class UpdateGuardrailRequest extends GuardrailInput {
  @TextField({ ...NAME, optional: true })
  name?: string;

  @BooleanField({ ...INCLUDE_BYOK, optional: true })
  include_byok_in_budgets?: boolean;
}

/** Which guardrails to list. */
export class ListGuardrailsQuery extends NamedPageQuery {
  @WorkspaceIdField('The workspace whose guardrails to list; the default workspace if absent.', { optional: true })
  workspace_id?: string;
}

/** The answer to deleteGuardrail. */
export class DeleteGuardrailResponse extends Deleted('Always true: the guardrail and its assignments were deleted.') {}
