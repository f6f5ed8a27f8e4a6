import { readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { until } from '../../test/support/time/until.js';
import { startedWorkers } from '../../test/support/processes/worker-threads.js';
import { NICENESS } from './bounded-thread.js';
import { PatternThread } from './pattern-thread.js';

/** Takes more memory than a thread has: what the size of a pattern keeps from every thread. */
const TOO_LARGE = 'x{0,1000}'.repeat(400);

/** More than anything here takes on any machine. */
const TIME_LIMIT_MS = 600_000;

describe('PatternThread', () => {
  let workers: readonly Worker[];
  let thread: PatternThread;

  beforeEach(() => {
    workers = startedWorkers();
    thread = new PatternThread(TIME_LIMIT_MS);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await thread.close();
  });

  it('returns the error of the engine for each pattern', async () => {
    expect(await thread.compile(['a', '(', '[', 'b'])).toEqual([
      null,
      expect.stringContaining('missing closing )'),
      expect.stringContaining('missing closing ]'),
      null,
    ]);
  });

  it('starts its worker with the first patterns, and keeps it', async () => {
    expect(workers).toHaveLength(0);
    for (let count = 0; count < 5; count += 1) await thread.compile(['a']);

    expect(workers).toHaveLength(1);
  });

  it('returns no result when its worker runs out of memory, and starts another worker', async () => {
    expect(await thread.compile([TOO_LARGE])).toBeUndefined();
    expect(await thread.compile(['a', '('])).toEqual([null, expect.any(String)]);
    expect(workers).toHaveLength(2);
  });

  it('returns no result when the time is over, and starts another worker', async () => {
    const hurried = new PatternThread(1);

    expect(await hurried.compile([TOO_LARGE])).toBeUndefined();
    await until(() => Promise.resolve(workers.every(({ threadId }) => threadId === -1)));

    const first = await hurried.compile(['a']);
    await hurried.close();
    // A worker that starts takes longer than this time as well, or not: either way it is another one.
    expect([undefined, [null]]).toContainEqual(first);
    expect(workers).toHaveLength(2);
  });

  it('starts another worker when its worker has ended', async () => {
    await thread.compile(['a']);
    await workers[0]!.terminate();

    expect(await thread.compile(['a'])).toEqual([null]);
    expect(workers).toHaveLength(2);
  });

  it('returns no result when it is closed meanwhile, and leaves no worker running', async () => {
    await thread.compile(['a']);
    const ended = once(workers[0]!, 'exit');
    const verdict = thread.compile([TOO_LARGE]);
    await thread.close();

    expect(await verdict).toBeUndefined();
    await ended;
    expect(workers).toHaveLength(1);
  });
});

/** The niceness of each thread of this process (proc(5): the 19th field, the 17th behind the name). */
function nicenessOfThreads(): number[] {
  return readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
}

const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('The thread of patterns on Linux', () => {
  it('gives way to the event loop, and changes the priority of no other thread', async () => {
    const before = nicenessOfThreads();
    const thread = new PatternThread(600_000);
    await thread.compile(['a+']);
    const nicer = nicenessOfThreads().filter((niceness) => niceness === before[0]! + NICENESS);
    await thread.close();

    expect(before).not.toContain(before[0]! + NICENESS);
    expect(nicer).toHaveLength(1);
  });
});
