import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const EXECUTABLE = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Keeps Chromium from calling its maker, which tests have no use for and closed networks no way to. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
];

/** describe() for tests in a real browser: where there is none, they are skipped, and say so. */
export const describeInBrowser: jest.Describe = existsSync(EXECUTABLE) ? describe : skippedDescribe();

/** Starts the system's Chromium. */
export function launchBrowser(): Promise<Browser> {
  // Chromium refuses to run its sandbox as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: EXECUTABLE, args: [...QUIET, ...sandbox] });
}

function skippedDescribe(): jest.Describe {
  process.stderr.write(`Tests in a browser: skipped, there is no ${EXECUTABLE} (CHROMIUM_PATH says where it is)\n`);
  return describe.skip;
}
