/** The only places of answers at which an operation tells a credential, each for the first and the last time. */
export const TOLD_CREDENTIALS: Readonly<Record<string, readonly string[]>> = {
  createAuthKeysCode: ['data.id'],
  createConnectClient: ['client_secret'],
  createKeys: ['key'],
  exchangeAuthCodeForAPIKey: ['key'],
  rotateConnectClientSecret: ['client_secret'],
  rotateKey: ['key'],
};
