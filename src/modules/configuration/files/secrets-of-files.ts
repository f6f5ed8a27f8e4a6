import { readFile } from 'node:fs/promises';
import { type SecretReference, secretNameOf, secretsIn } from '../document/secret-references.js';
import type { ConfigurationFiles } from './configuration-files.js';
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
      if (secret === undefined) {
        missing.push({ path: [entryPath, ...fields].join('.'), message: `has no value: ${name}${sources.advice}` });
      } else secrets[name] = secret;
    }
  }
  if (missing.length > 0) throw new WrongFiles(files.explain(missing));
  return secrets;
}

/** The secret in a file, without the end of its line. @returns undefined for a file that cannot be read, or is empty */
export async function secretInFile(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).replace(/\r?\n$/, '') || undefined;
  } catch {
    return undefined;
  }
}

async function secretOf(reference: SecretReference, sources: SecretSources): Promise<string | undefined> {
  if ('env' in reference) return sources.variable(reference.env);
  return 'file' in reference ? sources.file(reference.file) : undefined;
}
