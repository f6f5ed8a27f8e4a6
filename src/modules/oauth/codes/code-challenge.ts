import { createHash, timingSafeEqual } from 'node:crypto';

/** How a code challenge is computed from its verifier (RFC 7636, section 4.2). */
export const CODE_CHALLENGE_METHODS = ['S256', 'plain'] as const;

export type CodeChallengeMethod = (typeof CODE_CHALLENGE_METHODS)[number];

/** The challenge of a verifier: BASE64URL(SHA-256(verifier)) without padding for S256, the verifier itself for plain. */
export function codeChallengeOf(verifier: string, method: CodeChallengeMethod): string {
  return method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
}

/** Whether a verifier belongs to a challenge (RFC 7636, section 4.6). Takes the same time wherever the two differ. */
export function verifierFits(verifier: string, challenge: string, method: CodeChallengeMethod): boolean {
  // Digests are equally long, whatever the caller sent.
  return timingSafeEqual(digestOf(codeChallengeOf(verifier, method)), digestOf(challenge));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
