import { readFileSync } from 'node:fs';
import { VariableReader } from './variable-reader.js';

/** The variables that hold, or may hold, a secret, besides PROVIDER_<ID>_API_KEY. */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'REDIS_URL',
  'ENCRYPTION_KEY',
  'METRICS_TOKEN',
  'SMTP_URL',
  'CONTENT_ANALYZER_URL',
  'CONTENT_CLASSIFIER_URL',
  'CONTENT_CLASSIFIER_KEY',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;

/** The secrets of a file are short; what is longer is another file, named by mistake. */
const MAXIMUM_LENGTH = 65_536;

const FILE_VARIABLE = new RegExp(`^(${SECRET_VARIABLES.join('|')}|PROVIDER_[A-Z0-9_]+_API_KEY)_FILE$`);

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads secrets from the files that variables with `_FILE` behind the name of a secret's variable name, as the secrets of container
 * platforms are mounted (docs/operations.md#secrets-in-files). White space around a secret does not count.
 *
 * @param variables usually `process.env`
 * @returns a reader of the variables and of these secrets, with an issue for each file that cannot be read, and for each secret that is
 *   given twice
 */
export function withSecretsOfFiles(variables: Variables): VariableReader {
  const files = Object.entries(variables).filter(([name, file]) => FILE_VARIABLE.test(name) && isGiven(file));
  if (files.length === 0) return new VariableReader(variables);
  const secrets: Record<string, string> = {};
  const issues: [name: string, message: string][] = [];
  for (const [fileVariable, file = ''] of files) {
    const name = fileVariable.slice(0, -'_FILE'.length);
    if (isGiven(variables[name])) {
      issues.push([fileVariable, `and ${name} are both set: one of them is enough`]);
      continue;
    }
    const secret = contentOf(file.trim());
    if ('issue' in secret) issues.push([fileVariable, secret.issue]);
    else secrets[name] = secret.text;
  }
  const reader = new VariableReader({ ...variables, ...secrets });
  for (const [name, message] of issues) reader.issue(name, message);
  return reader;
}

function isGiven(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '';
}

function contentOf(file: string): { readonly text: string } | { readonly issue: string } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    return { issue: `names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
  if (text === '') return { issue: `names ${file}, which is empty` };
  if (text.length > MAXIMUM_LENGTH) return { issue: `names ${file}, which is too long for a secret` };
  return { text };
}
