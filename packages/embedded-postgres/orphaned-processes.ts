import { readFileSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clusterName } from './server-settings.js';
import { EmbeddedPostgresFailed, errorCode } from './errors.js';
import { findProcess, listProcesses, sendSignal, workingDirectory, type LiveProcess } from './process-table.js';

const POLL_MS = 10;

/** The signals sent to an orphaned postmaster, and how long to wait for its end after each, in milliseconds. */
const POSTMASTER_ESCALATION: readonly [NodeJS.Signals, number][] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
];

/** Children end by themselves when their postmaster has ended, unless they are busy. */
const CHILDREN_GRACE_MS = 1_000;
const CHILDREN_KILL_MS = 5_000;

/** The process ids of the remaining processes of a server. */
type OrphanedProcesses = Record<'postmasters' | 'children', number[]>;

/**
 * Prepares for a new server: stops remaining processes of an earlier server of the same data, and removes its lock file if
 * that is stale. The caller owns the data and runs no server on it. Throws EmbeddedPostgresFailed when a process does not
 * end.
 *
 * @param clusterDirectory PostgreSQL's own data directory: absolute, without symbolic links; need not exist
 * @param userId the user that PostgreSQL runs as
 * @param log receives a line for each process or file found
 */
export async function endOrphanedProcesses(
  clusterDirectory: string,
  userId: number,
  log: (message: string) => void,
): Promise<void> {
  const findThem = (): OrphanedProcesses => findOrphanedProcesses(clusterDirectory, userId);
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
    // Without its postmaster it can be killed: the next start recovers from the write-ahead log.
    sendSignal(processId, 'SIGKILL');
  }
  const isClear = await waitUntil(() => Object.values(findThem()).flat().length === 0, CHILDREN_KILL_MS);
  if (!isClear) {
    const remaining = Object.values(findThem()).flat().join(', ');
    throw new EmbeddedPostgresFailed(`PostgreSQL processes of an earlier run do not end: ${remaining}`, '');
  }
  removeStaleLockFile(clusterDirectory, log);
}

/** Recognizes postmasters by their arguments, and other processes of a server by their titles. */
function findOrphanedProcesses(clusterDirectory: string, userId: number): OrphanedProcesses {
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
 * PostgreSQL writes its process id to postmaster.pid and refuses to start while a process with that id exists, even if an
 * unrelated process has reused the id.
 */
function removeStaleLockFile(clusterDirectory: string, log: (message: string) => void): void {
  const file = path.join(clusterDirectory, 'postmaster.pid');
  const processId = readProcessId(file);
  if (processId === undefined) return;
  const holder = Number.isInteger(processId) && processId > 0 ? findProcess(processId) : undefined;
  if (holder !== undefined && mayServe(holder, clusterDirectory)) {
    // The process was not started by this supervisor and may serve this data, so PostgreSQL has to decide.
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

/** Whether the process is a postmaster whose arguments and working directory do not show that it serves other data. */
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
