#!/usr/bin/env node
// The command line of a clone: builds where that is needed, and runs dist/src/cli/main.js in the directory of the package, as npm does.
import { fileURLToPath } from 'node:url';
import { buildIfNeeded } from './build.mjs';

process.env.INIT_CWD ??= process.cwd();
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
buildIfNeeded();
process.setSourceMapsEnabled(true);
await import('../dist/src/cli/main.js');
