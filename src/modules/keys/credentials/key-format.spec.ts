import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { CredentialKind } from '../../../auth/principal.js';
import { newOrganizationId } from '../../../persistence/identifiers.js';
import { composeSecret, hashSecret, issueSecret, readAuthorizationCode, readCredential } from './key-format.js';

const PREFIXES: [CredentialKind, string][] = [
  ['management_key', 'mk-gate-'],
  ['api_key', 'sk-gate-'],
  ['client_secret', 'cs-gate-'],
];

const ORGANIZATION = 'org_019aa3f05b1e7c409d0e3d1c2b4a5f62';
const PART = '031f7GbuPo0GnCsEhZdbqU';
const RANDOM = '0123456789abcdef'.repeat(4);

/** A text with the checksum that belongs to it. */
function withChecksum(text: string): string {
  return `${text}${crc32(text).toString(16).padStart(8, '0')}`;
}

describe('issueSecret', () => {
  it.each(PREFIXES)(
    'creates a %s with the prefix %s, its organization, 256 random bits and a checksum',
    (kind, prefix) => {
      const { plaintext } = issueSecret(kind, ORGANIZATION);

      const beginning = `${prefix}v2-${PART}-`;
      expect(plaintext.slice(0, beginning.length)).toBe(beginning);
      expect(plaintext.slice(beginning.length)).toMatch(/^[0-9a-f]{64}[0-9a-f]{8}$/);
      expect(plaintext).toBe(withChecksum(plaintext.slice(0, -8)));
    },
  );

  it('creates a different one each time', () => {
    const made = Array.from({ length: 1_000 }, () => issueSecret('api_key', ORGANIZATION).plaintext);

    expect(new Set(made.map((plaintext) => plaintext.slice(0, -8))).size).toBe(1_000);
  });

  it('returns the SHA-256 of the whole credential, which its owner can compute', () => {
    const { plaintext, hash } = issueSecret('api_key', ORGANIZATION);

    expect(hash.toString('hex')).toBe(createHash('sha256').update(plaintext).digest('hex'));
  });

  it.each(PREFIXES)('returns a label that identifies a %s and reveals six digits', (kind, prefix) => {
    const { plaintext, label } = issueSecret(kind, ORGANIZATION);

    expect(label).toMatch(/^.{14}\.\.\..{3}$/);
    expect(label).toBe(`${prefix}v2-${plaintext.slice(34, 37)}...${plaintext.slice(-3)}`);
  });

  it('throws a RangeError for what is not the id of an organization', () => {
    expect(() => issueSecret('api_key', 'org_1')).toThrow(RangeError);
  });
});

describe('issueSecret of an authorization code', () => {
  it('creates a code in the form of a credential, but of no kind', () => {
    const { plaintext, hash } = issueSecret('authorization_code', ORGANIZATION);

    expect(plaintext).toMatch(new RegExp(`^ac-gate-v2-${PART}-[0-9a-f]{72}$`));
    expect(hash).toEqual(hashSecret(plaintext));
    expect(readCredential(plaintext)).toBeUndefined();
  });
});

describe('composeSecret', () => {
  it('composes the same secret from the same random bits', () => {
    const secret = composeSecret('api_key', ORGANIZATION, Buffer.from(RANDOM, 'hex'));

    expect(secret).toBe(withChecksum(`sk-gate-v2-${PART}-${RANDOM}`));
  });
});

