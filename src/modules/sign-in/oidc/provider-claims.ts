import type { IDToken } from 'openid-client';
import { ADMINISTRATOR, DEFAULT_ROLE, type MemberRole } from '../../../auth/roles.js';
import { claimAt } from './claim-path.js';

/** The longest value of a claim that is looked at, in characters. */
const LONGEST_VALUE = 1_024;

/** The text of a claim. @returns undefined where it is absent, empty, too long, has control characters, or is no text */
export function textClaim(claims: IDToken, name: string): string | undefined {
  const value = claimAt(claims, name);
  const isText = typeof value === 'string' && value !== '' && value.length <= LONGEST_VALUE && !/\p{Cc}/u.test(value);
  return isText ? value : undefined;
}

/** Whether the provider says anything of a claim: `null` says nothing. */
export function isSaid(claims: IDToken, claim: string): boolean {
  const value = claimAt(claims, claim);
  return value !== undefined && value !== null;
}

/**
 * The role that a claim gives: `admin` with one of the values that make an administrator, otherwise `member`.
 *
 * @param claim a text, or a list of texts
 * @returns undefined where the provider does not say: the claim is absent, because nothing maps it, its scope was not granted, or it is too
 *   long (Entra leaves out groups beyond 200, and names a place to ask instead). An empty list says something.
 */
export function roleOf(claims: IDToken, claim: string, adminValues: readonly string[]): MemberRole | undefined {
  if (!isSaid(claims, claim)) return undefined;
  return valuesOf(claims, claim).some((one) => typeof one === 'string' && adminValues.includes(one))
    ? ADMINISTRATOR
    : DEFAULT_ROLE;
}

/**
 * The groups that a claim names.
 *
 * @param claim a text, or a list of texts
 * @returns none where the claim is absent; undefined where it is left out because it is too long
 */
export function groupsOf(claims: IDToken, claim: string): readonly string[] | undefined {
  if (!isSaid(claims, claim)) return isElsewhere(claims, claim) ? undefined : [];
  return valuesOf(claims, claim).filter(
    (one) => typeof one === 'string' && one.length <= LONGEST_VALUE && !/\p{Cc}/u.test(one),
  ) as string[];
}

function valuesOf(claims: IDToken, claim: string): readonly unknown[] {
  const value = claimAt(claims, claim);
  return Array.isArray(value) ? value : [value];
}

/** Whether a claim, or the one that it lies in, is left out because it is too long (OpenID Connect Core 1.0, section 5.6.2). */
export function isElsewhere(claims: IDToken, claim: string): boolean {
  const names = claims['_claim_names'];
  const elsewhere = typeof names === 'object' && names !== null ? Object.keys(names) : [];
  return elsewhere.some((name) => claim === name || claim.startsWith(`${name}.`)) || claims['hasgroups'] === true;
}

/**
 * Whether the provider says that it has not verified the e-mail address (`email_verified`, OpenID Connect Core 1.0, section 5.1): with it a
 * stranger could have the address of anyone. Providers that do not say it pass; some write the value as a text.
 */
export function isEmailUnverified({ email_verified: verified }: Readonly<Record<string, unknown>>): boolean {
  if (verified === undefined || verified === null || verified === true) return false;
  return typeof verified !== 'string' || verified.toLowerCase() !== 'true';
}

/** The name that a new member gets: as the provider says it, or as far as it says any. */
export function nameOf(claims: IDToken): string {
  const given = [textClaim(claims, 'given_name'), textClaim(claims, 'family_name')].filter(
    (part) => part !== undefined,
  );
  return textClaim(claims, 'name') ?? (given.join(' ') || textClaim(claims, 'preferred_username')) ?? claims.sub;
}
