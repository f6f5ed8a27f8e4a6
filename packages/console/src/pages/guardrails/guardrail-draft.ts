import type { Schema } from '../../api/types';
import type { Enforcement } from '../../components/enforcement';
import { type FilterPlace, placesOf } from '../../components/filter-places';
import { jsonOf, linesOf } from '../../components/lines';
import { MCP_TOOL_LISTS, MODELS, PROVIDERS, type Suggestions } from '../../components/suggestions';

/** The settings of a guardrail as its form has them: lists as lines of text, so that they can be typed and pasted. */
export interface GuardrailDraft {
  readonly name: string;
  readonly description: string;
  readonly enforcement: Enforcement;
  readonly lists: Readonly<Record<ListName, string>>;
  readonly regions: readonly Region[];
  readonly switches: Readonly<Record<SwitchName, boolean | null>>;
  readonly limit: number | null;
  readonly interval: Interval;
  readonly countsByok: boolean;
  /** What each builtin filter does where; those that are missing do nothing. */
  readonly builtins: Readonly<Partial<Record<BuiltinSlug, FilterUse>>>;
  readonly scansUserOnly: boolean;
  readonly custom: readonly CustomFilter[];
  readonly argumentRules: readonly ArgumentRule[];
  /** The ids of inspectors. */
  readonly inspectors: readonly string[];
}

export type ListName =
  | 'allowed_models'
  | 'ignored_models'
  | 'allowed_providers'
  | 'ignored_providers'
  | 'allowed_mcp_tools'
  | 'ignored_mcp_tools';
export type Region = NonNullable<Schema<'Guardrail'>['allowed_data_regions']>[number];
export type BuiltinSlug = Schema<'ContentFilterBuiltinEntryInput'>['slug'];
export type FilterAction = Schema<'ContentFilterBuiltinEntryInput'>['action'];
export type Interval = 'daily' | 'weekly' | 'monthly';
export type SwitchName =
  | 'enforce_zdr_vendor_a'
  | 'enforce_zdr_vendor_b'
  | 'enforce_zdr_vendor_c'
  | 'enforce_zdr_vendor_d'
  | 'enforce_zdr_other'
  | 'enable_free_model_training'
  | 'enable_free_model_publication'
  | 'enable_paid_model_training';

/** What a filter does, and where. */
export interface FilterUse {
  readonly action: FilterAction;
  readonly places: readonly FilterPlace[];
}

/** A custom filter in the form. */
export interface CustomFilter extends FilterUse {
  readonly pattern: string;
  readonly label: string;
}

/** A rule for the arguments of tools in the form. */
export interface ArgumentRule {
  readonly tool: string;
  /** A JSON Schema. */
  readonly schema: string;
}

/** The lists of models, providers and tools, and how the form calls them. */
export const LISTS: readonly (readonly [ListName, label: string, Suggestions])[] = [
  ['allowed_models', 'Allowed models', MODELS],
  ['ignored_models', 'Ignored models', MODELS],
  ['allowed_providers', 'Allowed providers', PROVIDERS],
  ['ignored_providers', 'Ignored providers', PROVIDERS],
  ['allowed_mcp_tools', 'Allowed tools of MCP servers', MCP_TOOL_LISTS],
  ['ignored_mcp_tools', 'Ignored tools of MCP servers', MCP_TOOL_LISTS],
];

export const REGIONS: readonly Region[] = ['global', 'europe', 'us'];

/** The switches, and how the form calls them. */
export const SWITCHES: readonly (readonly [SwitchName, label: string])[] = [
  ['enforce_zdr_vendor_a', 'Zero data retention for the first vendor (Anthropic)'],
  ['enforce_zdr_vendor_b', 'Zero data retention for the second vendor (OpenAI)'],
  ['enforce_zdr_vendor_c', 'Zero data retention for the third vendor (Google)'],
  ['enforce_zdr_vendor_d', 'Zero data retention for the fourth vendor (xAI)'],
  ['enforce_zdr_other', 'Zero data retention for all others'],
  ['enable_free_model_training', 'Free endpoints that train on requests'],
  ['enable_free_model_publication', 'Free endpoints that publish prompts'],
  ['enable_paid_model_training', 'Paid endpoints that train on requests'],
];

/** The builtin filters, and how the form calls them. */
export const BUILTINS: readonly (readonly [BuiltinSlug, label: string])[] = [
  ['email', 'E-mail addresses'],
  ['phone', 'Telephone numbers'],
  ['ssn', 'Social security numbers'],
  ['credit-card', 'Credit cards'],
  ['ip-address', 'IP addresses'],
  ['secrets', 'Secrets: keys, tokens, passwords'],
  ['person-name', 'Names of people (needs the analyzer)'],
  ['address', 'Postal addresses (needs the analyzer)'],
  ['regex-prompt-injection', 'Prompt injections'],
];

/** A guardrail that restricts nothing. */
export const UNRESTRICTED: GuardrailDraft = {
  name: '',
  description: '',
  enforcement: 'enforce',
  lists: Object.fromEntries(LISTS.map(([name]) => [name, ''])) as GuardrailDraft['lists'],
  regions: [],
  switches: Object.fromEntries(SWITCHES.map(([name]) => [name, null])) as GuardrailDraft['switches'],
  limit: null,
  interval: 'monthly',
  countsByok: false,
  builtins: {},
  scansUserOnly: false,
  custom: [],
  argumentRules: [],
  inspectors: [],
};

