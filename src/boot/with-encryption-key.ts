import { keptEncryptionKey } from '../config/encryption-key-file.js';
import { Environment } from '../config/environment.js';
import type { OpenDatabase } from '../database/open-database.js';

/** The environment with the embedded server's own encryption key, where none is configured. */
export async function withEncryptionKey(environment: Environment, database: OpenDatabase): Promise<Environment> {
  if (environment.encryptionKeys.length > 0 || database.dataDirectory === undefined) return environment;
  return new Environment({ ...environment, encryptionKeys: [await keptEncryptionKey(database.dataDirectory)] });
}
