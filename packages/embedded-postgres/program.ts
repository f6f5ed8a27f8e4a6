import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnIdentity, type Account } from './account.js';
import { EmbeddedPostgresFailed, EmbeddedPostgresUnavailable, errorCode, errorMessage } from './errors.js';

/** The exit code of the dynamic linker and shells when a program's libraries are missing or incompatible. */
const LINKER_FAILED = 127;
/** How long to wait for remaining output of a program that has ended: its children may keep its stderr open. */
const LAST_OUTPUT_MS = 500;

/** A program of PostgreSQL that has been started. */
export interface StartedProgram {
  readonly child: ChildProcess;
  readonly stderr: Readable;
  /** Resolves when it has ended and its output has been read, e.g. with `exit code 1`. */
  readonly ended: Promise<string>;
}

/**
 * Starts a program of PostgreSQL in its own session, so that Ctrl-C reaches this process only, and without the standard
 * streams of this process, so that readers of those do not wait for it. Throws EmbeddedPostgresUnavailable when the system
 * cannot run it.
 *
 * @param program its absolute path
 * @param commandArguments visible to every user of the machine: no secrets
 * @param account the account to run it as
 */
export async function startProgram(
  program: string,
  commandArguments: readonly string[],
  account: Account,
): Promise<StartedProgram> {
  const stdio: StdioOptions = ['ignore', 'ignore', 'pipe'];
  const child = spawn(program, commandArguments, {
    ...spawnIdentity(account),
    // Without the environment of this process, which has secrets, and settings (PG*, LC_*) that would affect the program.
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

/** Lets this process exit while the program is running. */
export function unreference({ child, stderr }: StartedProgram): void {
  child.unref();
  if (stderr instanceof Socket) stderr.unref();
}

/** Keeps this process running until the program has ended. */
export function reference({ child, stderr }: StartedProgram): void {
  child.ref();
  if (stderr instanceof Socket) stderr.ref();
}

/**
 * Creates the error for a failed program from its purpose, how it ended and its output: EmbeddedPostgresUnavailable when the
 * system lacks something that the program needs, otherwise EmbeddedPostgresFailed.
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
