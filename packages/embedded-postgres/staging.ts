import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { firstInaccessible, mayAccess, type Account } from './account.js';
import { binariesIn, type Binaries } from './binaries.js';
import { errorCode } from './errors.js';

const STAGED_PREFIX = 'runtime-';
const PARTIAL_SUFFIX = '.partial';
const PROGRAMS = ['postgres', 'initdb'];
/** Only needed to build extensions, not to run the server. */
const NOT_STAGED = /\.a$|^pkgconfig$/;

/**
 * Returns binaries that the account can run: the installed ones if it can access them (missing links and permissions are
 * repaired if possible), otherwise a copy in `dataDirectory`, made once per version. The caller owns the data directory and
 * no server of it is running.
 *
 * @param packaged the binaries as installed
 * @param account the account that runs them
 * @param dataDirectory absolute, accessible to the account
 * @param log receives a line when a copy is made
 */
export function prepareBinaries(
  packaged: Binaries,
  account: Account,
  dataDirectory: string,
  log: (message: string) => void,
): Binaries {
  const installed = binariesIn(realpathSync(packaged.directory));
  if (firstInaccessible(account, installed.directory) === undefined) {
    if (isUsable(installed, account) || (repair(installed) && isUsable(installed, account))) return installed;
  }

  const stagedDirectory = path.join(dataDirectory, `${STAGED_PREFIX}${installed.version}`);
  if (!isCopyOf(installed.directory, stagedDirectory)) {
    log(`copying the PostgreSQL ${installed.version} binaries to ${stagedDirectory}`);
    removeStaged(dataDirectory);
    const partial = stagedDirectory + PARTIAL_SUFFIX;
    copyPackage(installed.directory, partial);
    renameSync(partial, stagedDirectory);
  }
  return binariesIn(stagedDirectory);
}

/**
 * Whether the account can run these binaries, based on a file of each kind, ignoring the parent directories of the package.
 */
function isUsable(binaries: Binaries, account: Account): boolean {
  const native = path.join(binaries.directory, 'native');
  const directories = [
    '',
    'bin',
    'lib',
    'lib/postgresql',
    'share',
    'share/postgresql',
    'share/postgresql/timezonesets',
  ];
  return (
    directories.every((name) => mayAccess(account, path.join(native, name), constants.R_OK | constants.X_OK)) &&
    PROGRAMS.every((name) => mayAccess(account, path.join(native, 'bin', name), constants.R_OK | constants.X_OK)) &&
    mayAccess(account, path.join(native, 'share/postgresql/postgres.bki'), constants.R_OK) &&
    libraryLinks(binaries.directory).every(({ link }) => mayAccess(account, link, constants.R_OK))
  );
}

/**
 * Does the same as the package's postinstall script, which npm may be configured not to run. Returns whether it succeeded.
 */
function repair(binaries: Binaries): boolean {
  try {
    createLibraryLinks(binaries.directory);
    for (const program of [binaries.postgres, binaries.initdb]) {
      if ((statSync(program).mode & 0o555) !== 0o555) chmodSync(program, 0o755);
    }
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false;
    throw error;
  }
}

/**
 * npm packages cannot contain symbolic links, so the package lists them in a file, with relative paths: "source" is the
 * existing library and "target" the link to create.
 */
function libraryLinks(packageDirectory: string): { link: string; destination: string }[] {
  const listed = JSON.parse(readFileSync(path.join(packageDirectory, 'native', 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  return listed.map(({ source, target }) => ({
    link: path.join(packageDirectory, target),
    destination: path.relative(path.dirname(target), source),
  }));
}

function createLibraryLinks(packageDirectory: string): void {
  for (const { link, destination } of libraryLinks(packageDirectory)) {
    if (!existsSync(link)) symlinkSync(destination, link);
  }
}

function removeStaged(dataDirectory: string): void {
  for (const name of readdirSync(dataDirectory)) {
    if (name.startsWith(STAGED_PREFIX)) rmSync(path.join(dataDirectory, name), { recursive: true, force: true });
  }
}

function copyPackage(source: string, target: string): void {
  makeDirectory(target);
  copyFileSync(path.join(source, 'package.json'), path.join(target, 'package.json'));
  copyTree(path.join(source, 'native'), path.join(target, 'native'), 0o644);
  createLibraryLinks(target);
}

function copyTree(source: string, target: string, fileMode: number): void {
  makeDirectory(target);
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    if (NOT_STAGED.test(entry.name)) continue;
    const from = path.join(source, entry.name);
    const to = path.join(target, entry.name);
    if (entry.isDirectory()) {
      copyTree(from, to, entry.name === 'bin' ? 0o755 : fileMode);
    } else if (entry.isSymbolicLink()) {
      symlinkSync(readlinkSync(from), to);
    } else {
      copyFileSync(from, to, constants.COPYFILE_FICLONE);
      chmodSync(to, fileMode);
    }
  }
}

/** Sets the mode separately, because the umask restricts the mode at creation. */
function makeDirectory(directory: string): void {
  mkdirSync(directory);
  chmodSync(directory, 0o755);
}

/** Compares sizes: a copy is renamed when it is complete, but a power failure soon after may have truncated files. */
function isCopyOf(source: string, target: string): boolean {
  if (!existsSync(path.join(target, 'package.json'))) return false;
  return readdirSync(path.join(source, 'native'), { withFileTypes: true, recursive: true })
    .filter(
      (entry) => entry.isFile() && ![entry.name, path.basename(entry.parentPath)].some((name) => NOT_STAGED.test(name)),
    )
    .every((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const copy = lstatSync(path.join(target, path.relative(source, file)), { throwIfNoEntry: false });
      return copy?.size === lstatSync(file).size;
    });
}
