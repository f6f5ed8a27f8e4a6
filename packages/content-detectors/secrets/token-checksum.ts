import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The digits at the end of a token that are its checksum, in base 62. */
const CHECKSUM_LENGTH = 6;

/** The checksum of a text as tokens of GitHub end with it: CRC-32 in base 62, with leading zeros. */
export function tokenChecksum(text: string): string {
  let digits = '';
  for (let rest = crc32(text); digits.length < CHECKSUM_LENGTH; rest = Math.floor(rest / ALPHABET.length)) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
  }
  return digits;
}

/** Whether a token, without its prefix, ends with the checksum of what stands before. */
export function hasTokenChecksum(token: string): boolean {
  return token.endsWith(tokenChecksum(token.slice(0, -CHECKSUM_LENGTH)));
}
