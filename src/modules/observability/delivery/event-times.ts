/**
 * A time as ISO 8601 in UTC with milliseconds.
 *
 * @param milliseconds of Unix time; what is no time counts as its beginning
 */
export function isoTimeOf(milliseconds: number): string {
  const time = new Date(milliseconds);
  return (Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString();
}

/** Milliseconds from one time to another, at least none: clocks are set back at times. */
export function durationOf(startedAt: number, endedAt: number): number {
  const duration = endedAt - startedAt;
  return Number.isFinite(duration) ? Math.max(0, duration) : 0;
}
