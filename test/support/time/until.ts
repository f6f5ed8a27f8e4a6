import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until a condition holds. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(5);
}
