import type { LimitWindow } from './limit-vocabulary.js';

const SECOND_MS = 1000;
const DAY_MS = 86_400 * SECOND_MS;

/** The start of windows without an end, and of limits of requests at the same time. */
const EPOCH = new Date(0);

/** How long a counter is kept behind the end of its window, since its last request in a session, and for requests at the same time. */
const KEPT_AFTER_WINDOW_MS = 3_600 * SECOND_MS;
const KEPT_AFTER_SESSION_MS = 7 * DAY_MS;
const KEPT_WITHOUT_WINDOW_MS = DAY_MS;

/** The first moment of the window that a time is in, of the calendar in UTC; weeks begin on Monday (docs/interface/limits.md#windows). */
export function windowStartOf(window: LimitWindow | null, at: Date): Date {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  switch (window) {
    case 'minute':
      return new Date(at.getTime() - (at.getTime() % (60 * SECOND_MS)));
    case 'hour':
      return new Date(at.getTime() - (at.getTime() % (3_600 * SECOND_MS)));
    case 'daily':
      return new Date(Date.UTC(year, month, day));
    case 'weekly':
      return new Date(Date.UTC(year, month, day - ((at.getUTCDay() + 6) % 7)));
    case 'monthly':
      return new Date(Date.UTC(year, month, 1));
    default:
      return EPOCH;
  }
}

/** When a window ends; null for one without an end. @param start its first moment */
export function windowEndOf(window: LimitWindow | null, start: Date): Date | null {
  switch (window) {
    case 'minute':
      return new Date(start.getTime() + 60 * SECOND_MS);
    case 'hour':
      return new Date(start.getTime() + 3_600 * SECOND_MS);
    case 'daily':
      return new Date(start.getTime() + DAY_MS);
    case 'weekly':
      return new Date(start.getTime() + 7 * DAY_MS);
    case 'monthly':
      return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
    default:
      return null;
  }
}

/** When a counter may be deleted; null for never. @param at the time of its last request */
export function counterExpiryOf(window: LimitWindow | null, start: Date, at: Date): Date | null {
  if (window === 'lifetime') return null;
  if (window === 'session') return new Date(at.getTime() + KEPT_AFTER_SESSION_MS);
  const end = windowEndOf(window, start);
  return new Date(end === null ? at.getTime() + KEPT_WITHOUT_WINDOW_MS : end.getTime() + KEPT_AFTER_WINDOW_MS);
}
