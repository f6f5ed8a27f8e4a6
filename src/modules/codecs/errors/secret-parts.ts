import { objectOf, parsed } from '../chat/json-values.js';

/** The fields of a document that are secret: of keys of Amazon, a service account of Google, and an application of Entra ID. */
const SECRET_FIELDS = ['secret_access_key', 'session_token', 'private_key', 'client_secret'];

/** Every part of the secret of a credential that no message may show. @param secret an API key, or a document */
export function partsOfSecret(secret: string | null): readonly string[] {
  if (secret === null) return [];
  const document = secret.startsWith('{') ? objectOf(parsed(secret)) : undefined;
  const parts = SECRET_FIELDS.map((name) => document?.[name]).filter((part) => typeof part === 'string');
  return [secret, ...parts];
}
