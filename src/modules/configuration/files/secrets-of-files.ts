import { isUtf8 } from 'node:buffer';
import { MOST_SECRET_CHARACTERS } from '../dto/configuration.dto.js';
import { type SecretReference, secretNameOf, secretsIn } from '../document/secret-references.js';
import type { ConfigurationFiles } from './configuration-files.js';
import { bytesOfFile } from './regular-file.js';
import { WrongFiles } from './wrong-files.js';

/** Secrets by where they are from: `env:NAME` and `file:PATH`. */
export type Secrets = Readonly<Record<string, string>>;

/** Where the secrets are that files refer to. Both give undefined for one that there is not. */
export interface SecretSources {
  variable(name: string): string | undefined;
  file(path: string): Promise<string | undefined>;
  /** What is said beside a secret that there is not; empty for nothing. */
  readonly advice: string;
}

/**
 * Reads all secrets that files refer to.
 *
 * @throws WrongFiles that names all that are missing, by file and line
 */
export async function readSecrets(files: ConfigurationFiles, sources: SecretSources): Promise<Secrets> {
  const secrets: Record<string, string> = {};
  const missing: { path: string; message: string }[] = [];
  for (const { path: entryPath, entry } of files.entries()) {
    const { secret_to: _, ...read } = entry;
    for (const { path: fields, reference } of secretsIn(read)) {
      const name = secretNameOf(reference);
      if (name === undefined || name in secrets) continue;
      const secret = await secretOf(reference, sources);
      if (secret === undefined || secret === '' || secret.length > MOST_SECRET_CHARACTERS) {
        missing.push({ path: [entryPath, ...fields].join('.'), message: `has no value: ${name}${sources.advice}` });
      } else secrets[name] = secret;
    }
  }
  if (missing.length > 0) throw new WrongFiles(files.explain(missing));
  return secrets;
}

/** The longest file with a secret, in bytes: of characters with four bytes each. */
const MOST_BYTES = 4 * MOST_SECRET_CHARACTERS;

/** The secret in a file, without the end of its line. @returns undefined for a file that cannot be read, is empty, or is not UTF-8 */
export async function secretInFile(path: string): Promise<string | undefined> {
  try {
    const bytes = await bytesOfFile(path, MOST_BYTES);
    return isUtf8(bytes) ? bytes.toString('utf8').replace(/\r?\n$/, '') : undefined;
  } catch {
    return undefined;
  }
}

async function secretOf(reference: SecretReference, sources: SecretSources): Promise<string | undefined> {
  if ('env' in reference) return sources.variable(reference.env);
  return 'file' in reference ? sources.file(reference.file) : undefined;
}
