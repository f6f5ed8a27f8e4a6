import { joinPath, type IssueWithReason } from '../../http/errors/issue.js';
import { totalLengthIssues } from '../../http/input/size-rules.js';
import { MAXIMUM_CUSTOM_FILTER_TEXT } from './content-filters/stored-filters.js';
import { DUPLICATE_BUILTIN_FILTER, LIMIT_WITHOUT_INTERVAL } from './guardrails.errors.js';

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

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
