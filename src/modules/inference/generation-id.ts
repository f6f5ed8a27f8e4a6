import { randomBytes } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const RANDOM_LENGTH = 20;

/** Bytes from here on are not used, so that every character is as likely as any other. */
const LARGEST_BYTE = Math.floor(256 / ALPHABET.length) * ALPHABET.length;

/** A new id of a generation: `gen-<unix seconds>-<20 letters and digits>`. @param now milliseconds since the epoch */
export function newGenerationId(now: number): string {
  let random = '';
  while (random.length < RANDOM_LENGTH) {
    for (const byte of randomBytes(RANDOM_LENGTH)) {
      if (byte < LARGEST_BYTE && random.length < RANDOM_LENGTH) random += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return `gen-${Math.floor(now / 1000)}-${random}`;
}
