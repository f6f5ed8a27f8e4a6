/** Where the keys of an issuer come from: its discovery document, a URL, or the settings themselves. */
export const JWKS_TYPES = ['discovery', 'explicit_url', 'inline'] as const;

export type JwksType = (typeof JWKS_TYPES)[number];

/** The algorithms that subject tokens may be signed with. */
export const SUBJECT_ALGORITHMS = ['ES256', 'RS256'] as const;

/** The longest subject and audience of a token, in characters. */
export const MAXIMUM_CLAIM_LENGTH = 512;

/** How many scopes a token may have, and how many audiences. */
export const MAXIMUM_CLAIM_ITEMS = 16;

/** The longest condition, in characters. */
export const MAXIMUM_CONDITION_LENGTH = 2_000;
