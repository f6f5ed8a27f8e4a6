import { accessSync, chmodSync, constants, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { firstInaccessible, isRoot, ownUserId, type Account } from './account.js';
import { EmbeddedPostgresUnavailable, errorCode, errorMessage } from './errors.js';

/**
 * The absolute path of the default data directory: `/var/lib/gatehouse` for root, because the account of PostgreSQL can
 * rarely access root's working directory, and `.data` in the working directory for other users.
 */
export function defaultDataDirectory(): string {
  return isRoot() ? '/var/lib/gatehouse' : path.resolve('.data');
}

/**
 * Creates a data directory if it does not exist, and returns its absolute path without symbolic links. Throws
 * EmbeddedPostgresUnavailable when it cannot be created or written.
 */
export function openDataDirectory(directory: string): string {
  try {
    createDataDirectory(path.resolve(directory));
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(directory);
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
    throw new EmbeddedPostgresUnavailable(
      `user ${ownUserId()} cannot create or write the data directory ${directory} (${errorMessage(error)}). ` +
        'Set DATA_DIR to a directory it may write, or set DATABASE_URL.',
    );
  }
}

/**
 * Throws EmbeddedPostgresUnavailable with the inaccessible directory, when the account cannot access the data directory
 * (absolute, without symbolic links).
 */
export function assertReachable(dataDirectory: string, account: Account): void {
  const obstacle = firstInaccessible(account, dataDirectory);
  if (obstacle === undefined) return;
  throw new EmbeddedPostgresUnavailable(
    `PostgreSQL refuses to run as root, and user ${account.userId}, whom it would run as, cannot pass through ${obstacle} ` +
      `to the data directory ${dataDirectory}. Set DATA_DIR to a directory it can reach (unset, it is ` +
      `${defaultDataDirectory()}), or let it through with: chmod o+x ${obstacle}`,
  );
}

function createDataDirectory(directory: string): void {
  const firstCreated = mkdirSync(directory, { recursive: true, mode: isRoot() ? 0o755 : 0o700 });
  if (firstCreated === undefined || !isRoot()) return;
  // The umask may have restricted them, but PostgreSQL's account has to be able to enter them.
  for (let created = directory; created.length >= firstCreated.length; created = path.dirname(created)) {
    chmodSync(created, 0o755);
  }
}
