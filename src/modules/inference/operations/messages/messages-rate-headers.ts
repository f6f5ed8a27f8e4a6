import { type RateHeaders, remainingOf } from '../../pipeline/rates/rate-headers.js';

/** The headers of a limit that clients of the Messages form read (docs/interface/messages.md#headers). */
export const messagesRateHeaders: RateHeaders = (level) => ({
  [`anthropic-ratelimit-${level.kind}-limit`]: String(level.limit),
  [`anthropic-ratelimit-${level.kind}-remaining`]: String(remainingOf(level)),
  [`anthropic-ratelimit-${level.kind}-reset`]: timeIn(level.resetSeconds),
});

/** RFC 3339, in whole seconds. */
function timeIn(seconds: number): string {
  return `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}Z`;
}
