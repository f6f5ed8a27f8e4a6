import type { IDToken } from 'openid-client';
import { authenticatedAtOf, stepUpParameters } from './authentication-time.js';

const ISSUED = Math.floor(Date.now() / 1_000);
const STRICT = { stepUpWithoutAuthTime: false };
const LENIENT = { stepUpWithoutAuthTime: true };

const claims = (authTime?: number): IDToken => ({
  iss: 'i',
  sub: 's',
  aud: 'a',
  iat: ISSUED,
  exp: ISSUED + 300,
  ...(authTime !== undefined && { auth_time: authTime }),
});

/** Why a step-up is refused, or how many seconds ago the proof was. */
function judged(authTime: number | undefined, settings = STRICT, isStepUp = true): unknown {
  try {
    const at = authenticatedAtOf(claims(authTime), isStepUp, settings);
    return at === null ? null : Math.round(Math.max(0, ISSUED - at.getTime() / 1_000) / 100) * 100;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('authenticatedAtOf', () => {
  it('takes the time that the ID token states, however old it is, but none of the future', () => {
    expect(judged(ISSUED - 600, STRICT, false)).toBe(600);
    expect(judged(ISSUED - 7_200, STRICT, false)).toBe(7_200);
    expect(judged(ISSUED + 10, STRICT, false)).toBe(0);
    expect(authenticatedAtOf(claims(ISSUED + 10), false, STRICT)!.getTime()).toBeLessThanOrEqual(Date.now());
    expect(judged(ISSUED + 3_600, STRICT, false)).toBeNull();
    expect(judged(100_000_000_000, STRICT, false)).toBeNull();
  });

  it.each([STRICT, LENIENT])(
    'takes no time from a token that states none, unless it was asked for, with %j',
    (settings) => {
      expect(judged(undefined, settings, false)).toBeNull();
    },
  );

  it('refuses a step-up without a recent proof', () => {
    expect(judged(ISSUED - 600)).toBe(600);
    expect(judged(undefined)).toBe('auth_time_missing');
    expect(judged(ISSUED - 1_000)).toBe('auth_time_old');
    expect(judged(ISSUED + 3_600)).toBe('not_verified');
  });

  it('takes a step-up without a time where the connection says so, but none with an old or a future one', () => {
    expect(judged(undefined, LENIENT)).toBe(0);
    expect(judged(ISSUED - 1_000, LENIENT)).toBe('auth_time_old');
    expect(judged(ISSUED + 3_600, LENIENT)).toBe('not_verified');
  });
});

describe('stepUpParameters', () => {
  it.each([
    [STRICT, undefined, 'login'],
    [STRICT, ['select_account'], 'login'],
    [LENIENT, undefined, 'select_account'],
    [LENIENT, ['none', 'select_account'], 'select_account'],
    [LENIENT, ['login', 'select_account'], 'login'],
  ])('asks with %j of a provider that knows %j for %s', (settings, known, prompt) => {
    const metadata = { issuer: 'https://idp.example', ...(known !== undefined && { prompt_values_supported: known }) };

    expect(stepUpParameters(settings, metadata)).toEqual({ prompt, max_age: '900' });
  });
});
