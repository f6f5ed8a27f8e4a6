import { maskPath, maskSecrets } from './secret-mask.js';

/** The random part of a credential and its checksum, in hex. */
const RANDOM = '0123456789abcdef'.repeat(4) + '89abcdef';

/** The organization of a credential of version 2. */
const PART = '031f7GbuPo0GnCsEhZdbqU';

/** A token as it is signed (RFC 7519, section 3.1). */
const JWT =
  'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODB9.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

describe('maskSecrets', () => {
  it.each(['mk-gate-v1-', 'sk-gate-v1-', 'cs-gate-v1-', 'ac-gate-v1-'])('masks what follows %s', (prefix) => {
    expect(maskSecrets(prefix + RANDOM)).toBe(`${prefix}[redacted]`);
  });

  it.each(['mk-gate-v2-', 'sk-gate-v2-', 'cs-gate-v2-', 'ac-gate-v2-'])('masks what follows %s', (prefix) => {
    expect(maskSecrets(`${prefix}${PART}-${RANDOM}`)).toBe(`${prefix}[redacted]`);
  });

  it.each([
    ['of version 2 inside a path', `/keys/sk-gate-v2-${PART}-${RANDOM}/usage`, '/keys/sk-gate-v2-[redacted]/usage'],
    ['of version 2 in capitals', `SK-GATE-V2-${PART}-${RANDOM}`.toUpperCase(), 'SK-GATE-V2-[redacted]'],
    ['of version 2 cut short', `sk-gate-v2-${PART}-${RANDOM.slice(0, 20)}`, 'sk-gate-v2-[redacted]'],
    ['of version 2 without its prefix', `/keys/${PART}-${RANDOM}`, `/keys/${PART}-[redacted]`],
    ['of a kind that is added later', `xk-gate-v2-${PART}-${RANDOM.slice(0, 20)}`, 'xk-gate-v2-[redacted]'],
    ['of a later version', `sk-gate-v10-${RANDOM}`, 'sk-gate-v10-[redacted]'],
    ['inside a path', `/api/v1/keys/sk-gate-v1-${RANDOM}/usage`, '/api/v1/keys/sk-gate-v1-[redacted]/usage'],
    ['inside a sentence', `no key "mk-gate-v1-${RANDOM}".`, 'no key "mk-gate-v1-[redacted]".'],
    ['after another word', `keymk-gate-v1-${RANDOM}`, 'keymk-gate-v1-[redacted]'],
    ['after an underscore', `key_sk-gate-v1-${RANDOM}`, 'key_sk-gate-v1-[redacted]'],
    ['in capitals', `SK-GATE-V1-${RANDOM.toUpperCase()}`, 'SK-GATE-V1-[redacted]'],
    ['cut short', `sk-gate-v1-${RANDOM.slice(0, 20)}`, 'sk-gate-v1-[redacted]'],
    ['followed by more', `sk-gate-v1-${RANDOM}0_-`, 'sk-gate-v1-[redacted]'],
    ['several times', `cs-gate-v1-${RANDOM},ac-gate-v1-${RANDOM}`, 'cs-gate-v1-[redacted],ac-gate-v1-[redacted]'],
    ['on several lines', `ac-gate-v1-${RANDOM}\nac-gate-v1-${RANDOM}`, 'ac-gate-v1-[redacted]\nac-gate-v1-[redacted]'],
    ['without its prefix', `/keys/${RANDOM}`, '/keys/[redacted]'],
    ['with its prefix encoded', `/keys/sk%2Dgate%2Dv1%2D${RANDOM}`, '/keys/sk%2Dgate%2Dv1%[redacted]'],
    ['without its checksum', RANDOM.slice(0, 64), '[redacted]'],
    ['without its prefix and its first digits', `id-${RANDOM.slice(2)}`, 'id-[redacted]'],
    ['after other digits', `/keys/ecb9b3d44${RANDOM}`, '/keys/[redacted]'],
    ['before other digits', `/keys/${RANDOM}ecb9`, '/keys/[redacted]'],
  ])('masks a credential %s', (_name, text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  it.each([
    ['alone', JWT, 'eyJ[redacted]'],
    ['in a header', `Bearer ${JWT}`, 'Bearer eyJ[redacted]'],
    ['in a sentence', `token "${JWT}" and more.`, 'token "eyJ[redacted]" and more.'],
    ['without its signature', JWT.slice(0, JWT.lastIndexOf('.') + 1), 'eyJ[redacted]'],
    ['several times', `${JWT},${JWT}`, 'eyJ[redacted],eyJ[redacted]'],
    ['that is encrypted', `${JWT}.abc-_.def`, 'eyJ[redacted]'],
    ['beside a credential', `${JWT} sk-gate-v1-${RANDOM}`, 'eyJ[redacted] sk-gate-v1-[redacted]'],
  ])('masks a JWT %s', (_name, text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  it.each(['eyJ'.repeat(200_000), 'eyJ.'.repeat(150_000), '-eyJ'.repeat(150_000)])(
    'takes no time for a long text that is nearly a JWT',
    (text) => {
      const start = performance.now();
      maskSecrets(text);
      expect(performance.now() - start).toBeLessThan(1_000);
    },
  );

  it.each([
    '',
    'www.example.com',
    'eyJhbGciOiJFUzI1NiJ9',
    'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0',
    '/api/v1/guardrails',
    `a digest that was cut short: ${RANDOM.slice(0, 63)}`,
    '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
    'z'.repeat(128),
    '4k-gate-v1-0123',
    'mk-gate-v-0123',
    `a credential that was cut: ${PART}`,
  ])('leaves %p unchanged', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });
});

describe('maskPath', () => {
  const HASH = RANDOM.slice(0, 64);
  const encoded = (text: string): string =>
    [...text].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');

  it.each([
    [
      'percent-encoded as a whole',
      `/api/v1/keys/${encoded(`mk-gate-v1-${RANDOM}`)}`,
      '/api/v1/keys/mk-gate-v1-[redacted]',
    ],
    [
      'of version 2, percent-encoded as a whole',
      `/api/v1/keys/${encoded(`mk-gate-v2-${PART}-${RANDOM}`)}`,
      '/api/v1/keys/mk-gate-v2-[redacted]',
    ],
    [
      'of version 2, percent-encoded in part',
      `/x/sk%2dgate%2Dv2-${PART}%2D${RANDOM.slice(0, 9)}`,
      '/x/sk-gate-v2-[redacted]',
    ],
    ['percent-encoded in part', `/x/sk%2dgate%2Dv1-${RANDOM.slice(0, 9)}`, '/x/sk-gate-v1-[redacted]'],
    [
      'percent-encoded twice',
      `/x/${encoded(`sk-gate-v1-${RANDOM}`).replaceAll('%', '%25')}`,
      '/x/sk-gate-v1-[redacted]',
    ],
    ['percent-encoded without its prefix', `/x/${encoded(RANDOM)}`, '/x/[redacted]'],
    ['in the place of a hash', `/api/v1/keys/${RANDOM}`, '/api/v1/keys/[redacted]'],
    ['after a hash', `/api/v1/keys/${HASH}/${RANDOM}`, `/api/v1/keys/${HASH}/[redacted]`],
    ['before a hash', `/${RANDOM}/keys/${HASH}`, `/[redacted]/keys/${HASH}`],
    ['without its checksum, where no hash belongs', `/api/v1/workspaces/${HASH}`, '/api/v1/workspaces/[redacted]'],
    ['among malformed escapes', `/%/%zz/sk%2Dgate%2Dv1%2D${RANDOM}`, '/%/%zz/sk-gate-v1-[redacted]'],
  ])('masks a credential %s', (_name, path, masked) => {
    expect(maskPath(path)).toBe(masked);
  });

  it.each([`/api/v1/keys/${HASH}`, `/api/v1/keys/${HASH}/rotate`, '/api/v1/guardrails', '/a%20b/%ff/%', '/%2525'])(
    'leaves %s unchanged',
    (path) => {
      expect(maskPath(path)).toBe(path);
    },
  );
});
