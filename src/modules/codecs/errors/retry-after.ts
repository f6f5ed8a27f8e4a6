import { durationOf } from './duration.js';

/** The headers of an answer, with names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

const SECONDS_PER_DAY = 86_400;

/** How much of a message is looked at, in UTF-16 code units. */
const LOOKED_AT = 2_000;

/** Headers with when a limit begins anew; what follows the name says which. */
const RESET = 'x-ratelimit-reset';

/** Headers with what is left of a limit; what follows the name says which. */
const REMAINING = 'x-ratelimit-remaining';

/** Statuses of a provider that is asked too often; in other answers, limits that still have room say when they begin anew. */
const ASKED_TOO_OFTEN: ReadonlySet<number> = new Set([429, 503]);

/** The numbers from which a value is not a number of seconds to wait, but seconds since 1970, or milliseconds. */
const [LEAST_TIME_SECONDS, LEAST_TIME_MS] = [1_000_000_000, 1_000_000_000_000];

/**
 * Reads when a provider wants to be asked again: `retry-after-ms`, Retry-After (RFC 9110, 10.2.3), or with 429 and 503 when its
 * limits begin anew (docs/interface/providers.md#errors).
 *
 * @param headers of its answer
 * @param status of its answer
 * @param now milliseconds since 1970
 * @returns seconds, at most a day and rounded up; undefined if nothing says it
 */
export function retryAfterOf(headers: AnswerHeaders, status: number, now: number): number | undefined {
  const milliseconds = numberOf(valueOf(headers, 'retry-after-ms'));
  const seconds =
    (milliseconds === undefined ? undefined : milliseconds / 1_000) ??
    secondsOf(valueOf(headers, 'retry-after'), now) ??
    (ASKED_TOO_OFTEN.has(status) ? secondsUntilReset(headers, now) : undefined);
  return boundedWait(seconds);
}

/** How providers say in words when to ask again: "Please try again in 1m26.4s", "retry after 20 seconds". */
const IN_WORDS =
  /\b(?:try again|retry|available)\b[^.\d]{0,20}((?:\d{1,6}(?:\.\d{1,6})? ?(?:ms|milliseconds?|seconds?|sec|s|minutes?|min|m|hours?|h) ?){1,4})/i;

/**
 * Reads from the words of a provider when it wants to be asked again.
 *
 * @param message of its refusal
 * @returns seconds, at most a day and rounded up; undefined if the message does not say it
 */
export function waitIn(message: string): number | undefined {
  const said = IN_WORDS.exec(message.slice(0, LOOKED_AT))?.[1];
  const units = said
    ?.toLowerCase()
    .replaceAll(/milliseconds?/g, 'ms')
    .replaceAll(/([smh])(?:econds?|inutes?|ours?|ec|in)/g, '$1');
  return units === undefined ? undefined : boundedWait(durationOf(units.replaceAll(' ', '')));
}

/** Rounds a wait up to whole seconds, from none to a day. */
export function boundedWait(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.min(Math.max(Math.ceil(seconds), 0), SECONDS_PER_DAY);
}

/** All limits that are used up have to begin anew. Where none is, the first that does may be the one that was too small. */
function secondsUntilReset(headers: AnswerHeaders, now: number): number | undefined {
  const limits = Object.keys(headers).flatMap((name) => {
    const seconds = name.startsWith(RESET) ? resetOf(valueOf(headers, name), now) : undefined;
    if (seconds === undefined) return [];
    return [{ seconds, isUsedUp: numberOf(valueOf(headers, REMAINING + name.slice(RESET.length))) === 0 }];
  });
  const usedUp = limits.filter(({ isUsedUp }) => isUsedUp);
  if (limits.length === 0) return undefined;
  return usedUp.length > 0
    ? Math.max(...usedUp.map(({ seconds }) => seconds))
    : Math.min(...limits.map(({ seconds }) => seconds));
}

/** A duration, seconds, a time since 1970, or a date. */
function resetOf(value: string, now: number): number | undefined {
  const number = numberOf(value);
  if (number === undefined) return durationOf(value) ?? untilDate(value, now);
  if (number < LEAST_TIME_SECONDS) return number;
  return (number < LEAST_TIME_MS ? number : number / 1_000) - now / 1_000;
}

function secondsOf(value: string, now: number): number | undefined {
  // Date.parse takes "-5" for a month.
  return numberOf(value) ?? (/^[a-z]/i.test(value) ? untilDate(value, now) : undefined);
}

function untilDate(value: string, now: number): number | undefined {
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : (date - now) / 1_000;
}

function numberOf(value: string): number | undefined {
  return /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}

/** The first value of a header without white space around it; empty where there is none. */
function valueOf(headers: AnswerHeaders, name: string): string {
  const value = headers[name];
  return ((typeof value === 'string' ? value : value?.[0]) ?? '').trim();
}
