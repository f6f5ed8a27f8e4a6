import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnIdentity, type Account } from './account.js';
import { EmbeddedPostgresFailed, EmbeddedPostgresUnavailable } from './errors.js';
import { errorCode, errorMessage } from '../system-error.js';

/** How the dynamic linker and shells say that a program's libraries are missing or do not fit. */
const LINKER_FAILED = 127;
/** Children of a program that died may hold its stderr open for longer than anybody wants to wait for the rest of it. */
const LAST_OUTPUT_MS = 500;

/** A program of PostgreSQL that has been started. */
export interface StartedProgram {
  readonly child: ChildProcess;
  readonly stderr: Readable;
  /** Resolves when it has ended and what it wrote has been read, with how it ended, e.g. `exit code 1`. */
  readonly ended: Promise<string>;
}

/**
 * Starts a program of PostgreSQL in a session of its own, so that Ctrl-C reaches this process only, and without the
 * standard streams of this process, so that nobody who reads those waits for it.
 * Throws EmbeddedPostgresUnavailable when the system does not run it.
 *
 * @param program its absolute path
 * @param commandArguments visible to every user of the machine: no secrets
 * @param account whom to run it as
 */
export async function startProgram(
  program: string,
  commandArguments: readonly string[],
  account: Account,
): Promise<StartedProgram> {
  const stdio: StdioOptions = ['ignore', 'ignore', 'pipe'];
  const child = spawn(program, commandArguments, {
    ...spawnIdentity(account),
    // Nothing of this process' environment: it holds secrets, and settings (PG*, LC_*) that would change the outcome.
    env: { LC_ALL: 'C', TZ: 'UTC' },
    cwd: '/',
    detached: true,
    stdio,
  });
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw new EmbeddedPostgresUnavailable(explainRefusal(program, account, error));
  }
  if (child.stderr === null) throw new TypeError('A child with a piped stderr has none');
  return { child, stderr: child.stderr, ended: whenEnded(child) };
}

/** Lets this process exit while the program runs on. */
export function unreference({ child, stderr }: StartedProgram): void {
  child.unref();
  if (stderr instanceof Socket) stderr.unref();
}

/** Makes this process stay until the program has ended. */
export function reference({ child, stderr }: StartedProgram): void {
  child.ref();
  if (stderr instanceof Socket) stderr.ref();
}

/**
 * Takes what a program was to do, how it ended and what it wrote, and gives the error to throw:
 * EmbeddedPostgresUnavailable when the system lacks what the program needs, EmbeddedPostgresFailed otherwise.
 */
export function failure(what: string, ending: string, output: string): Error {
  if (ending === `exit code ${LINKER_FAILED}`) {
    return new EmbeddedPostgresUnavailable(
      `its binaries do not run on this system. Set DATABASE_URL to a PostgreSQL server. They say:\n${output.trim()}`,
    );
  }
  return new EmbeddedPostgresFailed(`${what} (${ending})`, output);
}

async function whenEnded(child: ChildProcess): Promise<string> {
  const closed = once(child, 'close');
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  await Promise.race([closed, sleep(LAST_OUTPUT_MS, undefined, { ref: false })]);
  child.stderr?.destroy();
  return signal === null ? `exit code ${code}` : `killed by ${signal}`;
}

function explainRefusal(program: string, account: Account, error: unknown): string {
  const who = `user ${account.userId}`;
  switch (errorCode(error)) {
    case 'EACCES':
      return (
        `${who} is not permitted to run ${program}, perhaps because its file system is mounted noexec. ` +
        'Set DATA_DIR to a directory on one that allows programs, or set DATABASE_URL.'
      );
    case 'EPERM':
    case 'EINVAL':
      return (
        `this process may not start PostgreSQL as ${who} (as root it must, since PostgreSQL refuses to run as root). ` +
        'Run it as an ordinary user, or set DATABASE_URL.'
      );
    case 'ENOENT':
      return `this system has no loader for ${program}. Set DATABASE_URL to a PostgreSQL server.`;
    default:
      return `${program} could not be started as ${who}: ${errorMessage(error)}`;
  }
}
