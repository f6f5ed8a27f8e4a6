import { ContentFilterUnavailable } from '../content.errors.js';
import type { RuleMatches } from '../engine/rule-matches.js';

/** A server that inspects texts does not answer as its protocol says, or not in time, or there is none. */
export class InspectorFailure extends Error {}

/** What is set for a server that inspects texts. */
export interface RemoteSettings {
  /** How long all texts of one request may take together, in milliseconds: each piece of them has a limit of its own. */
  readonly totalTimeoutMs: number;
  /** Whether requests pass when the server fails. */
  readonly letsPass: boolean;
}

/**
 * Has texts inspected by a server.
 *
 * @param client ends the work when the client is gone
 * @param matches those of the rules that need the server, which record that it failed where requests pass then
 * @param work is given the signal that its requests end with, which is also aborted behind it: where one text fails, the others are
 *   not needed any more
 * @throws ContentFilterUnavailable when the server fails or takes too long, and requests do not pass then
 * @throws anything else that the work throws
 */
export async function inspectRemotely(
  settings: RemoteSettings,
  client: AbortSignal | undefined,
  matches: readonly RuleMatches[],
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  try {
    await withinTime(settings.totalTimeoutMs, client, work);
  } catch (error) {
    if (!(error instanceof InspectorFailure)) throw error;
    if (!settings.letsPass) throw new ContentFilterUnavailable();
    for (const match of matches) match.pass();
  }
}

/**
 * Does work that has to end in time.
 *
 * @param client ends the work when the client is gone
 * @param work as that of {@link inspectRemotely}
 * @throws InspectorFailure when it takes too long
 * @throws anything else that the work throws
 */
export async function withinTime<Result>(
  milliseconds: number,
  client: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const tooLong = new InspectorFailure('the server took too long for all texts of the request');
  const timer = setTimeout(() => limit.abort(tooLong), milliseconds);
  try {
    return await work(client === undefined ? limit.signal : AbortSignal.any([client, limit.signal]));
  } finally {
    clearTimeout(timer);
    limit.abort();
  }
}
