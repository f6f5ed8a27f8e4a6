import { BadRequestError } from '../../../../http/errors/bad-request-error.js';
import { INVALID_PARAMETERS } from '../../../../http/errors/request.errors.js';
import type { IssueWithReason } from '../../../../http/errors/issue.js';

/** What a request says about the cache of answers. */
export interface CacheWish {
  /** Whether the answer of an equal request may be used, and this one kept. */
  readonly isUsed: boolean;
  /** Whether what is kept for it is replaced. */
  readonly isCleared: boolean;
  /** How long its answer is kept, in seconds; undefined where it does not say. */
  readonly ttlSeconds: number | undefined;
}

/** The headers of a request, as far as they are about the cache; each is one text. */
export type CacheHeaders = Readonly<
  Record<'use' | 'ttl' | 'clear', { readonly name: string; readonly value?: string }>
>;

const USES: Readonly<Record<string, boolean>> = { use: true, true: true, bypass: false, false: false };

/**
 * What a request says in its headers, and in its fields `cache_enabled` and `cache_ttl_seconds`, which a preset may have too. Either of
 * them can do without the cache.
 *
 * @returns undefined for one that says nothing
 * @throws BadRequestError for values that mean nothing
 */
export function cacheWishOf(headers: CacheHeaders, body: object): CacheWish | undefined {
  const { cache_enabled: enabled, cache_ttl_seconds: ttl } = body as Readonly<Record<string, unknown>>;
  const issues: IssueWithReason[] = [];
  const issue = (path: string, message: string): void => {
    issues.push(INVALID_PARAMETERS.at(path, message));
  };
  const { use, ttl: ofHeader, clear } = headers;
  const used = use.value === undefined ? undefined : USES[use.value.toLowerCase()];
  if (use.value !== undefined && used === undefined) issue(use.name, 'must be use or bypass');
  if ((enabled ?? null) !== null && typeof enabled !== 'boolean') issue('cache_enabled', 'must be a boolean');
  const seconds = [
    [ofHeader.name, ofHeader.value === undefined ? undefined : Number(ofHeader.value)] as const,
    ['cache_ttl_seconds', ttl ?? undefined] as const,
  ].flatMap(([path, value]) => {
    if (value === undefined) return [];
    if (Number.isSafeInteger(value) && (value as number) >= 1) return [value as number];
    issue(path, 'must be a positive number of seconds');
    return [];
  });
  if (issues.length > 0) throw BadRequestError.of(issues);
  if (used === undefined && (enabled ?? null) === null) return undefined;
  return {
    isUsed: used !== false && enabled !== false,
    isCleared: clear.value?.toLowerCase() === 'true',
    ttlSeconds: seconds[0],
  };
}
