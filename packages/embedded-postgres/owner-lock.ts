import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresInUse, errorCode } from './errors.js';
import { processStart, UNKNOWN_START } from './process-table.js';

const CLAIM_NAME = /^owner\.(\d+)\.([\w-]+)\.lock$/;
const OWNING = 'owning';
const POLL_MS = 25;
/** How long concurrent processes may take to agree on the owner of a directory, in milliseconds. */
const CONTENTION_MS = 2000;
const CONTENTION_POLL_MS = 2;

/** The process that owns, or is about to own, the server of a data directory. */
export interface Owner {
  readonly processId: number;
  /** The port of its server on 127.0.0.1; undefined until the server accepts connections. */
  readonly port?: number;
}

interface Claim extends Owner {
  readonly file: string;
  readonly isOwning: boolean;
}

/** Claims of this process. Needed only if a process cannot be distinguished from an earlier one with the same id. */
const ownClaims = new Set<string>();

/**
 * The right of one process to run the server of a data directory.
 *
 * Each process that wants it creates a claim, a file whose name holds its process id and start time and that therefore no
 * other process ever creates. It owns the directory if, after that, it finds no claim of another live process there. Any
 * process can remove claims of processes that have ended, at any time: unlike with a single lock file, a late removal cannot
 * delete a newer claim.
 */
export class OwnerLock {
  private constructor(private readonly file: string) {}

  /**
   * Acquires the lock, waiting for another owner to release it. Throws EmbeddedPostgresInUse after the timeout.
   *
   * @param dataDirectory absolute; exists and is writable
   * @param waitMs how long to wait, in milliseconds; 0 tries once
   */
  static async acquire(dataDirectory: string, waitMs: number): Promise<OwnerLock> {
    const deadline = Date.now() + waitMs;
    for (;;) {
      let [obstacle] = liveClaims(dataDirectory);
      if (obstacle === undefined) {
        const file = createClaim(dataDirectory);
        obstacle = await contend(dataDirectory, file);
        if (obstacle === undefined) {
          appendFileSync(file, `${OWNING}\n`);
          return new OwnerLock(file);
        }
        removeClaim(file);
      }
      if (Date.now() >= deadline) throw new EmbeddedPostgresInUse(dataDirectory, obstacle.processId);
      await sleep(Math.min(POLL_MS, Math.max(1, deadline - Date.now())));
    }
  }

  /** Publishes the port on 127.0.0.1 at which the server now accepts connections. */
  announce(port: number): void {
    appendFileSync(this.file, `${port}\n`);
  }

  /** Releases the lock. The server must have ended. */
  release(): void {
    removeClaim(this.file);
  }
}

/** Returns the running owner of a data directory, or undefined when there is none or no such directory. */
export function findOwner(dataDirectory: string): Owner | undefined {
  try {
    const claims = liveClaims(dataDirectory);
    return claims.find((claim) => claim.isOwning) ?? claims[0];
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Waits until this process's claim is the only live one, and returns undefined then, or else the claim that wins: that of an
 * owner or, of concurrent claims, one with a lower process id.
 */
async function contend(dataDirectory: string, ownFile: string): Promise<Claim | undefined> {
  const deadline = Date.now() + CONTENTION_MS;
  for (;;) {
    const others = liveClaims(dataDirectory).filter((claim) => claim.file !== ownFile);
    const superior = others.find((claim) => claim.isOwning || claim.processId < process.pid);
    if (others.length === 0 || superior !== undefined) return superior;
    if (Date.now() >= deadline) return others[0];
    await sleep(CONTENTION_POLL_MS);
  }
}

function createClaim(dataDirectory: string): string {
  const file = path.join(dataDirectory, `owner.${process.pid}.${processStart(process.pid) ?? UNKNOWN_START}.lock`);
  writeFileSync(file, '', { flag: 'wx', mode: 0o644 });
  ownClaims.add(file);
  return file;
}

function removeClaim(file: string): void {
  rmSync(file, { force: true });
  ownClaims.delete(file);
}

/** Returns the claims of running processes, including this one, and removes all others. */
function liveClaims(dataDirectory: string): Claim[] {
  const claims: Claim[] = [];
  for (const name of readdirSync(dataDirectory)) {
    const [, processId, start] = CLAIM_NAME.exec(name) ?? [];
    if (processId === undefined || start === undefined) continue;
    const file = path.join(dataDirectory, name);
    if (isLive(file, Number(processId), start)) {
      claims.push({ file, processId: Number(processId), ...readClaim(file) });
    } else {
      rmSync(file, { force: true });
    }
  }
  return claims;
}

function isLive(file: string, processId: number, start: string): boolean {
  if (start === UNKNOWN_START && processId === process.pid) return ownClaims.has(file);
  return processStart(processId) === start;
}

/** The states of a claim, one per line. They are only appended, so a reader always sees a valid prefix. */
function readClaim(file: string): { isOwning: boolean; port?: number } {
  try {
    const complete = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    return { isOwning: complete[0] === OWNING, port: complete[1] === undefined ? undefined : Number(complete[1]) };
  } catch (error) {
    // Removed since the directory was listed.
    if (errorCode(error) === 'ENOENT') return { isOwning: false };
    throw error;
  }
}
