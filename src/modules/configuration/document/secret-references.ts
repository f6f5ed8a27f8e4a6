import { isObject } from '../../../http/validation/constraints.js';

/**
 * Where a secret is from: a variable of the environment or a file, of whoever applies the files; or that it stays as it is, which is what
 * exported files say.
 */
export type SecretReference = { readonly env: string } | { readonly file: string } | typeof KEEP;

/** Says in a file that a secret stays as it is. */
export const KEEP = { keep: true } as const;

/** The longest name of a variable or path of a file. */
const MOST_CHARACTERS = 1_024;

/** Whether a value says where a secret is from, and nothing else. */
export function isSecretReference(value: unknown): value is SecretReference {
  if (!isObject(value)) return false;
  const [name, ...others] = Object.keys(value);
  if (name === 'keep' && others.length === 0) return value[name] === true;
  if ((name !== 'env' && name !== 'file') || others.length > 0) return false;
  const source = value[name];
  return typeof source === 'string' && source !== '' && source.length <= MOST_CHARACTERS;
}

/** How requests call a secret: `env:OPENAI_KEY` or `file:/run/secrets/openai`; undefined for one that stays. */
export function secretNameOf(reference: SecretReference): string | undefined {
  if ('keep' in reference) return undefined;
  return 'env' in reference ? `env:${reference.env}` : `file:${reference.file}`;
}

/** A secret in an entry, by the fields that lead to it. */
export interface PlacedSecret {
  readonly path: readonly string[];
  readonly reference: SecretReference;
}

/** The references in a value, however deep in objects. Lists have none. */
export function secretsIn(value: unknown, path: readonly string[] = []): PlacedSecret[] {
  if (isSecretReference(value)) return [{ path, reference: value }];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => secretsIn(part, [...path, name]));
}

/** A value with what a function makes of each reference in it. @param replace returns undefined for a field to leave out */
export function withSecrets(
  value: unknown,
  replace: (reference: SecretReference, path: readonly string[]) => unknown,
  path: readonly string[] = [],
): unknown {
  if (isSecretReference(value)) return replace(value, path);
  if (!isObject(value)) return value;
  const parts = Object.entries(value).map(
    ([name, part]) => [name, withSecrets(part, replace, [...path, name])] as const,
  );
  return Object.fromEntries(parts.filter(([, part]) => part !== undefined));
}

/** The texts and other values in an object that are no references, by the fields that lead to them. */
export function plainValuesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (value === null || value === undefined || isSecretReference(value)) return [];
  if (!isObject(value)) return [path];
  return Object.entries(value).flatMap(([name, part]) => plainValuesIn(part, [...path, name]));
}
