/** The only fields of answers that disclose a credential, each for the first and the last time. */
export const DISCLOSED_CREDENTIALS: Readonly<Record<string, readonly string[]>> = {
  createAuthKeysCode: ['data.id'],
  createConnectClient: ['client_secret'],
  createKeys: ['key'],
  createManagementKey: ['key'],
  createProvisioningToken: ['token'],
  exchangeAuthCodeForAPIKey: ['key'],
  rotateConnectClientSecret: ['client_secret'],
  rotateKey: ['key'],
  rotateManagementKey: ['key'],
  rotateProvisioningToken: ['token'],
};