describe('hashSecret', () => {
  it('is SHA-256 (FIPS 180-2, appendix B.1)', () => {
    expect(hashSecret('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('readCredential', () => {
  it.each(PREFIXES)('reads a %s, with its organization and its hash', (kind) => {
    const { plaintext, hash } = issueSecret(kind, ORGANIZATION);

    expect(readCredential(plaintext)).toEqual({ kind, organizationId: ORGANIZATION, hash });
  });

  it.each(PREFIXES)('reads a %s of version 1, which states no organization', (kind, prefix) => {
    const credential = withChecksum(`${prefix}v1-${RANDOM}`);

    expect(readCredential(credential)).toEqual({ kind, organizationId: null, hash: hashSecret(credential) });
  });

  it.each([`org_${'0'.repeat(32)}`, `org_${'f'.repeat(32)}`, newOrganizationId()])(
    'reads the organization %s',
    (organizationId) => {
      expect(readCredential(issueSecret('api_key', organizationId).plaintext)).toMatchObject({ organizationId });
    },
  );

  it('reads a credential whose checksum begins with zeros', () => {
    const bodies = Array.from(
      { length: 4_096 },
      (_, number) => `sk-gate-v2-${PART}-${number.toString(16).padStart(64, '0')}`,
    );
    const credential = bodies.map(withChecksum).find((text) => text.at(-8) === '0' && text.at(-7) === '0')!;

    expect(readCredential(credential)).toMatchObject({ kind: 'api_key' });
  });

  it.each([
    ['version 2', issueSecret('management_key', ORGANIZATION).plaintext],
    ['version 1', withChecksum(`mk-gate-v1-${RANDOM}`)],
  ])('rejects a credential of %s with a wrong digit at any position', (_, plaintext) => {
    for (let index = 0; index < plaintext.length; index += 1) {
      const character = plaintext[index] === '0' ? '1' : '0';
      const slipped = `${plaintext.slice(0, index)}${character}${plaintext.slice(index + 1)}`;
      expect(readCredential(slipped)).toBeUndefined();
    }
  });

  it('rejects two exchanged digits', () => {
    const credential = withChecksum(`sk-gate-v2-${PART}-${RANDOM}`);

    expect(readCredential(credential)).toMatchObject({ kind: 'api_key' });
    expect(readCredential(credential.replace('89', '98'))).toBeUndefined();
  });

  it.each([
    ['nothing', ''],
    ['a prefix alone', 'mk-gate-v1-'],
    ['a prefix and an organization alone', `mk-gate-v2-${PART}-`],
    ['an unknown prefix', withChecksum(`xx-gate-v1-${RANDOM}`)],
    ['an unknown prefix of version 2', withChecksum(`xx-gate-v2-${PART}-${RANDOM}`)],
    ['an unknown version', withChecksum(`mk-gate-v3-${PART}-${RANDOM}`)],
    ['version 2 without an organization', withChecksum(`mk-gate-v2-${RANDOM}`)],
    ['version 1 with an organization', withChecksum(`mk-gate-v1-${PART}-${RANDOM}`)],
    ['an empty organization', withChecksum(`mk-gate-v2--${RANDOM}`)],
    ['an organization of 21 characters', withChecksum(`mk-gate-v2-${PART.slice(1)}-${RANDOM}`)],
    ['an organization of 23 characters', withChecksum(`mk-gate-v2-0${PART}-${RANDOM}`)],
    ['an organization beyond 2^128', withChecksum(`mk-gate-v2-7n42DGM5Tflk9n8mt7Fhc8-${RANDOM}`)],
    ['the largest organization of 22 characters', withChecksum(`mk-gate-v2-${'z'.repeat(22)}-${RANDOM}`)],
    ['an organization with an underscore', withChecksum(`mk-gate-v2-${PART.slice(1)}_-${RANDOM}`)],
    ['an organization with a full stop', withChecksum(`mk-gate-v2-${PART.slice(1)}.-${RANDOM}`)],
    ['an organization with a letter that is not ASCII', withChecksum(`mk-gate-v2-${PART.slice(1)}\u00e9-${RANDOM}`)],
    ['no hyphen after the organization', withChecksum(`mk-gate-v2-${PART}${RANDOM}`)],
    ['a prefix in capitals', withChecksum(`MK-gate-v1-${RANDOM}`)],
    ['a prefix of version 2 in capitals', withChecksum(`MK-gate-v2-${PART}-${RANDOM}`)],
    ['digits in capitals', withChecksum(`mk-gate-v1-${'A'.repeat(64)}`)],
    ['digits of version 2 in capitals', withChecksum(`mk-gate-v2-${PART}-${'A'.repeat(64)}`)],
    ['too few digits', withChecksum(`mk-gate-v1-${'0'.repeat(63)}`)],
    ['too few digits of version 2', withChecksum(`mk-gate-v2-${PART}-${'0'.repeat(63)}`)],
    ['too many digits', withChecksum(`mk-gate-v1-${'0'.repeat(65)}`)],
    ['too many digits of version 2', withChecksum(`mk-gate-v2-${PART}-${'0'.repeat(65)}`)],
    ['a checksum in capitals', withChecksum(`mk-gate-v1-${'0'.repeat(64)}`).toUpperCase()],
    ['a checksum of the digits alone', `mk-gate-v1-${withChecksum('0'.repeat(64))}`],
    ['a checksum without the organization', `mk-gate-v2-${PART}-${withChecksum(`mk-gate-v2-${RANDOM}`).slice(11)}`],
    ['a line break at the end', `${withChecksum(`mk-gate-v1-${RANDOM}`)}\n`],
    ['a line break at the end of version 2', `${withChecksum(`mk-gate-v2-${PART}-${RANDOM}`)}\n`],
    ['a space ahead', ` ${withChecksum(`mk-gate-v1-${RANDOM}`)}`],
    ['an authorization code of version 1', withChecksum(`ac-gate-v1-${RANDOM}`)],
  ])('rejects %s', (_, text) => {
    expect(readCredential(text)).toBeUndefined();
  });

  it('reads another organization, and another hash, where the organization is replaced', () => {
    const { plaintext, hash } = issueSecret('api_key', ORGANIZATION);
    const other = withChecksum(plaintext.slice(0, -8).replace(PART, '0'.repeat(22)));

    const { organizationId, hash: otherHash } = readCredential(other)!;

    expect(organizationId).toBe(`org_${'0'.repeat(32)}`);
    expect(otherHash).not.toEqual(hash);
  });
});

describe('readAuthorizationCode', () => {
  it('reads a code, with its organization and its hash', () => {
    const { plaintext, hash } = issueSecret('authorization_code', ORGANIZATION);

    expect(readAuthorizationCode(plaintext)).toMatchObject({ organizationId: ORGANIZATION, hash });
  });

  it('reads a code of version 1, which states no organization', () => {
    const code = withChecksum(`ac-gate-v1-${RANDOM}`);

    expect(readAuthorizationCode(code)).toMatchObject({ organizationId: null, hash: hashSecret(code) });
  });

  it.each([
    ['nothing', ''],
    ['a word', 'x'],
    ['a credential', issueSecret('api_key', ORGANIZATION).plaintext],
    ['a wrong checksum', `ac-gate-v2-${PART}-${RANDOM}00000000`],
    ['an organization beyond 2^128', withChecksum(`ac-gate-v2-${'z'.repeat(22)}-${RANDOM}`)],
  ])('rejects %s', (_, text) => {
    expect(readAuthorizationCode(text)).toBeUndefined();
  });
});
