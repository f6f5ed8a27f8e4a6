import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountForInitdb, ownUserId, type Account } from './account.js';
import type { Binaries } from './binaries.js';
import { EmbeddedPostgresFailed, EmbeddedPostgresUnavailable, errorCode } from './errors.js';
import { listProcesses, sendSignal } from './process-table.js';
import { failure, startProgram } from './program.js';

/** The role that owns everything in the cluster. */
export const SUPERUSER = 'gatehouse';

const PARTIAL_PREFIX = 'cluster.partial-';
const PASSWORD_BYTES = 24;
/** Any of others, and writing of the group. */
const REFUSED_RIGHTS = 0o027;
const REMOVAL_MS = 10_000;
const REMOVAL_POLL_MS = 25;

/**
 * Takes the rights from a cluster's directory that PostgreSQL refuses to start with: container platforms give those of a volume to a group
 * (`fsGroup`) whenever they mount it.
 */
function closeToOthers(directory: string): void {
  const { mode, uid } = statSync(directory);
  const mayChange = process.getuid?.() === uid || process.getuid?.() === 0;
  if ((mode & REFUSED_RIGHTS) !== 0 && mayChange) chmodSync(directory, 0o700);
}

/** The path of PostgreSQL's own data directory inside a data directory. It need not exist. */
export function clusterDirectory(dataDirectory: string): string {
  return path.join(dataDirectory, 'cluster', 'data');
}

/**
 * Reads the superuser's password of an existing cluster. Throws EmbeddedPostgresUnavailable when this process may not read
 * it.
 */
export function readPassword(dataDirectory: string): string {
  const file = path.join(dataDirectory, 'cluster', 'password');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'EACCES' && code !== 'ENOENT') throw error;
    throw new EmbeddedPostgresUnavailable(
      code === 'EACCES'
        ? `user ${ownUserId()} may not read ${file}. Run this as the user that created the data.`
        : `${file}, the password of the database, is missing. Restore it, or set DATA_DIR to another directory.`,
    );
  }
}

/**
 * Returns the password of the service's role for an existing cluster, and creates it if there is none, because earlier
 * releases had no such role. The caller owns the data directory.
 */
export function ensureServicePassword(dataDirectory: string): string {
  const known = findServicePassword(dataDirectory);
  if (known !== undefined) return known;
  const file = servicePasswordFile(dataDirectory);
  const partial = `${file}.partial`;
  writeFileSync(partial, newPassword(), { mode: 0o600, flush: true });
  // Renamed when complete, so that other processes never read an incomplete file.
  renameSync(partial, file);
  return readFileSync(file, 'utf8').trim();
}

