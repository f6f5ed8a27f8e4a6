import { maskSecrets } from './secret-mask.js';

/** The random part of a credential and its checksum, in hex. */
const RANDOM = '0123456789abcdef'.repeat(4) + '89abcdef';

describe('maskSecrets', () => {
  it.each(['mk-gate-v1-', 'sk-gate-v1-', 'cs-gate-v1-', 'ac-gate-v1-'])('blackens what follows %s', (prefix) => {
    expect(maskSecrets(prefix + RANDOM)).toBe(`${prefix}[redacted]`);
  });

  it.each([
    ['inside a path', `/api/v1/keys/sk-gate-v1-${RANDOM}/usage`, '/api/v1/keys/sk-gate-v1-[redacted]/usage'],
    ['inside a sentence', `no key "mk-gate-v1-${RANDOM}".`, 'no key "mk-gate-v1-[redacted]".'],
    ['behind another word', `keymk-gate-v1-${RANDOM}`, 'keymk-gate-v1-[redacted]'],
    ['behind an underscore', `key_sk-gate-v1-${RANDOM}`, 'key_sk-gate-v1-[redacted]'],
    ['in capitals', `SK-GATE-V1-${RANDOM.toUpperCase()}`, 'SK-GATE-V1-[redacted]'],
    ['cut short', `sk-gate-v1-${RANDOM.slice(0, 20)}`, 'sk-gate-v1-[redacted]'],
    ['with more behind it', `sk-gate-v1-${RANDOM}0_-`, 'sk-gate-v1-[redacted]'],
    ['several times', `cs-gate-v1-${RANDOM},ac-gate-v1-${RANDOM}`, 'cs-gate-v1-[redacted],ac-gate-v1-[redacted]'],
    ['on several lines', `ac-gate-v1-${RANDOM}\nac-gate-v1-${RANDOM}`, 'ac-gate-v1-[redacted]\nac-gate-v1-[redacted]'],
    ['without its prefix', `/keys/${RANDOM}`, '/keys/[redacted]'],
    ['with its prefix encoded', `/keys/sk%2Dgate%2Dv1%2D${RANDOM}`, '/keys/sk%2Dgate%2Dv1%[redacted]'],
    ['behind other digits', `/keys/ecb9b3d44${RANDOM}`, '/keys/[redacted]'],
    ['before other digits', `/keys/${RANDOM}ecb9`, '/keys/[redacted]'],
  ])('blackens a credential %s', (_name, text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  it.each([
    '',
    '/api/v1/guardrails',
    // A key's hash is no secret, and what a log is searched for.
    `/api/v1/keys/${RANDOM.slice(0, 64)}`,
    '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
    'z'.repeat(128),
    'xk-gate-v1-0123',
    'mk-gate-v2-0123',
  ])('leaves %p as it is', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });
});
