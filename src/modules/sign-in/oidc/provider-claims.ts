import type { IDToken } from 'openid-client';
import type { MemberRole } from '../../organizations/index.js';

/** The longest value of a claim that is looked at, in characters. */
const LONGEST_VALUE = 1_024;

/** The text of a claim. @returns undefined where it is absent, empty, too long, has control characters, or is no text */
export function textClaim(claims: IDToken, name: string): string | undefined {
  const value = claims[name];
  const isText = typeof value === 'string' && value !== '' && value.length <= LONGEST_VALUE && !/\p{Cc}/u.test(value);
  return isText ? value : undefined;
}

/**
 * The role that a claim gives: `admin` with one of the values that make an administrator, otherwise `member`.
 *
 * @param claim a text, or a list of texts
 * @returns undefined where the provider does not say: Entra leaves out groups beyond 200, and names a place to ask instead
 */
export function roleOf(claims: IDToken, claim: string, adminValues: readonly string[]): MemberRole | undefined {
  const value = claims[claim];
  if (value === undefined || value === null) return isElsewhere(claims, claim) ? undefined : 'member';
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.some((one) => typeof one === 'string' && adminValues.includes(one)) ? 'admin' : 'member';
}

/**
 * The groups that a claim names.
 *
 * @param claim a text, or a list of texts
 * @returns none where the claim is absent; undefined where the provider does not say, as {@link roleOf}
 */
export function groupsOf(claims: IDToken, claim: string): readonly string[] | undefined {
  const value = claims[claim];
  if (value === undefined || value === null) return isElsewhere(claims, claim) ? undefined : [];
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter(
    (one) => typeof one === 'string' && one.length <= LONGEST_VALUE && !/\p{Cc}/u.test(one),
  ) as string[];
}

/** Whether a claim is left out because it is too long (OpenID Connect Core 1.0, section 5.6.2). */
function isElsewhere(claims: IDToken, claim: string): boolean {
  const names = claims['_claim_names'];
  return (typeof names === 'object' && names !== null && Object.hasOwn(names, claim)) || claims['hasgroups'] === true;
}

/** The name that a new member gets: as the provider says it, or as far as it says any. */
export function nameOf(claims: IDToken): string {
  const given = [textClaim(claims, 'given_name'), textClaim(claims, 'family_name')].filter(
    (part) => part !== undefined,
  );
  return textClaim(claims, 'name') ?? (given.join(' ') || textClaim(claims, 'preferred_username')) ?? claims.sub;
}
