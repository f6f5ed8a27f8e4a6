import { accessSync, constants, readFileSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';
import { EmbeddedPostgresUnavailable } from './errors.js';
import { errorCode } from '../system-error.js';

/** Accounts that root hands PostgreSQL to, best first; the first that exists is taken. */
const ACCOUNTS_FOR_ROOT = ['postgres', 'nobody'];

/** The operating system account that PostgreSQL runs as. */
export interface Account {
  readonly userId: number;
  readonly groupId: number;
  /** True when that is not the account of this process, so that children must be started as it. */
  readonly isAnother: boolean;
}

/** Tells whether this process runs as root, which PostgreSQL refuses to run as. */
export function isRoot(): boolean {
  return ownUserId() === 0;
}

/** Gives the user id that files written by this process belong to. */
export function ownUserId(): number {
  return process.geteuid?.() ?? -1;
}

/**
 * Takes the path of PostgreSQL's own data directory, which need not exist, and gives the account to run as: for an
 * ordinary user itself; for root whoever the data belongs to, or else the first of `postgres` and `nobody` that exists.
 * Throws EmbeddedPostgresUnavailable when there is none, or when the data belongs to somebody that this user is not.
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

/** Takes an account and gives the options of `spawn` that start a child as it. */
export function spawnIdentity(account: Account): { uid?: number; gid?: number } {
  return account.isAnother ? { uid: account.userId, gid: account.groupId } : {};
}

/**
 * Tells whether the account may use the file or directory `target` in the way of `mode` (`R_OK`, `X_OK` or both, of
 * node:fs `constants`), not counting the directories above it. False when it does not exist.
 * For another account the mode bits are read, access control lists are not.
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
 * Takes an absolute path without symbolic links and gives the topmost directory on the way to it, itself included, that
 * the account cannot pass through, or undefined when it can reach it.
 */
export function firstImpassable(account: Account, directory: string): string | undefined {
  const parent = path.dirname(directory);
  const above = parent === directory ? undefined : firstImpassable(account, parent);
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
  // Read, not asked of `id`: that program is missing from small container images, these accounts never come from a
  // network directory, and it would cost a process each.
  const accounts = readFileSync('/etc/passwd', 'utf8');
  for (const name of ACCOUNTS_FOR_ROOT) {
    const [, userId, groupId] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(accounts) ?? [];
    if (userId !== undefined) return { userId: Number(userId), groupId: Number(groupId), isAnother: true };
  }
  throw new EmbeddedPostgresUnavailable(
    `this process runs as root, which PostgreSQL refuses, and there is no account named ${ACCOUNTS_FOR_ROOT.join(' or ')}. ` +
      'Run it as an ordinary user, or set DATABASE_URL.',
  );
}

function permits(stats: Stats, account: Account, mode: number): boolean {
  const shift = stats.uid === account.userId ? 6 : stats.gid === account.groupId ? 3 : 0;
  return ((stats.mode >> shift) & mode) === mode;
}
