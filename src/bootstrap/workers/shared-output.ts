import { type DestinationStream, pino } from 'pino';

/** Up to this length the system writes to a pipe in one piece, whatever other process writes to it (POSIX; PIPE_BUF of Linux). */
const ATOMIC_BYTES = 4096;

/** When gathered lines are written, so that the next one still fits beside them. */
const GATHERED_BYTES = 3072;

/** How long a line is gathered at most, in milliseconds. */
const FLUSH_INTERVAL_MS = 100;

/** Standard output of several processes: each writes whole lines, in pieces that those of others do not come into. */
export function sharedOutput(): DestinationStream {
  return pino.destination({
    fd: 1,
    sync: false,
    minLength: GATHERED_BYTES,
    maxWrite: ATOMIC_BYTES,
    periodicFlush: FLUSH_INTERVAL_MS,
  });
}
