import { createHash } from 'node:crypto';

/** The number of bytes that stand for a share, and how many shares they can stand for. */
const SHARE_BYTES = 6;
const SHARES = 2 ** (SHARE_BYTES * 8);

/**
 * Whether something is in a share of all that have names: a hash of its name decides, so that the answer for it is always the same.
 *
 * @param rate from 0 to 1
 */
export function isInShare(name: string, rate: number): boolean {
  if (rate <= 0 || rate >= 1) return rate > 0;
  return createHash('sha256').update(name).digest().readUIntBE(0, SHARE_BYTES) / SHARES < rate;
}
