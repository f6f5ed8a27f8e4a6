import { accessSync, constants, readFileSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';
import { EmbeddedPostgresUnavailable, errorCode } from './errors.js';

/**
 * User ids that PostgreSQL can run as if this process is root, in order of preference. The first that no account has and
 * that files can be given to is used. The first id is outside all ranges that Linux distributions, containers and systemd
 * assign; the second is for containers with only 65,536 ids.
 */
const IDS_FOR_ROOT = [1_879_100_432, 59_432];

/** Accounts that initdb can run as, because it refuses to run as a user without a name. The first that exists is used. */
const NAMED_ACCOUNTS = ['nobody', 'daemon', 'bin', 'postgres'];

/** The operating system account that PostgreSQL runs as. */
export interface Account {
  readonly userId: number;
  readonly groupId: number;
  /** Whether this is not the account of this process, so that children have to be started with another user id. */
  readonly isAnother: boolean;
}

/** Whether this process runs as root, which PostgreSQL refuses. */
export function isRoot(): boolean {
  return ownUserId() === 0;
}

/** The user id that owns files written by this process. */
export function ownUserId(): number {
  return process.geteuid?.() ?? -1;
}

/**
 * Chooses the account to run as: for an ordinary user itself; for root the owner of the data, or else a user id that no
 * account of the machine has, so that no other service can read the data. Throws EmbeddedPostgresUnavailable when there is
 * none, or when the data belongs to another user.
 */
export function chooseAccount(clusterDirectory: string): Account {
  const owner = ownerOf(clusterDirectory);
  if (isRoot()) {
    if (owner !== undefined && owner.uid !== 0) return { userId: owner.uid, groupId: owner.gid, isAnother: true };
    return accountForRoot();
  }
  if (owner !== undefined && owner.uid !== ownUserId()) {
    throw new EmbeddedPostgresUnavailable(
      `${clusterDirectory} belongs to user ${owner.uid}, and this process runs as user ${ownUserId()}. ` +
        'Run it as the user that created the data, or set DATA_DIR to another directory.',
    );
  }
  return { userId: ownUserId(), groupId: process.getegid?.() ?? -1, isAnother: false };
}

/**
 * Chooses the account that initdb runs as: that of PostgreSQL, unless it has no name. Throws EmbeddedPostgresUnavailable
 * when there is none.
 */
export function accountForInitdb(account: Account): Account {
  if (!account.isAnother) return account;
  const named = namedAccounts();
  if (named.some(({ userId }) => userId === account.userId)) return account;
  for (const name of NAMED_ACCOUNTS) {
    const found = named.find((candidate) => candidate.name === name && candidate.userId !== 0);
    if (found !== undefined) return { userId: found.userId, groupId: found.groupId, isAnother: true };
  }
  throw new EmbeddedPostgresUnavailable(
    `initdb needs an account with a name, and there is none of ${NAMED_ACCOUNTS.join(', ')}. ` +
      'Run Gatehouse as an ordinary user, or set DATABASE_URL.',
  );
}

/** The options of `spawn` that start a child with this account. */
export function spawnIdentity(account: Account): { uid?: number; gid?: number } {
  return account.isAnother ? { uid: account.userId, gid: account.groupId } : {};
}

/**
 * Whether the account has the access `mode` (`R_OK`, `X_OK` or both, of node:fs `constants`) to the file or directory
 * `target`, ignoring its parent directories. False when it does not exist. For another account the mode bits are read,
 * access control lists are not.
 */
export function mayAccess(account: Account, target: string, mode: number): boolean {
  try {
    if (account.isAnother) return permits(statSync(target), account, mode);
    accessSync(target, mode);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'EPERM') return false;
    throw error;
  }
}

/**
 * Returns the topmost directory on an absolute path without symbolic links, including the path itself, that the account
 * cannot enter, or undefined when it can access all of them.
 */
export function firstInaccessible(account: Account, directory: string): string | undefined {
  const parent = path.dirname(directory);
  const above = parent === directory ? undefined : firstInaccessible(account, parent);
  return above ?? (mayAccess(account, directory, constants.X_OK) ? undefined : directory);
}

function ownerOf(directory: string): Stats | undefined {
  try {
    return statSync(directory);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return undefined;
    if (code !== 'EACCES') throw error;
    throw new EmbeddedPostgresUnavailable(
      `${directory} cannot be reached by user ${ownUserId()}. ` +
        'Run it as the user that created the data, or set DATA_DIR to another directory.',
    );
  }
}

function accountForRoot(): Account {
  const taken = new Set(namedAccounts().map(({ userId }) => userId));
  const id = IDS_FOR_ROOT.find(
    (candidate) => !taken.has(candidate) && isMapped('uid', candidate) && isMapped('gid', candidate),
  );
  if (id !== undefined) return { userId: id, groupId: id, isAnother: true };
  throw new EmbeddedPostgresUnavailable(
    `this process runs as root, which PostgreSQL refuses, and may use none of the user ids ${IDS_FOR_ROOT.join(' and ')}. ` +
      'Run it as an ordinary user, or set DATABASE_URL.',
  );
}

/** Whether files can be given to an id: in a container only some ids may be mapped (user_namespaces(7)). */
function isMapped(kind: 'uid' | 'gid', id: number): boolean {
  try {
    return readFileSync(`/proc/self/${kind}_map`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .some(([first, , count]) => first !== undefined && count !== undefined && id >= first && id < first + count);
  } catch (error) {
    // Only Linux has such containers.
    if (errorCode(error) === 'ENOENT') return true;
    throw error;
  }
}

/**
 * The accounts of the machine. Read from the file and not with `id`, which small container images lack and which would need
 * a process for each account; the relevant accounts never come from a network directory.
 */
function namedAccounts(): { name: string; userId: number; groupId: number }[] {
  const lines = readFileSync('/etc/passwd', 'utf8').matchAll(/^([^:\n]+):[^:\n]*:(\d+):(\d+):/gm);
  return [...lines].map(([, name, userId, groupId]) => ({
    name: name!,
    userId: Number(userId),
    groupId: Number(groupId),
  }));
}

function permits(stats: Stats, account: Account, mode: number): boolean {
  const shift = stats.uid === account.userId ? 6 : stats.gid === account.groupId ? 3 : 0;
  return ((stats.mode >> shift) & mode) === mode;
}
