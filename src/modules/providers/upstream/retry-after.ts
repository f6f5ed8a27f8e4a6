const SECONDS_PER_DAY = 86_400;

/**
 * Reads when a provider wants to be asked again (RFC 9110, 10.2.3).
 *
 * @param header the value of Retry-After: seconds, or a date
 * @param now milliseconds since 1970
 * @returns seconds, at most a day and rounded up; undefined if the header is absent or says neither
 */
export function retryAfterOf(header: string | readonly string[] | undefined, now: number): number | undefined {
  const value = (typeof header === 'string' ? header : header?.[0])?.trim();
  if (value === undefined || value === '') return undefined;
  // Date.parse takes "-5" for a month.
  const date = /^[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : (date - now) / 1000;
  if (Number.isNaN(seconds)) return undefined;
  return Math.min(Math.max(Math.ceil(seconds), 0), SECONDS_PER_DAY);
}
