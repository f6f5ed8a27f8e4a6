import type { ReasonedIssue } from '../../http/errors/issue.js';
import { joinPath } from '../../http/errors/issue.js';
import { totalLengthFaults } from '../../http/input/size-rules.js';
import { MAXIMUM_CUSTOM_FILTER_TEXT } from './content-filters.js';
import { filterEntriesOf } from './filter-entries.js';

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
  return filterEntriesOf(body, 'content_filter_builtins').flatMap(({ path, entry }) => {
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
  const texts = filterEntriesOf(body, 'content_filters').flatMap(({ entry: { pattern, label } }) => [pattern, label]);
  const strings = texts.filter((text) => typeof text === 'string');
  return totalLengthFaults('content_filters', strings, MAXIMUM_CUSTOM_FILTER_TEXT);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
