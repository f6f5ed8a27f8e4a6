import { hkdfSync } from 'node:crypto';

/** What a sign-in sends to the identity provider, and expects back. */
export interface AttemptSecrets {
  /** Comes back with the answer, so that an answer to another request is none to this one. */
  readonly state: string;
  /** Comes back in the ID token. */
  readonly nonce: string;
  /** RFC 7636. */
  readonly codeVerifier: string;
}

/** The secrets of a sign-in, all of them from its cookie: the database has nothing to steal. @param cookie its value */
export function attemptSecretsOf(cookie: string): AttemptSecrets {
  const derive = (purpose: string): string =>
    Buffer.from(hkdfSync('sha256', cookie, '', `gatehouse sign-in ${purpose}`, 32)).toString('base64url');
  return { state: derive('state'), nonce: derive('nonce'), codeVerifier: derive('code verifier') };
}

/** The name of the cookie of a sign-in, which its state tells, so that two tabs can sign in at once. */
export function attemptCookieName(state: string): string {
  return `gatehouse-signin-${state.slice(0, 12)}`;
}
