import { isUuid } from '../../database/identifiers.js';
import type { ReasonedIssue } from '../../http/errors/issue.js';

/** Ids and slugs share a path parameter, so what has the form of a UUID is no slug. */
export function slugIsNoId({ slug }: Readonly<Record<string, unknown>>): ReasonedIssue[] {
  if (typeof slug !== 'string' || !isUuid(slug)) return [];
  return [{ path: 'slug', message: 'must not have the form of a UUID', reason: 'slug_is_uuid' }];
}
