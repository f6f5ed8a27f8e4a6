/** Where an identity of a member comes from, which is what it ends with (docs/interface/sign-in.md#where-a-link-comes-from). */
export const IDENTITY_SOURCES = ['directory', 'hand', 'sign_in'] as const;

export type IdentitySource = (typeof IDENTITY_SOURCES)[number];
