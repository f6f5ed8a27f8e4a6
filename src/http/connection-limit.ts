import { existsSync, readFileSync } from 'node:fs';

/** Where Linux says what a process may use. */
const LIMITS_FILE = '/proc/self/limits';

/** What is assumed where the system does not say how many files a process may have open. */
const USUAL_OPEN_FILES = 1_024;

/** Beyond this, idle connections cost more memory than they are worth. */
const MAXIMUM_CONNECTIONS = 10_000;

/**
 * How many connections a process takes when its configuration does not say: three quarters of the files that it may have
 * open, for the others are connections to the database, and 10,000 at most.
 */
export function defaultConnectionLimit(limits: string = limitsOfProcess()): number {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  const openFiles = soft === undefined ? USUAL_OPEN_FILES : Number(soft);
  return Math.min(MAXIMUM_CONNECTIONS, Math.max(1, Math.floor((openFiles * 3) / 4)));
}

function limitsOfProcess(): string {
  return existsSync(LIMITS_FILE) ? readFileSync(LIMITS_FILE, 'utf8') : '';
}