/** Reads the password of the service's role of an existing cluster; undefined if there is none. */
export function findServicePassword(dataDirectory: string): string | undefined {
  try {
    return readFileSync(servicePasswordFile(dataDirectory), 'utf8').trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Creates a cluster with a new password, if there is none. Removes the remains of an interrupted attempt. The caller owns
 * the data directory. Throws EmbeddedPostgresUnavailable when the existing cluster has another major version,
 * EmbeddedPostgresFailed when the creation fails.
 *
 * @param dataDirectory absolute, without symbolic links, accessible to the account
 * @param binaries of PostgreSQL
 * @param account the account that PostgreSQL runs as
 * @param isDurable whether a new cluster must be on disk, and not only in the system's cache, when this returns
 */
export async function ensureCluster(
  dataDirectory: string,
  binaries: Binaries,
  account: Account,
  isDurable: boolean,
): Promise<void> {
  for (const name of readdirSync(dataDirectory)) {
    if (name.startsWith(PARTIAL_PREFIX)) await removePartial(path.join(dataDirectory, name), accountForInitdb(account));
  }
  const cluster = path.join(dataDirectory, 'cluster');
  if (existsSync(cluster)) {
    assertSameMajorVersion(path.join(cluster, 'data'), binaries);
    closeToOthers(path.join(cluster, 'data'));
    return;
  }

  const partial = path.join(dataDirectory, `${PARTIAL_PREFIX}${randomBytes(6).toString('hex')}`);
  mkdirSync(partial);
  // Set separately, because the umask restricts the mode at creation. Another account has to be able to enter it.
  chmodSync(partial, account.isAnother ? 0o711 : 0o700);
  const data = path.join(partial, 'data');
  mkdirSync(data, { mode: 0o700 });
  const passwordFile = path.join(partial, 'password');
  writeFileSync(passwordFile, newPassword(), { mode: 0o600, flush: true });
  const initdbAccount = accountForInitdb(account);
  giveTo(initdbAccount, data, passwordFile);

  await initialise(data, passwordFile, binaries, initdbAccount, isDurable);
  // From now on only this process reads it.
  if (account.isAnother) chownSync(passwordFile, ownUserId(), process.getegid?.() ?? -1);
  giveTo(account, ...filesIn(data));
  renameSync(partial, cluster);
  if (isDurable) flushDirectory(dataDirectory);
}

function newPassword(): string {
  return `${randomBytes(PASSWORD_BYTES).toString('hex')}\n`;
}

function servicePasswordFile(dataDirectory: string): string {
  return path.join(dataDirectory, 'cluster', 'service-password');
}

async function initialise(
  data: string,
  passwordFile: string,
  binaries: Binaries,
  account: Account,
  isDurable: boolean,
): Promise<void> {
  const { stderr, ended } = await startProgram(
    binaries.initdb,
    [
      ...['-D', data, '--username', SUPERUSER, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
      ...['--encoding=UTF8', '--locale=C', '--no-instructions', ...(isDurable ? [] : ['--no-sync'])],
    ],
    account,
  );
  let output = '';
  stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ending = await ended;
  if (ending !== 'exit code 0') throw failure('The database cluster could not be created', ending, output);
}

/**
 * After the process that started initdb was killed, initdb continues: it is stopped before its directory is deleted. Its
 * temporary server does not have the directory in its arguments, but ends with it, and until then may still write files.
 */
async function removePartial(partial: string, account: Account): Promise<void> {
  for (const { userId, processId, command } of listProcesses()) {
    if (userId === account.userId && command.includes(path.join(partial, 'data'))) sendSignal(processId, 'SIGKILL');
  }
  const deadline = Date.now() + REMOVAL_MS;
  while (!isRemoved(partial)) {
    if (Date.now() >= deadline) throw new EmbeddedPostgresFailed(`${partial}, left half done, cannot be removed`, '');
    await sleep(REMOVAL_POLL_MS);
  }
}

function isRemoved(directory: string): boolean {
  try {
    rmSync(directory, { recursive: true, force: true });
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOTEMPTY') return false;
    throw error;
  }
}

function assertSameMajorVersion(data: string, binaries: Binaries): void {
  const major = readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim();
  if (binaries.version.split('.')[0] === major) return;
  throw new EmbeddedPostgresUnavailable(
    `the data in ${data} is of PostgreSQL ${major}, the installed binaries are ${binaries.version}. ` +
      `Install the binaries of version ${major}, dump the data with them, and load it into a new data directory.`,
  );
}

function giveTo(account: Account, ...files: string[]): void {
  if (!account.isAnother) return;
  try {
    for (const file of files) chownSync(file, account.userId, account.groupId);
  } catch (error) {
    if (errorCode(error) !== 'EPERM' && errorCode(error) !== 'EINVAL') throw error;
    throw new EmbeddedPostgresUnavailable(
      `this process runs as root, which PostgreSQL refuses, but may not give files to user ${account.userId}. ` +
        'Run it as an ordinary user, or set DATABASE_URL.',
    );
  }
}

/** A directory and everything in it, the directory first, so that other accounts can no longer enter it. */
function filesIn(directory: string): string[] {
  return [
    directory,
    ...readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => path.join(directory, name)),
  ];
}

function flushDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
