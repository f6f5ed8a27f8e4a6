import { codeBytesOf, isConsentToken, newConsentToken } from './consent-token.js';

const BINDING = { sessionSecret: 'a session', fixed: { callback_url: 'https://app.example.com/', state: 'x' } };

describe('a consent token', () => {
  it('is valid for ten minutes, for the same session and what the application has said', () => {
    const token = newConsentToken(BINDING, 1_000_000);

    expect(isConsentToken(token, BINDING, 1_600_000)).toBe(true);
    expect(
      isConsentToken(token, { ...BINDING, fixed: { ...BINDING.fixed, code_challenge: undefined } }, 1_000_000),
    ).toBe(true);
    expect(isConsentToken(token, BINDING, 1_600_001)).toBe(false);
    expect(isConsentToken(token, BINDING, 999_999)).toBe(false);
    expect(isConsentToken(token, { ...BINDING, sessionSecret: 'another' }, 1_000_000)).toBe(false);
    for (const fixed of [{}, { ...BINDING.fixed, state: 'y' }, { ...BINDING.fixed, code_challenge: 'z' }]) {
      expect(isConsentToken(token, { ...BINDING, fixed }, 1_000_000)).toBe(false);
    }
  });

  it.each(['', '..', 'x', `${'a'.repeat(22)}.0.${'b'.repeat(43)}`])('is not %s', (token) => {
    expect(isConsentToken(token, BINDING)).toBe(false);
  });

  it('cannot be given another time', () => {
    const [nonce, , mac] = newConsentToken(BINDING, 1_000_000).split('.');
    expect(isConsentToken(`${nonce}.${(2_000_000).toString(36)}.${mac}`, BINDING, 2_000_000)).toBe(false);
  });

  it('stands for one code', () => {
    const [one, other] = [newConsentToken(BINDING), newConsentToken(BINDING)];
    expect(codeBytesOf(one, BINDING)).toEqual(codeBytesOf(one, BINDING));
    expect(codeBytesOf(one, BINDING)).not.toEqual(codeBytesOf(other, BINDING));
    expect(codeBytesOf(one, BINDING)).toHaveLength(32);
  });
});
