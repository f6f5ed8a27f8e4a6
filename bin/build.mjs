// Compiles src and packages to dist, and bundles packages/console. As a program, with --if-needed only where dist is missing or older than
// what it is made of.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import zlib from 'node:zlib';

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

/** What the console is made of; of it only the types of its calls, and the descriptions of their fields, depend on the document. */
const CONSOLE = path.join(ROOT, 'packages', 'console');
const DOCUMENT = path.join(ROOT, 'openapi.json');
const CONSOLE_TYPES = path.join(CONSOLE, 'src', 'api', 'schema.d.ts');
const CONSOLE_DESCRIPTIONS = path.join(CONSOLE, 'src', 'api', 'descriptions.ts');

/** Where the service finds the files of the console. */
const CONSOLE_FILES = path.join(ROOT, 'dist', 'console');

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
  writeFromDocument();
  if (isNeeded()) build();
}

function isNeeded() {
  const builtAt = timeOf(STAMP);
  return builtAt === undefined || SOURCES.some((source) => isNewer(path.join(ROOT, source), builtAt));
}

function isNewer(file, builtAt) {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status === undefined) return false;
  // It is made from what is compiled, so it is newer each time.
  if (file === CONSOLE_TYPES) return false;
  if (status.mtimeMs > builtAt) return true;
  return status.isDirectory() && readdirSync(file).some((name) => isNewer(path.join(file, name), builtAt));
}

function build() {
  writeFromDocument();
  const begun = new Date();
  const isFirst = timeOf(STAMP) === undefined;
  // Standard output belongs to the command that is built for.
  process.stderr.write(`Building Gatehouse, which takes ${isFirst ? 'about a minute' : 'some seconds'} ...\n`);
  // Without dist the compiler would believe that everything is there.
  if (timeOf(path.join(ROOT, 'dist', 'src', 'main.js')) === undefined) rmSync(BUILD_INFO, { force: true });
  run(path.join('typescript', 'bin', 'tsc'), ['-p', 'tsconfig.build.json']);
  bundleConsole();
  writeFileSync(STAMP, '');
  utimesSync(STAMP, begun, begun);
}

/** Bundles the console where its sources, or the packages that it uses, are newer than its files. */
function bundleConsole() {
  const page = path.join(CONSOLE_FILES, 'index.html');
  const bundledAt = timeOf(page);
  if (timeOf(CONSOLE) === undefined) return;
  const sources = [CONSOLE, path.join(ROOT, 'package-lock.json')];
  if (bundledAt !== undefined && !sources.some((source) => isNewer(source, bundledAt))) return;
  const begun = new Date();
  run(path.join('vite', 'bin', 'vite.js'), ['build', CONSOLE, '--config', path.join(CONSOLE, 'vite.config.mjs')]);
  // Compressed once, as small as it gets: the service sends these files as they are.
  for (const name of filesIn(CONSOLE_FILES).filter((file) => /\.(css|js|svg)$/.test(file))) {
    const content = readFileSync(name);
    writeFileSync(`${name}.gz`, zlib.gzipSync(content, { level: 9 }));
    writeFileSync(`${name}.br`, zlib.brotliCompressSync(content));
  }
  utimesSync(page, begun, begun);
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [path.join(entry.parentPath, entry.name)] : [],
  );
}

/** What the console has from the document, where that is newer. */
function writeFromDocument() {
  const documentedAt = timeOf(DOCUMENT);
  const writtenAt = timeOf(CONSOLE_TYPES);
  if (documentedAt === undefined || timeOf(CONSOLE) === undefined) return;
  const isThere = timeOf(CONSOLE_DESCRIPTIONS) !== undefined;
  if (isThere && writtenAt !== undefined && writtenAt >= documentedAt) return;
  writeConsoleDescriptions();
  writeConsoleTypes();
}

/** The types of the operations, for the compiler and editors alone: the bundle does without them. */
function writeConsoleTypes() {
  // A field with a default may be left out, and an object without named fields may have any.
  const options = ['--default-non-nullable=false', '--empty-objects-unknown'];
  run(path.join('openapi-typescript', 'bin', 'cli.js'), [DOCUMENT, ...options, '--output', CONSOLE_TYPES], 'ignore');
}

/** What the interface says of each field of what requests have: one constant for each schema, so that pages load what their forms show. */
function writeConsoleDescriptions() {
  const { paths, components } = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  const constants = [];
  const names = new Set();
  const add = (part) => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      const schema = components.schemas[name];
      const fields = Object.entries(schema.properties ?? {}).map(([field, { description = '' }]) => [
        field,
        description,
      ]);
      if (fields.length > 0) constants.push(`export const ${name} = ${JSON.stringify(Object.fromEntries(fields))};\n`);
      add(schema);
    }
  };
  for (const operations of Object.values(paths)) {
    for (const { requestBody = {} } of Object.values(operations)) add(requestBody);
  }
  const text = `/** Written by the build: what openapi.json says of the fields of requests. */\n${constants.sort().join('')}`;
  // A bundle is made anew only where something else is said.
  const isThere = timeOf(CONSOLE_DESCRIPTIONS) !== undefined;
  if (!isThere || readFileSync(CONSOLE_DESCRIPTIONS, 'utf8') !== text) writeFileSync(CONSOLE_DESCRIPTIONS, text);
}

/** Runs the program of a package to its end, and ends with it where it fails. @param output where its standard output goes */
function run(program, options, output = 2) {
  const { status } = spawnSync(process.execPath, [path.join(ROOT, 'node_modules', program), ...options], {
    cwd: ROOT,
    stdio: ['ignore', output, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
}

function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
