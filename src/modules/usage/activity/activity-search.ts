import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { DATE_NOT_AVAILABLE } from '../usage.errors.js';
import type { ActivityQuery } from './dto/activity.dto.js';

const DAY_MS = 86_400_000;

/** How many days the activity goes back. */
const DAYS = 30;

/** Which rows of activity to read. */
export interface ActivitySearch {
  /** The beginning of the first day. */
  readonly from: Date;
  /** The end of the last day. */
  readonly until: Date;
  readonly keyHash: Buffer | null;
  readonly userId: string | null;
  readonly workspaceId: string | null;
}

/**
 * What a query asks for: the last 30 completed days in UTC, or one of them.
 *
 * @param now in milliseconds since 1970
 * @throws BadRequestError for a date that is not one of these days
 */
export function activitySearchOf(query: ActivityQuery, now: number): ActivitySearch {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const days = Array.from({ length: DAYS }, (_, index) => new Date(today - (DAYS - index) * DAY_MS));
  const asked = query.date === undefined ? days : days.filter((day) => dateOf(day) === query.date);
  const [first, last] = [asked[0], asked.at(-1)];
  if (first === undefined || last === undefined) throw BadRequestError.of([DATE_NOT_AVAILABLE.at('date')]);
  return {
    from: first,
    until: new Date(last.getTime() + DAY_MS),
    keyHash: query.api_key_hash === undefined ? null : Buffer.from(query.api_key_hash, 'hex'),
    userId: query.user_id ?? null,
    workspaceId: query.workspace_id?.toLowerCase() ?? null,
  };
}

function dateOf(day: Date): string {
  return day.toISOString().slice(0, 'YYYY-MM-DD'.length);
}
