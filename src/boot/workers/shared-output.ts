import { type DestinationStream, pino } from 'pino';

/** Up to this length a system writes to a pipe in one piece, whoever else writes to it (POSIX, PIPE_BUF on Linux). */
const ATOMIC_BYTES = 4096;

/** Room for a line that makes the gathered ones as many as may be written at once. */
const GATHERED_BYTES = 3072;

const LONGEST_DELAY_MS = 100;

/** Standard output that several processes write whole lines to. */
export function sharedOutput(): DestinationStream {
  return pino.destination({
    fd: 1,
    sync: false,
    minLength: GATHERED_BYTES,
    maxWrite: ATOMIC_BYTES,
    periodicFlush: LONGEST_DELAY_MS,
  });
}
