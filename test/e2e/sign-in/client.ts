/** What the identity provider knows of a person, beside the subject. */
export type Claims = Readonly<Record<string, unknown>>;

/** The client that the gateway is at the identity provider. */
export const CLIENT = { id: 'gatehouse', secret: 'a-client-secret-of-the-identity-provider' } as const;
