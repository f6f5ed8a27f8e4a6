import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { CredentialKind } from '../../auth/principal.js';
import { credentialKindOf, hashSecret, issueAuthorizationCode, issueCredential } from './key-format.js';

const PREFIXES: [CredentialKind, string][] = [
  ['management_key', 'mk-gate-v1-'],
  ['api_key', 'sk-gate-v1-'],
  ['client_secret', 'cs-gate-v1-'],
];

/** A text with the checksum that belongs to it. */
function withChecksum(text: string): string {
  return `${text}${crc32(text).toString(16).padStart(8, '0')}`;
}

describe('issueCredential', () => {
  it.each(PREFIXES)('makes a %s of the prefix %s, 256 bits and a checksum', (kind, prefix) => {
    const { plaintext } = issueCredential(kind);

    expect(plaintext.slice(0, prefix.length)).toBe(prefix);
    expect(plaintext.slice(prefix.length)).toMatch(/^[0-9a-f]{64}[0-9a-f]{8}$/);
    expect(plaintext).toBe(withChecksum(plaintext.slice(0, -8)));
  });

  it('never makes the same one again', () => {
    const made = Array.from({ length: 1_000 }, () => issueCredential('api_key').plaintext);

    expect(new Set(made.map((plaintext) => plaintext.slice(0, -8))).size).toBe(1_000);
  });

  it('gives the SHA-256 of the whole credential, so that its holder can compute it', () => {
    const { plaintext, hash } = issueCredential('api_key');

    expect(hash.toString('hex')).toBe(createHash('sha256').update(plaintext).digest('hex'));
  });

  it.each(PREFIXES)('gives a label by which a %s is recognized, and which gives away six digits', (kind, prefix) => {
    const { plaintext, label } = issueCredential(kind);

    expect(label).toMatch(/^.{14}\.\.\..{3}$/);
    expect(label).toBe(`${prefix}${plaintext.slice(11, 14)}...${plaintext.slice(-3)}`);
  });
});

describe('issueAuthorizationCode', () => {
  it('makes a code in the form of a credential, which is none', () => {
    const { plaintext, hash } = issueAuthorizationCode();

    expect(plaintext).toMatch(/^ac-gate-v1-[0-9a-f]{72}$/);
    expect(hash).toEqual(hashSecret(plaintext));
    expect(credentialKindOf(plaintext)).toBeUndefined();
  });
});

describe('hashSecret', () => {
  it('is SHA-256 (FIPS 180-2, appendix B.1)', () => {
    expect(hashSecret('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('credentialKindOf', () => {
  it.each(PREFIXES)('knows a %s', (kind) => {
    expect(credentialKindOf(issueCredential(kind).plaintext)).toBe(kind);
  });

  it('knows one whose checksum begins with zeros', () => {
    const bodies = Array.from({ length: 4_096 }, (_, number) => `sk-gate-v1-${number.toString(16).padStart(64, '0')}`);
    const credential = bodies.map(withChecksum).find((text) => text.at(-8) === '0' && text.at(-7) === '0')!;

    expect(credentialKindOf(credential)).toBe('api_key');
  });

  it('finds a slip at any place', () => {
    const { plaintext } = issueCredential('management_key');

    for (let index = 0; index < plaintext.length; index += 1) {
      const character = plaintext[index] === '0' ? '1' : '0';
      const slipped = `${plaintext.slice(0, index)}${character}${plaintext.slice(index + 1)}`;
      expect(credentialKindOf(slipped)).toBeUndefined();
    }
  });

  it('finds two digits that were exchanged', () => {
    const body = `sk-gate-v1-${'0123456789abcdef'.repeat(4)}`;
    const credential = withChecksum(body);

    expect(credentialKindOf(credential)).toBe('api_key');
    expect(credentialKindOf(credential.replace('89', '98'))).toBeUndefined();
  });

  it.each([
    ['nothing', ''],
    ['a prefix alone', 'mk-gate-v1-'],
    ['an unknown prefix', withChecksum(`xx-gate-v1-${'0'.repeat(64)}`)],
    ['an unknown version', withChecksum(`mk-gate-v2-${'0'.repeat(64)}`)],
    ['a prefix in capitals', withChecksum(`MK-gate-v1-${'0'.repeat(64)}`)],
    ['digits in capitals', withChecksum(`mk-gate-v1-${'A'.repeat(64)}`)],
    ['too few digits', withChecksum(`mk-gate-v1-${'0'.repeat(63)}`)],
    ['too many digits', withChecksum(`mk-gate-v1-${'0'.repeat(65)}`)],
    ['a checksum in capitals', withChecksum(`mk-gate-v1-${'0'.repeat(64)}`).toUpperCase()],
    ['a checksum of the digits alone', `mk-gate-v1-${withChecksum('0'.repeat(64))}`],
    ['a line break at the end', `${withChecksum(`mk-gate-v1-${'0'.repeat(64)}`)}\n`],
    ['a space ahead', ` ${withChecksum(`mk-gate-v1-${'0'.repeat(64)}`)}`],
  ])('does not know %s', (_, text) => {
    expect(credentialKindOf(text)).toBeUndefined();
  });
});
