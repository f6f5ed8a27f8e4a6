import { realpath } from 'node:fs/promises';
import path from 'node:path';
import {
  type ConfigurationDirectory,
  CONFIGURATION_SECRET_PREFIX,
} from '../../../config/configuration-directory-variables.js';
import { secretInFile, type SecretSources } from '../files/secrets-of-files.js';

/**
 * The secrets that files of CONFIG_DIR may name: variables that are meant for them, and files of one folder, wherever links lead. Whoever writes
 * such files does not get at the secrets of the service with them.
 */
export function secretsOfDirectory({ secrets, secretsPath }: ConfigurationDirectory): SecretSources {
  return {
    variable: (name) => secrets.get(name),
    file: async (name) => {
      const real = secretsPath === undefined ? undefined : await realPathWithin(secretsPath, name);
      return real === undefined ? undefined : secretInFile(real);
    },
    advice: ` (CONFIG_DIR takes variables ${CONFIGURATION_SECRET_PREFIX}..., and files in CONFIG_SECRETS_DIR)`,
  };
}

/** @returns undefined for what is not in the folder */
async function realPathWithin(folder: string, name: string): Promise<string | undefined> {
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(path.resolve(folder, name))]);
    return real.startsWith(`${root}${path.sep}`) ? real : undefined;
  } catch {
    return undefined;
  }
}
