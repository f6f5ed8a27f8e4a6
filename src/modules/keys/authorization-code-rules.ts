import type { ReasonedIssue } from '../../http/errors/issue.js';
import { callbackUrlFaults } from './callback-url.js';

type Body = Readonly<Record<string, unknown>>;

/** An S256 challenge is 32 bytes in base64url without padding (RFC 7636, section 4.2). */
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** Where a code may be sent to. */
export function acceptableCallbackUrl(body: Body): ReasonedIssue[] {
  return callbackUrlFaults('callback_url', body['callback_url']);
}

/** A method says how a challenge was made, so it does not stand alone, and an S256 challenge has S256's form. */
export function challengeWithMethod(body: Body): ReasonedIssue[] {
  const { code_challenge: challenge, code_challenge_method: method } = body;
  if (challenge === undefined) {
    return method === undefined ? [] : [{ path: 'code_challenge', message: 'is required with code_challenge_method' }];
  }
  if (method === 'S256' && typeof challenge === 'string' && !S256_CHALLENGE.test(challenge)) {
    return [{ path: 'code_challenge', message: 'must be 43 characters of base64url for S256' }];
  }
  return [];
}
