import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';
import { MAXIMUM_CLAIM_ITEMS, MAXIMUM_CLAIM_LENGTH, SUBJECT_ALGORITHMS } from '../federation-settings.js';
import { conditionHolds } from '../policies/condition.js';
import type { ExchangePolicy } from '../policies/policies.repository.js';

/** What an exchange looks at in a subject token. */
export interface SubjectClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly audience: readonly string[];
  readonly scopes: readonly string[];
  /** Empty without one. */
  readonly tokenType: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/** Whether a text is a JWT with a header and claims, whatever they say; its signature is not checked. */
export function isJwt(token: string): boolean {
  try {
    decodeProtectedHeader(token);
    decodeJwt(token);
    return token.split('.').length === 3;
  } catch {
    return false;
  }
}

/** The claims of a JWT before its signature is verified. @returns undefined where they are not such as are exchanged */
export function claimsOf(token: string): SubjectClaims | undefined {
  const { alg } = decodeProtectedHeader(token);
  return (SUBJECT_ALGORITHMS as readonly unknown[]).includes(alg) ? claimsIn(decodeJwt(token)) : undefined;
}

function claimsIn({ iss, sub, aud, exp, ...others }: JWTPayload): SubjectClaims | undefined {
  const audience = typeof aud === 'string' ? [aud] : aud;
  const scopes = others['scopes'] ?? [];
  const tokenType = others['token_type'] ?? '';
  if (typeof iss !== 'string' || typeof exp !== 'number' || !Number.isFinite(exp)) return undefined;
  if (!isClaim(sub) || !areClaims(audience) || !areClaims(scopes) || !isClaim(tokenType)) return undefined;
  return { issuer: iss, subject: sub, audience, scopes, tokenType, expiresAt: exp };
}

function isClaim(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAXIMUM_CLAIM_LENGTH;
}

function areClaims(values: unknown): values is string[] {
  return Array.isArray(values) && values.length <= MAXIMUM_CLAIM_ITEMS && values.every(isClaim);
}

/** Whether claims are those that a policy asks for, as far as they are compared; its condition is asked once the signature is verified. */
export function claimsFit(claims: SubjectClaims, { policy, issuer }: ExchangePolicy): boolean {
  const { subject, audience, requiredScope, requiredTokenType } = policy;
  return (
    claims.issuer === issuer.issuer &&
    (subject === null || claims.subject === subject) &&
    claims.audience.includes(audience) &&
    (requiredScope === null || claims.scopes.includes(requiredScope)) &&
    (requiredTokenType === null || claims.tokenType === requiredTokenType)
  );
}

/** Whether the condition of a policy holds for claims. */
export function conditionFits(claims: SubjectClaims, { policy }: ExchangePolicy): boolean {
  if (policy.condition === null) return true;
  const { subject, audience, scopes, tokenType } = claims;
  return conditionHolds(policy.condition, { subject, audience, scopes, token_type: tokenType });
}
