import {
  type AskedLimit,
  type CountedRequest,
  limitsOf,
  type RateCount,
  type RateKind,
  type RateLevel,
  type RateSubject,
  type TokenCorrection,
  withTokenLimits,
} from './rate-count.js';
import type { SlidingWindow } from './sliding-window.js';

/** What was counted for one subject. */
export type SubjectWindows = Readonly<Record<RateKind, SlidingWindow>>;

/** Finds the windows of a subject, which are changed in place. */
export type FindWindows = (subject: RateSubject) => SubjectWindows;

/** Counts a request for all of its subjects, or for none. @param now seconds since the epoch */
export function countIn(find: FindWindows, request: CountedRequest, now: number): RateCount {
  const asked = limitsOf(request).map((limit) => ({ ...limit, window: find(limit.subject)[limit.kind] }));
  const second = advanceAll(
    asked.map(({ window }) => window),
    now,
  );
  const exceeded = asked.find(({ window, amount, limit }) => window.used + amount > limit);
  if (exceeded === undefined) for (const { window, amount } of asked) window.add(amount);
  const levels = asked.map(levelOf);
  if (exceeded === undefined) return { second, levels };
  const { window, amount, limit } = exceeded;
  return {
    second,
    levels,
    exceeded: {
      ...levelOf(exceeded),
      requested: amount,
      retryAfterSeconds: window.secondsUntilUsedIs(limit - amount),
    },
  };
}

/** Corrects what was counted. @param now seconds since the epoch */
export function applyTokenCorrection(
  find: FindWindows,
  { subjects, second, tokens }: TokenCorrection,
  now: number,
): void {
  const windows = withTokenLimits(subjects).map((subject) => find(subject).tokens);
  advanceAll(windows, now);
  for (const window of windows) {
    if (tokens < 0) window.takeBack(second, -tokens);
    else window.add(tokens);
  }
}

/** Clocks can go back a little: then the latest second counts. @returns the second that it is for all of the windows */
function advanceAll(windows: readonly SlidingWindow[], now: number): number {
  for (const window of windows) window.advance(now);
  const second = Math.max(now, ...windows.map(({ latestSecond }) => latestSecond));
  for (const window of windows) window.advance(second);
  return second;
}

function levelOf({ subject, kind, limit, window }: AskedLimit & { readonly window: SlidingWindow }): RateLevel {
  return { subject: subject.subject, kind, limit, used: window.used, resetSeconds: window.secondsUntilEmpty };
}
