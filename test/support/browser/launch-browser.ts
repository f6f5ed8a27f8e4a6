import { type Browser, chromium } from 'playwright-core';

const EXECUTABLE = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Keeps Chromium from sending requests of its own, which tests do not need and closed networks do not let through. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
];

/** Starts the system's Chromium. @throws Error when there is none (`CHROMIUM_PATH` says where it is) */
export function launchBrowser(): Promise<Browser> {
  // Chromium refuses to run its sandbox as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: EXECUTABLE, args: [...QUIET, ...sandbox] });
}
