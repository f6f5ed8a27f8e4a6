import type { VariableReader } from './variable-reader.js';

/** The folder of configuration files that the service applies by itself (docs/configuration.md#continuously). */
export interface ConfigurationDirectory {
  readonly path: string;
  /** The organization that the files are about. Undefined: the oldest. */
  readonly organizationId: string | undefined;
  /** Whether objects of their owner that no file has any more are deleted. */
  readonly prunes: boolean;
  readonly intervalSeconds: number;
  /** Where the files are whose paths `{file: PATH}` names. Undefined: none may be named. */
  readonly secretsPath: string | undefined;
  /** The variables that `{env: NAME}` may name. No file reaches the secrets of the service itself. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** What the names of variables begin with that files may name. */
export const CONFIGURATION_SECRET_PREFIX = 'CONFIG_SECRET_';

/** Reads CONFIG_DIR and what goes with it. */
export function configurationDirectoryOf(reader: VariableReader): ConfigurationDirectory | undefined {
  const path = reader.optionalText('CONFIG_DIR');
  const organizationId = reader.optionalText('CONFIG_DIR_ORGANIZATION_ID');
  const prunes = reader.choice('CONFIG_DIR_PRUNE', ['true', 'false'], 'true') === 'true';
  const intervalSeconds = reader.integer('CONFIG_DIR_INTERVAL_SECONDS', 60, 5, 300);
  const secretsPath = reader.optionalText('CONFIG_SECRETS_DIR');
  if (path === undefined) {
    for (const [name, value] of Object.entries({
      CONFIG_DIR_ORGANIZATION_ID: organizationId,
      CONFIG_SECRETS_DIR: secretsPath,
    })) {
      if (value !== undefined) reader.issue(name, 'needs CONFIG_DIR, which is not set');
    }
    return undefined;
  }
  const secrets = new Map<string, string>();
  for (const name of reader.names()) {
    const value = name.startsWith(CONFIGURATION_SECRET_PREFIX) ? reader.optionalText(name) : undefined;
    if (value !== undefined) secrets.set(name, value);
  }
  return { path, organizationId, prunes, intervalSeconds, secretsPath, secrets };
}
