import { randomFillSync } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const RANDOM_LENGTH = 20;

/** Bytes from here on are not used, so that every character is as likely as any other. */
const UNUSED_BYTES_FROM = Math.floor(256 / ALPHABET.length) * ALPHABET.length;

/** Random bytes for many ids: asking for them costs more than they do. */
const pool = Buffer.alloc(4096);
let used = pool.length;

/** A new id of a generation: `gen-<unix seconds>-<20 letters and digits>`. @param now milliseconds since the epoch */
export function newGenerationId(now: number): string {
  let random = '';
  while (random.length < RANDOM_LENGTH) {
    const byte = randomByte();
    if (byte < UNUSED_BYTES_FROM) random += ALPHABET.charAt(byte % ALPHABET.length);
  }
  return `gen-${Math.floor(now / 1000)}-${random}`;
}

function randomByte(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 1;
  return pool[used - 1]!;
}
