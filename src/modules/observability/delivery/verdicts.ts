import type { DeliveryVerdict, ReceiverAnswer } from './destination-adapter.js';
import { cutText } from './text-cut.js';

/** The longest time that a receiver may ask to be left alone. */
const MAXIMUM_RETRY_AFTER_MS = 3_600_000;

/** How much of an answer is kept. */
const MESSAGE_LIMIT = { length: 500, unit: 'characters' } as const;

/** Answers that mean the configuration: credentials, address, right, method, an account that has to pay, a redirect. */
const MISCONFIGURED = new Set([401, 402, 403, 404, 405, 407, 451]);

/** Answers about the moment, and not about what was sent. */
const UNAVAILABLE = new Set([408, 409, 421, 423, 425, 502, 503, 504]);

/** Gateways and servers that are overloaded, where they say until when. */
const MAY_THROTTLE = new Set([502, 503, 504]);

/**
 * What an answer means where a type says nothing else (docs/interface/destination-types.md#answers).
 *
 * @param secrets texts that the message must not contain (`secretsOf`)
 * @param now milliseconds of Unix time, from which a date in `Retry-After` (RFC 9110, 10.2.3) is counted
 */
export function verdictOf(
  answer: ReceiverAnswer,
  secrets: readonly string[] = [],
  now: number = Date.now(),
): DeliveryVerdict {
  const { status } = answer;
  if (status >= 200 && status <= 299) return { outcome: 'delivered' };
  const told = { status, message: messageOf(answer, secrets) };
  const retryAfterMs = retryAfterOf(answer, now);
  const waiting = { ...told, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  if (status === 429 || (MAY_THROTTLE.has(status) && retryAfterMs !== undefined)) {
    return { ...waiting, outcome: 'throttled' };
  }
  if (UNAVAILABLE.has(status)) return { ...waiting, outcome: 'unavailable' };
  if (status === 410) return { ...told, outcome: 'gone' };
  if (status === 415) return { ...told, outcome: 'unsupported_encoding' };
  if (MISCONFIGURED.has(status) || (status >= 300 && status <= 399)) return { ...told, outcome: 'misconfigured' };
  if (status >= 400 && status <= 499) return { ...told, outcome: 'refused' };
  return { ...waiting, outcome: 'failed' };
}

/** The verdict on a batch that is larger than the type's limit, however it is shortened: it was not sent. */
export const TOO_LARGE: DeliveryVerdict = {
  outcome: 'refused',
  status: null,
  message: 'The generations are larger than one request to this type may be.',
};

/**
 * An answer in one line: its status, and the beginning of what it says, without control characters and secrets.
 *
 * @returns at most 500 characters
 */
export function messageOf({ status, body }: ReceiverAnswer, secrets: readonly string[] = []): string {
  // Masked before it is cut, so that no part of a secret is left at the cut.
  const text = withoutSecrets(body.toWellFormed(), secrets)
    .replace(CONTROL_CHARACTERS, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return cutText(text === '' ? `HTTP ${status}` : `HTTP ${status}: ${text}`, MESSAGE_LIMIT);
}

const CONTROL_CHARACTERS = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Replaces every secret in a text. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '****'), text);
}

function retryAfterOf({ status, headers }: ReceiverAnswer, now: number): number | undefined {
  const waits = [waitOf(headers['retry-after'], now), status === 429 ? sentryWaitOf(headers) : undefined];
  const known = waits.filter((wait) => wait !== undefined);
  return known.length === 0 ? undefined : Math.min(MAXIMUM_RETRY_AFTER_MS, Math.max(...known));
}

function waitOf(text: string | undefined, now: number): number | undefined {
  const value = text?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1_000);
  // A date begins with the name of its day; Date.parse takes much else for one.
  const date = /^[A-Z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Sentry's header has a list of limits, each of which begins with its seconds: `60:transaction:organization, 2700:error`. */
function sentryWaitOf(headers: ReceiverAnswer['headers']): number | undefined {
  const seconds = (headers['x-sentry-rate-limits'] ?? '')
    .split(',')
    .map((limit) => Number(/^\s*(\d+)/.exec(limit)?.[1] ?? Number.NaN))
    .filter((limit) => Number.isFinite(limit));
  return seconds.length === 0 ? undefined : Math.max(...seconds) * 1_000;
}

/**
 * What an error comes to that the transport throws: the receiver is unavailable, or its address is misconfigured.
 *
 * @throws every other error as it is
 */
export function verdictOfError(error: unknown): DeliveryVerdict {
  if (error instanceof ReceiverNotAllowed) return { outcome: 'misconfigured', status: null, message: error.message };
  if (error instanceof ReceiverUnreachable) return { outcome: 'unavailable', status: null, message: error.message };
  throw error;
}

/** A receiver gave no whole answer: no connection, a broken one, a wrong certificate, or too late. Its message names no credential. */
export class ReceiverUnreachable extends Error {}

/** A receiver's host leads to an address that is not allowed (docs/interface/destinations.md#addresses). */
export class ReceiverNotAllowed extends Error {}
