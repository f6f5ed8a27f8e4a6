import { AnalyzerFailure } from './analyzer.js';

/**
 * Limits how long all texts of one request are analyzed together: each piece of them has a limit of its own, and there may be hundreds.
 *
 * @param milliseconds how long at most
 * @param client ends the work when the client is gone
 * @param work is given the signal that its requests end with, which is also aborted behind it: where one text fails, the others are
 *   not needed any more
 * @throws what the work throws, which is an AnalyzerFailure where it took too long
 */
export async function withinTime(
  milliseconds: number,
  client: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const limit = new AbortController();
  const tooLong = new AnalyzerFailure('the analyzer took too long for all texts of the request');
  const timer = setTimeout(() => limit.abort(tooLong), milliseconds);
  try {
    await work(client === undefined ? limit.signal : AbortSignal.any([client, limit.signal]));
  } finally {
    clearTimeout(timer);
    limit.abort();
  }
}
