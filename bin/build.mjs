// Compiles src and packages to dist. As a program, with --if-needed only where dist is missing or older than what it is made of.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What dist is made of. The time of a directory changes when a file in it is added, removed or renamed. */
const SOURCES = [
  'src',
  'packages',
  'catalog',
  'ormconfig.ts',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
];

/** Its time is when the last complete build began. */
const STAMP = path.join(ROOT, 'dist', 'built');

/** Where TypeScript keeps what it has built, so that it compiles only what has changed. */
const BUILD_INFO = path.join(ROOT, 'dist', 'tsconfig.build.tsbuildinfo');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--if-needed')) buildIfNeeded();
  else build();
}

/** Leaves the files of a service that runs from dist alone where they are up to date. */
export function buildIfNeeded() {
  if (isNeeded()) build();
}

function isNeeded() {
  const builtAt = timeOf(STAMP);
  return builtAt === undefined || SOURCES.some((source) => isNewer(path.join(ROOT, source), builtAt));
}

function isNewer(file, builtAt) {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status === undefined) return false;
  if (status.mtimeMs > builtAt) return true;
  return status.isDirectory() && readdirSync(file).some((name) => isNewer(path.join(file, name), builtAt));
}

function build() {
  const begun = new Date();
  const isFirst = timeOf(STAMP) === undefined;
  // Standard output belongs to the command that is built for.
  process.stderr.write(`Building Gatehouse, which takes ${isFirst ? 'about a minute' : 'some seconds'} ...\n`);
  // Without dist the compiler would believe that everything is there.
  if (timeOf(path.join(ROOT, 'dist', 'src', 'main.js')) === undefined) rmSync(BUILD_INFO, { force: true });
  const compiler = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(STAMP, '');
  utimesSync(STAMP, begun, begun);
}

function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