/** The form of a guardrail that exists. */
export function draftOf(guardrail: Schema<'Guardrail'>): GuardrailDraft {
  const builtins = guardrail.content_filter_builtins ?? [];
  return {
    name: guardrail.name,
    description: guardrail.description ?? '',
    enforcement: guardrail.enforcement ?? 'enforce',
    lists: Object.fromEntries(
      LISTS.map(([name]) => [name, (guardrail[name] ?? []).join('\n')]),
    ) as GuardrailDraft['lists'],
    regions: guardrail.allowed_data_regions ?? [],
    switches: Object.fromEntries(
      SWITCHES.map(([name]) => [name, guardrail[name] ?? null]),
    ) as GuardrailDraft['switches'],
    limit: guardrail.limit_usd ?? null,
    interval: guardrail.reset_interval ?? 'monthly',
    countsByok: guardrail.include_byok_in_budgets,
    builtins: Object.fromEntries(builtins.map((filter) => [filter.slug, useOf(filter)])),
    scansUserOnly: builtins.some(({ scan_scope: scope }) => scope === 'user_only'),
    custom: (guardrail.content_filters ?? []).map((filter) => ({
      pattern: filter.pattern,
      label: filter.label ?? '',
      ...useOf(filter),
    })),
    argumentRules: (guardrail.mcp_argument_rules ?? []).map(({ tool, schema }) => ({
      tool,
      schema: JSON.stringify(schema, null, 2),
    })),
    inspectors: guardrail.inspector_ids ?? [],
  };
}

function useOf(filter: Schema<'ContentFilterBuiltinEntry'> | Schema<'ContentFilterEntry'>): FilterUse {
  return { action: filter.action, places: placesOf(filter) };
}

/** The settings as the interface takes them: every one, so that what was emptied is taken away. */
export function toGuardrail(draft: GuardrailDraft): Schema<'UpdateGuardrailRequest'> & { readonly name: string } {
  const builtins = BUILTINS.flatMap(([slug]) => {
    const use = draft.builtins[slug];
    if (use === undefined) return [];
    const scope = draft.scansUserOnly ? ('user_only' as const) : ('all_messages' as const);
    return [{ slug, ...useOnWire(use), ...(slug === 'regex-prompt-injection' && { scan_scope: scope }) }];
  });
  const custom = draft.custom.filter(({ pattern }) => pattern !== '');
  const rules = draft.argumentRules
    .filter(({ tool, schema }) => tool !== '' || schema !== '')
    .map(({ tool, schema }) => ({ tool, schema: jsonOf(schema) as Record<string, unknown> }));
  return {
    name: draft.name,
    description: draft.description === '' ? null : draft.description,
    enforcement: draft.enforcement,
    ...(Object.fromEntries(LISTS.map(([name]) => [name, listOf(draft.lists[name])])) as Readonly<
      Record<ListName, string[] | null>
    >),
    allowed_data_regions: draft.regions.length === 0 ? null : [...draft.regions],
    ...draft.switches,
    limit_usd: draft.limit,
    reset_interval: draft.limit === null ? null : draft.interval,
    include_byok_in_budgets: draft.countsByok,
    content_filter_builtins: builtins.length === 0 ? null : builtins,
    content_filters:
      custom.length === 0
        ? null
        : custom.map(({ pattern, label, ...use }) => ({
            pattern,
            label: label === '' ? null : label,
            ...useOnWire(use),
          })),
    mcp_argument_rules: rules.length === 0 ? null : rules,
    inspector_ids: draft.inspectors.length === 0 ? null : [...draft.inspectors],
  };
}

/** What a filter does and where, as the interface takes it. */
function useOnWire({ action, places }: FilterUse): Pick<Schema<'ContentFilterEntry'>, 'action' | 'applies_to'> {
  return { action, applies_to: [...places] };
}

/** The lines of a text that have something in them; null for none, which is no restriction. */
function listOf(text: string): string[] | null {
  const lines = linesOf(text);
  return lines.length === 0 ? null : lines;
}

/** What a guardrail restricts, in a few words. */
export function summaryOf(guardrail: Schema<'Guardrail'>): string {
  const counted = (items: readonly unknown[] | null | undefined, word: string): string | undefined =>
    items == null || items.length === 0 ? undefined : `${items.length} ${word}${items.length === 1 ? '' : 's'}`;
  const parts = [
    counted(guardrail.allowed_models, 'allowed model'),
    counted(guardrail.ignored_models, 'ignored model'),
    counted(guardrail.allowed_providers, 'allowed provider'),
    counted(guardrail.ignored_providers, 'ignored provider'),
    counted(guardrail.allowed_mcp_tools, 'allowed tool'),
    counted(guardrail.ignored_mcp_tools, 'ignored tool'),
    counted(guardrail.allowed_data_regions, 'region'),
    guardrail.limit_usd == null ? undefined : `$${guardrail.limit_usd} ${guardrail.reset_interval ?? ''}`,
    counted([...(guardrail.content_filter_builtins ?? []), ...(guardrail.content_filters ?? [])], 'content filter'),
    counted(guardrail.inspector_ids, 'inspector'),
    counted(guardrail.mcp_argument_rules, 'argument rule'),
    counted(
      SWITCHES.filter(([name]) => guardrail[name] != null),
      'data policy',
    )?.replace('policys', 'policies'),
  ];
  return parts.filter((part) => part !== undefined).join(' · ') || 'Nothing';
}
