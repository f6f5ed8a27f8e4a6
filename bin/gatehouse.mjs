#!/usr/bin/env node
// The command line. In a clone it builds where that is needed, and runs in the directory of the package, as npm does; what `npm pack` makes
// has nothing to build, and runs where it is called.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

if (existsSync(new URL('../src', import.meta.url))) {
  process.env.INIT_CWD ??= process.cwd();
  process.chdir(ROOT);
  const { buildIfNeeded } = await import('./build.mjs');
  buildIfNeeded();
  process.setSourceMapsEnabled(true);
}
await import('../dist/src/cli/main.js');
