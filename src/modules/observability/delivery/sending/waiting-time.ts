/** The longest wait after failures, and the shortest, in milliseconds. */
const LONGEST_MS = 300_000;
const SHORTEST_MS = 1_000;

/** The longest time for which a receiver can ask to be left alone, in milliseconds. */
const LONGEST_ASKED_MS = 3_600_000;

/**
 * How long to wait after failures in a row: a random part of a second that doubles with each (full jitter), so that many destinations of
 * one receiver do not come back together; longer where the receiver asks for it.
 *
 * @param failures at least 1
 * @param askedMs what the receiver has asked for
 */
export function waitingTime(failures: number, askedMs = 0, random = Math.random()): number {
  const most = Math.min(LONGEST_MS, SHORTEST_MS * 2 ** failures);
  return Math.max(SHORTEST_MS, random * most, Math.min(askedMs, LONGEST_ASKED_MS));
}
