import { isFormToken, newFormToken } from './form-token.js';

const BINDING = {
  sessionSecret: 'a session',
  purpose: 'consent',
  fixed: { callback_url: 'https://app.example.com/', state: 'x' },
};

describe('the token of a form', () => {
  it('is valid for ten minutes, for the same session, purpose and what was shown', () => {
    const token = newFormToken(BINDING, 1_000_000);

    expect(isFormToken(token, BINDING, 1_600_000)).toBe(true);
    expect(isFormToken(token, { ...BINDING, fixed: { ...BINDING.fixed, code_challenge: undefined } }, 1_000_000)).toBe(
      true,
    );
    expect(isFormToken(token, BINDING, 1_600_001)).toBe(false);
    expect(isFormToken(token, BINDING, 999_999)).toBe(false);
    expect(isFormToken(token, { ...BINDING, sessionSecret: 'another' }, 1_000_000)).toBe(false);
    expect(isFormToken(token, { ...BINDING, purpose: 'another' }, 1_000_000)).toBe(false);
    for (const fixed of [{}, { ...BINDING.fixed, state: 'y' }, { ...BINDING.fixed, code_challenge: 'z' }]) {
      expect(isFormToken(token, { ...BINDING, fixed }, 1_000_000)).toBe(false);
    }
  });

  it.each(['', '..', 'x', `${'a'.repeat(22)}.0.${'b'.repeat(43)}`])('is not %s', (token) => {
    expect(isFormToken(token, BINDING)).toBe(false);
  });

  it('cannot be given another time', () => {
    const [nonce, , mac] = newFormToken(BINDING, 1_000_000).split('.');
    expect(isFormToken(`${nonce}.${(2_000_000).toString(36)}.${mac}`, BINDING, 2_000_000)).toBe(false);
  });
});
