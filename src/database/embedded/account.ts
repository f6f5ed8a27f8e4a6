import { accessSync, constants, readFileSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';
import { EmbeddedPostgresUnavailable } from './errors.js';
import { errorCode } from '../system-error.js';

/**
 * User ids that root hands PostgreSQL to, best first; the first is taken that no account has and that this system can give
 * files to. The first is outside of every range that Linux distributions, containers and systemd hand out; the second is for
 * containers that have no more than 65,536 ids.
 */
const IDS_FOR_ROOT = [1_879_100_432, 59_432];

/** Accounts that initdb can run as, which refuses to run as a user without a name; the first that exists is taken. */
const NAMED_ACCOUNTS = ['nobody', 'daemon', 'bin', 'postgres'];

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
 * ordinary user itself; for root the owner of the data, or else a user id that no account of the machine has, so that no
 * other service can read the data. Throws EmbeddedPostgresUnavailable when there is none, or when the data belongs to
 * another user than this one.
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
 * Takes the account that PostgreSQL runs as and gives the one that initdb runs as: the same, unless that has no name.
 * Throws EmbeddedPostgresUnavailable when there is none.
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

/** Whether files can be given to an id: in a container, root may have a part of all ids only (user_namespaces(7)). */
function isMapped(kind: 'uid' | 'gid', id: number): boolean {
  try {
    return readFileSync(`/proc/self/${kind}_map`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .some(([first, , count]) => first !== undefined && count !== undefined && id >= first && id < first + count);
  } catch (error) {
    // Not Linux: there are no such containers.
    if (errorCode(error) === 'ENOENT') return true;
    throw error;
  }
}

/**
 * The accounts of the machine. Read, not asked of `id`: that program is missing from small container images, the accounts that
 * matter here never come from a network directory, and it would cost a process each.
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
