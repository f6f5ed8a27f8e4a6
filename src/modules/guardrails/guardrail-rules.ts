import type { ReasonedIssue } from '../../http/errors/issue.js';
import { joinPath } from '../../http/errors/issue.js';
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

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
