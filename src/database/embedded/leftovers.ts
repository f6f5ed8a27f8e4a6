import { readFileSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clusterName } from './cluster-name.js';
import { EmbeddedPostgresFailed } from './errors.js';
import { findProcess, listProcesses, sendSignal, workingDirectory, type LiveProcess } from './process-table.js';
import { errorCode } from '../system-error.js';

const POLL_MS = 10;

/** What is asked of an orphaned postmaster, and for how many milliseconds its end is then waited for. */
const POSTMASTER_ESCALATION: readonly [NodeJS.Signals, number][] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
];

/** Children notice that their postmaster is gone and end by themselves, unless they are busy. */
const CHILDREN_GRACE_MS = 1_000;
const CHILDREN_KILL_MS = 5_000;

/** The process ids of what still runs of a server. */
type Leftovers = Record<'postmasters' | 'children', number[]>;

/**
 * Makes way for a new server: ends what still runs of an earlier one of the same data, and removes a lock file of it that
 * names a process which is none. The caller owns the data, and has no server of it running.
 * Throws EmbeddedPostgresFailed when a process will not end.
 *
 * @param clusterDirectory PostgreSQL's own data directory: absolute, without symbolic links; need not exist
 * @param userId whom PostgreSQL runs as
 * @param log takes a line for each thing found
 */
export async function clearLeftovers(
  clusterDirectory: string,
  userId: number,
  log: (message: string) => void,
): Promise<void> {
  const findThem = (): Leftovers => findLeftovers(clusterDirectory, userId);
  for (const [signal, waitMs] of POSTMASTER_ESCALATION) {
    const { postmasters } = findThem();
    if (postmasters.length === 0) break;
    for (const processId of postmasters) {
      log(`stopping PostgreSQL process ${processId}, left behind by an earlier run (${signal})`);
      sendSignal(processId, signal);
    }
    await waitUntil(() => findThem().postmasters.length === 0, waitMs);
  }

  await waitUntil(() => findThem().children.length === 0, CHILDREN_GRACE_MS);
  for (const processId of findThem().children) {
    log(`ending PostgreSQL process ${processId}, whose postmaster is gone`);
    // With the postmaster gone its changes are recovered from the log at the next start, however it ends.
    sendSignal(processId, 'SIGKILL');
  }
  const isClear = await waitUntil(() => Object.values(findThem()).flat().length === 0, CHILDREN_KILL_MS);
  if (!isClear) {
    const remaining = Object.values(findThem()).flat().join(', ');
    throw new EmbeddedPostgresFailed(`PostgreSQL processes of an earlier run do not end: ${remaining}`, '');
  }
  removeStaleLockFile(clusterDirectory, log);
}

/** Tells the postmasters by their arguments, and other processes of a server by the title it gave them. */
function findLeftovers(clusterDirectory: string, userId: number): Leftovers {
  const title = `postgres: ${clusterName(clusterDirectory)}: `;
  const found = listProcesses().filter((candidate) => candidate.userId === userId);
  return {
    postmasters: found
      .filter(({ command }) => isServerProgram(command[0]) && command[1] === '-D' && command[2] === clusterDirectory)
      .map(({ processId }) => processId),
    children: found.filter(({ command }) => command[0]?.startsWith(title)).map(({ processId }) => processId),
  };
}

/**
 * PostgreSQL writes its process id to postmaster.pid and refuses to start while a process with that id lives, even if the
 * id has since gone to a process that has nothing to do with it.
 */
function removeStaleLockFile(clusterDirectory: string, log: (message: string) => void): void {
  const file = path.join(clusterDirectory, 'postmaster.pid');
  const processId = readProcessId(file);
  if (processId === undefined) return;
  const holder = Number.isInteger(processId) && processId > 0 ? findProcess(processId) : undefined;
  if (holder !== undefined && mayServe(holder, clusterDirectory)) {
    // Not started by this supervisor, and no proof that it serves other data: PostgreSQL is left to judge.
    log(`${file} names process ${processId}, which may be a server of this data that was started by hand`);
    return;
  }
  log(`removing ${file}, left behind by process ${processId}`);
  rmSync(file, { force: true });
}

function readProcessId(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8').split('\n')[0]);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether the process is a postmaster that does not show, by its arguments or where it works, to serve other data. */
function mayServe({ processId, command }: LiveProcess, clusterDirectory: string): boolean {
  if (!isServerProgram(command[0])) return false;
  const option = command.indexOf('-D');
  const named = option === -1 ? undefined : command[option + 1];
  const served = named !== undefined && path.isAbsolute(named) ? named : workingDirectory(processId);
  return served === undefined || resolveLinks(served) === clusterDirectory;
}

function isServerProgram(program: string | undefined): boolean {
  return program !== undefined && ['postgres', 'postmaster'].includes(path.basename(program));
}

function resolveLinks(directory: string): string {
  try {
    return realpathSync(directory);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'EACCES') return directory;
    throw error;
  }
}

async function waitUntil(isTrue: () => boolean, waitMs: number): Promise<boolean> {
  const deadline = Date.now() + waitMs;
  while (!isTrue()) {
    if (Date.now() >= deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}
