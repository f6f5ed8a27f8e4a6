import { codeChallengeOf, verifierFits } from './code-challenge.js';

/** RFC 7636, appendix B. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('codeChallengeOf', () => {
  it('is BASE64URL(SHA-256(verifier)) without padding for S256', () => {
    expect(codeChallengeOf(VERIFIER, 'S256')).toBe(CHALLENGE);
  });

  it('is the verifier for plain', () => {
    expect(codeChallengeOf(VERIFIER, 'plain')).toBe(VERIFIER);
  });
});

describe('verifierFits', () => {
  it('accepts the verifier of the challenge', () => {
    expect(verifierFits(VERIFIER, CHALLENGE, 'S256')).toBe(true);
    expect(verifierFits(VERIFIER, VERIFIER, 'plain')).toBe(true);
  });

  it.each([
    ['another verifier', `${VERIFIER.slice(0, -1)}j`, CHALLENGE, 'S256'],
    ['a longer verifier', `${VERIFIER}k`, CHALLENGE, 'S256'],
    ['no verifier', '', CHALLENGE, 'S256'],
    ['the challenge for the verifier', CHALLENGE, CHALLENGE, 'S256'],
    ['the verifier of the other method', VERIFIER, VERIFIER, 'S256'],
    ['a challenge with padding', VERIFIER, `${CHALLENGE}=`, 'S256'],
    ['a challenge in base64', VERIFIER, CHALLENGE.replaceAll('-', '+'), 'S256'],
    ['another case', VERIFIER.toUpperCase(), VERIFIER, 'plain'],
    ['a shorter verifier', VERIFIER.slice(0, -1), VERIFIER, 'plain'],
    ['the challenge of the other method', VERIFIER, CHALLENGE, 'plain'],
  ] as const)('rejects %s', (_, verifier, challenge, method) => {
    expect(verifierFits(verifier, challenge, method)).toBe(false);
  });
});
