import { joinPath, type IssueWithReason } from '../../http/errors/issue.js';
import { jsonSizeIssues, totalLengthIssues } from '../../http/input/size-rules.js';
import { MAXIMUM_CUSTOM_FILTER_TEXT } from './content-filters/stored-filters.js';
import { MAXIMUM_ARGUMENT_RULES } from './dto/mcp-argument-rule.dto.js';
import { DUPLICATE_BUILTIN_FILTER, INVALID_ARGUMENT_SCHEMA, LIMIT_WITHOUT_INTERVAL } from './guardrails.errors.js';
import { issueOfSchema } from './mcp/argument-schema.js';

/** An object in a list of the body, with its path. */
export interface FilterEntry {
  readonly path: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** The objects in a list of filters of a body that is not validated yet. */
export function filterEntriesOf(body: Readonly<Record<string, unknown>>, field: string): FilterEntry[] {
  const list = body[field];
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown, index) =>
    typeof entry === 'object' && entry !== null
      ? [{ path: joinPath(field, index), entry: entry as Record<string, unknown> }]
      : [],
  );
}

type Body = Readonly<Record<string, unknown>>;

/** limit_usd and reset_interval are both set, or neither (docs/interface/guardrails.md#spending-limit). */
export function limitWithInterval(body: Body): IssueWithReason[] {
  const hasLimit = isSet(body['limit_usd']);
  const hasInterval = isSet(body['reset_interval']);
  if (hasLimit === hasInterval) return [];
  const [path, other] = hasLimit ? ['reset_interval', 'limit_usd'] : ['limit_usd', 'reset_interval'];
  return [LIMIT_WITHOUT_INTERVAL.at(path, other)];
}

/** Each builtin filter occurs at most once, so that it has one action. */
export function eachBuiltinOnce(body: Body): IssueWithReason[] {
  const seen = new Set<unknown>();
  return filterEntriesOf(body, 'content_filter_builtins').flatMap(({ path, entry }) => {
    const { slug } = entry;
    if (typeof slug !== 'string' || !seen.has(slug)) {
      seen.add(slug);
      return [];
    }
    return [DUPLICATE_BUILTIN_FILTER.at(joinPath(path, 'slug'), slug)];
  });
}

/** Checks the total size of the custom filters of a guardrail. */
export function boundedFilters(body: Body): IssueWithReason[] {
  const texts = filterEntriesOf(body, 'content_filters').flatMap(({ entry: { pattern, label } }) => [pattern, label]);
  const strings = texts.filter((text) => typeof text === 'string');
  return totalLengthIssues('content_filters', strings, MAXIMUM_CUSTOM_FILTER_TEXT);
}

/** The maximum size of rules for arguments, in bytes of JSON. */
const MAXIMUM_ARGUMENT_RULES_SIZE = 65_536;

/** Checks that rules for arguments are schemas that can be applied in bounded time. */
export function argumentRulesThatCompile(body: Body): IssueWithReason[] {
  const entries = filterEntriesOf(body, 'mcp_argument_rules');
  if (entries.length === 0 || entries.length > MAXIMUM_ARGUMENT_RULES) return [];
  const size = jsonSizeIssues('mcp_argument_rules', body['mcp_argument_rules'], MAXIMUM_ARGUMENT_RULES_SIZE);
  if (size.length > 0) return size;
  return entries.flatMap(({ path, entry: { schema } }) => {
    const message = isSet(schema) ? issueOfSchema(schema) : undefined;
    return message === undefined ? [] : [INVALID_ARGUMENT_SCHEMA.at(joinPath(path, 'schema'), message)];
  });
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
