import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 10;

/**
 * Polls until a condition holds.
 *
 * @param timeoutMs how long at most
 * @returns whether it came to be so in that time
 */
export async function becomesTrue(isSo: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}
