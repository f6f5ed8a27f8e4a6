import type { ServerResponse } from 'node:http';
import { RATE_KINDS, type RateLevel } from '../../../rates/rate-count.js';
import type { RatedRequest } from '../request/decision.js';

/** Writes the headers of a limit. */
export type RateHeaders = (level: RateLevel) => Readonly<Record<string, string>>;

/**
 * Tells the client of a request what its limits leave, if it has any: before the first byte of whatever it is answered with. Of the
 * limits of a key and of its workspace that which leaves less is shown, for requests and for tokens each by itself.
 *
 * @param rates undefined for a request without such limits
 * @param furtherHeaders those that the clients of the operation read besides
 */
export function showRates(
  response: ServerResponse,
  rates: RatedRequest | undefined,
  furtherHeaders?: RateHeaders,
): void {
  if (rates === undefined || response.headersSent) return;
  for (const kind of RATE_KINDS) {
    const [tightest] = rates.levels
      .filter((level) => level.kind === kind)
      .sort((one, other) => remainingOf(one) - remainingOf(other) || one.limit - other.limit);
    if (tightest === undefined) continue;
    const headers = { ...standardHeaders(tightest), ...furtherHeaders?.(tightest) };
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  }
}

/** What a limit leaves. Answers can use more than it. */
export function remainingOf({ limit, used }: RateLevel): number {
  return Math.max(0, limit - used);
}

/** The form that most clients read. */
const standardHeaders: RateHeaders = (level) => ({
  [`x-ratelimit-limit-${level.kind}`]: String(level.limit),
  [`x-ratelimit-remaining-${level.kind}`]: String(remainingOf(level)),
  [`x-ratelimit-reset-${level.kind}`]: durationOf(level.resetSeconds),
});

/** A duration as clients of that form read it: `59s`, `1m0s`. */
function durationOf(seconds: number): string {
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
