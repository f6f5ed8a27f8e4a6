import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { errorCode } from './errors.js';

/** A running process. Zombies are not listed. */
export interface LiveProcess {
  readonly processId: number;
  readonly userId: number;
  /** Its arguments, or its process title as the only element. */
  readonly command: readonly string[];
}

/** Used on systems where the start time is expensive to find. */
export const UNKNOWN_START = 'unknown';

const ENDED_STATES = new Set(['Z', 'X', 'x']);
const GONE_CODES = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

/**
 * Returns a text that distinguishes a running process from earlier and later ones with the same id: its start time in clock
 * ticks since boot, and the id of the boot. Returns `UNKNOWN_START` on systems without /proc, and undefined when the process
 * is not running.
 */
export function processStart(processId: number): string | undefined {
  if (process.platform !== 'linux') return isAlive(processId) ? UNKNOWN_START : undefined;
  const status = readStatus(processId);
  return status === undefined ? undefined : `${status.startTicks}-${bootIdentity()}`;
}

/** Lists all visible running processes. */
export function listProcesses(): LiveProcess[] {
  if (process.platform !== 'linux') return listProcessesWithPs();
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => findProcess(Number(name)))
    .filter((found) => found !== undefined);
}

/** Finds a running process by its id. */
export function findProcess(processId: number): LiveProcess | undefined {
  if (process.platform !== 'linux') return listProcessesWithPs().find((found) => found.processId === processId);
  if (readStatus(processId) === undefined) return undefined;
  const commandLine = readOfProcess(() => readFileSync(`/proc/${processId}/cmdline`, 'utf8'));
  const directory = readOfProcess(() => statSync(`/proc/${processId}`));
  if (commandLine === undefined || directory === undefined) return undefined;
  // A process that sets its own title pads the rest of the space with zero bytes.
  const command = commandLine.replace(/\0+$/, '').split('\0');
  return { processId, userId: directory.uid, command };
}

/**
 * Returns the working directory of a process, or undefined if it is unknown: there is no such process, no /proc, or no
 * permission (such as for root in a container without CAP_SYS_PTRACE).
 */
export function workingDirectory(processId: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  return readOfProcess(() => readlinkSync(`/proc/${processId}/cwd`));
}

/** Sends a signal to a process that may have ended already. Throws when the signal is not permitted. */
export function sendSignal(processId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(processId, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

function readStatus(processId: number): { startTicks: string } | undefined {
  const line = readOfProcess(() => readFileSync(`/proc/${processId}/stat`, 'utf8'));
  if (line === undefined) return undefined;
  // The second field is the program's name in brackets, which may contain spaces and brackets, so fields are counted after
  // it.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, startTicks] = [fields[0], fields[19]];
  if (state === undefined || startTicks === undefined)
    throw new RangeError(`/proc/${processId}/stat is not understood`);
  return ENDED_STATES.has(state) ? undefined : { startTicks };
}

function readOfProcess<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (GONE_CODES.has(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

function bootIdentity(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Splits at spaces, so a program in a directory with a space in its name is not recognized on these systems. */
function listProcessesWithPs(): LiveProcess[] {
  const lines = execFileSync('ps', ['-axww', '-o', 'pid=,uid=,stat=,command='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, processId, userId, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S)\S*\s+(.*)$/.exec(line) ?? [];
    if (state === undefined || command === undefined || ENDED_STATES.has(state)) return [];
    return [
      {
        processId: Number(processId),
        userId: Number(userId),
        command: command.startsWith('postgres: ') ? [command] : command.split(' '),
      },
    ];
  });
}
