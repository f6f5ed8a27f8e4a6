import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { loadOrCreateEncryptionKey } from '../config/encryption-key-file.js';
import { Environment, readEnvironment } from '../config/environment.js';
import { ConfigurationError } from '../config/variable-reader.js';
import { errorCode, errorMessage } from '../persistence/database-failures.js';
import type { OpenDatabase } from '../persistence/open-database.js';
import { UsageError } from './usage-error.js';

/**
 * The operations that ANONYMOUS_OPERATIONS may permit without a credential
 * (docs/interface/keys-and-oauth.md#authentication).
 */
export const OPENABLE_OPERATIONS = [
  'exchangeAuthCodeForAPIKey',
  'listImageModels',
  'getModel',
  'getModels',
  'listEndpoints',
] as const;

/**
 * Reads the configuration from environment variables and, for those that are not set, from the file `.env` in the working
 * directory.
 *
 * @param reader `encrypts`: whether the process encrypts or decrypts anything, and so needs a key; `isWorker`: whether it is one of WORKERS
 *   processes, and so has an N-th of what bounds a process
 * @throws ConfigurationError that lists every issue at once
 */
export function loadEnvironment({ encrypts = true, isWorker = false } = {}): Environment {
  loadEnvironmentFile('.env');
  return readEnvironment(process.env, OPENABLE_OPERATIONS, encrypts, isWorker);
}

/** @throws ConfigurationError for a file that exists and cannot be read */
function loadEnvironmentFile(file: string): void {
  if (!existsSync(file)) return;
  try {
    // loadEnvFile does not say why.
    readFileSync(file);
  } catch (error) {
    const cause = errorCode(error) ?? errorMessage(error);
    throw new ConfigurationError([`The file ${path.resolve(file)} cannot be read (${cause})`]);
  }
  process.loadEnvFile(file);
}

/** Adds the generated encryption key of the embedded server's data directory, if the configuration has none. */
export async function withEncryptionKey(environment: Environment, database: OpenDatabase): Promise<Environment> {
  if (environment.encryptionKeys.length > 0 || database.dataDirectory === undefined) return environment;
  const key = await loadOrCreateEncryptionKey(database.dataDirectory);
  return new Environment({ ...environment, encryptionKeys: [key] });
}

/** A value that a command was told to read from a variable of its own. @returns undefined where it is not set */
export function valueOfVariable(name: string): string | undefined {
  const value = process.env[name]?.trim();
  return value === '' ? undefined : value;
}

/** Requires that a command is to work on the database of a deployment. @throws UsageError where GATEHOUSE_URL names a server: that may have another one */
export function requireNoServer(): void {
  if (valueOfVariable('GATEHOUSE_URL') === undefined) return;
  throw new UsageError(
    'This command works on the database of a deployment, not by its interface: unset GATEHOUSE_URL.',
  );
}

/** The directory in which the user ran npm, because npm runs scripts in the directory of the package. */
export function invocationDirectory(): string {
  return process.env['INIT_CWD'] ?? process.cwd();
}
