import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether two secrets are equal, in a time that says nothing of how much of them is. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other));
}

// Digests are of one length, whatever they are of.
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
