import type { ReasonedIssue } from '../../http/errors/issue.js';
import { joinPath } from '../../http/errors/issue.js';
import { totalLengthFaults } from '../../http/input/size-rules.js';
import { MAXIMUM_CUSTOM_FILTERS, MAXIMUM_CUSTOM_FILTER_TEXT, MAXIMUM_PATTERN_LENGTH } from './content-filters.js';
import { patternFaults } from './linear-time-pattern.js';

type Body = Readonly<Record<string, unknown>>;

/** limit_usd and reset_interval go together (SERVICE.md, section 4.1): both set, or neither. */
export function limitWithInterval(body: Body): ReasonedIssue[] {
  const hasLimit = isSet(body['limit_usd']);
  const hasInterval = isSet(body['reset_interval']);
  if (hasLimit === hasInterval) return [];
  const [path, other] = hasLimit ? ['reset_interval', 'limit_usd'] : ['limit_usd', 'reset_interval'];
  return [{ path, message: `must be given together with ${other}`, reason: 'limit_without_interval' }];
}

/** A builtin filter stands in the list at most once, so that its action is never in doubt. */
export function eachBuiltinOnce(body: Body): ReasonedIssue[] {
  const seen = new Set<unknown>();
  return entriesOf(body, 'content_filter_builtins').flatMap(({ path, entry }) => {
    const { slug } = entry;
    if (typeof slug !== 'string' || !seen.has(slug)) {
      seen.add(slug);
      return [];
    }
    return [
      { path: joinPath(path, 'slug'), message: `${slug} is given more than once`, reason: 'duplicate_builtin_filter' },
    ];
  });
}

/** The custom filters of a guardrail are not larger together than what a guardrail holds. */
export function boundedFilters(body: Body): ReasonedIssue[] {
  const texts = entriesOf(body, 'content_filters').flatMap(({ entry: { pattern, label } }) => [pattern, label]);
  const strings = texts.filter((text) => typeof text === 'string');
  return totalLengthFaults('content_filters', strings, MAXIMUM_CUSTOM_FILTER_TEXT);
}

/** The pattern of a custom filter compiles in a linear-time engine: no request content can make it back-track. */
export async function linearTimePatterns(body: Body): Promise<ReasonedIssue[]> {
  // What has more filters, or larger ones, than a guardrail holds is refused without compiling any.
  const { length } = entriesOf(body, 'content_filters');
  if (length > MAXIMUM_CUSTOM_FILTERS || boundedFilters(body).length > 0) return [];
  // Another type and another length are the schema's to refuse.
  const candidates = entriesOf(body, 'content_filters').flatMap(({ path, entry: { pattern } }) =>
    typeof pattern === 'string' && pattern !== '' && pattern.length <= 2 * MAXIMUM_PATTERN_LENGTH
      ? [{ path: joinPath(path, 'pattern'), pattern }]
      : [],
  );
  const faults = await patternFaults(candidates.map(({ pattern }) => pattern));
  return candidates.flatMap(({ path }, index) => {
    const message = faults[index];
    return message === undefined ? [] : [{ path, message, reason: 'invalid_regex_pattern' }];
  });
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function entriesOf(body: Body, field: string): { path: string; entry: Record<string, unknown> }[] {
  const list = body[field];
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown, index) =>
    typeof entry === 'object' && entry !== null
      ? [{ path: joinPath(field, index), entry: entry as Record<string, unknown> }]
      : [],
  );
}
