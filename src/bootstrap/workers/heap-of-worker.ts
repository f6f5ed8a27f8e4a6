import os from 'node:os';
import { getHeapStatistics } from 'node:v8';

const MEBIBYTE = 1024 ** 2;

/** What an idle worker takes, and room for its requests, in MiB. */
const LEAST_HEAP_MIB = 160;

/** How an option of Node.js begins that says how large the heap of a process is. */
const CHOSEN = /--max[-_](old[-_]space|heap)[-_]size/;

/** In bytes: the memory of a machine or container, and the heap that Node.js gives one process there. */
interface Machine {
  readonly memoryBytes: number;
  readonly heapBytes: number;
}

/**
 * The options of Node.js that start each worker with its part of the heap: together they have what one process would have, a quarter of the
 * memory of the machine or container (docs/limits.md#workers).
 *
 * @param options those that this process was started with, and NODE_OPTIONS
 * @param machine this one by default
 * @returns none where the options say how large the heap of a process is
 */
export function heapOfWorker(workers: number, options: readonly string[], machine: Machine = thisMachine()): string[] {
  if (options.some((option) => CHOSEN.test(option))) return [];
  // Node.js gives one process 4 GiB at most, which is less than a quarter on large machines.
  const ofAll = Math.max(machine.heapBytes, machine.memoryBytes / 4);
  const mebibytes = Math.floor(Math.min(machine.heapBytes, ofAll / workers) / MEBIBYTE);
  return [`--max-old-space-size=${Math.max(mebibytes, LEAST_HEAP_MIB)}`];
}

function thisMachine(): Machine {
  // 0 or none where nothing constrains it, or more than there is.
  const constrained = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return { memoryBytes: Math.min(os.totalmem(), constrained), heapBytes: getHeapStatistics().heap_size_limit };
}
