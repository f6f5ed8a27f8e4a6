import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** How long the patterns of one request may take to compile, in milliseconds. */
const TIME_LIMIT_MS = 3_000;

const MEMORY_LIMIT_MB = 512;

const TOO_EXPENSIVE = 'is too expensive to compile';

// Source text rather than a file of its own: it is the same for the compiled service and for the tests, whose sources
// are compiled on the fly. It posts one fault a pattern, so that what is finished in time is known.
const SOURCE = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { RE2JS, RE2JSException } = require(workerData.engine);
  for (const pattern of workerData.patterns) {
    try {
      RE2JS.compile(pattern);
      parentPort.postMessage(null);
    } catch (error) {
      if (!(error instanceof RE2JSException)) throw error;
      parentPort.postMessage('is not a regular expression that runs in linear time: ' + error.message);
    }
  }
`;

const engine = createRequire(import.meta.url).resolve('re2js');

/** One at a time: the patterns of several requests must not take every processor from the service. */
let previous: Promise<unknown> = Promise.resolve();

/**
 * Compiles patterns in a thread of their own.
 *
 * @returns for each pattern its fault, or undefined; a pattern that is not done in time has one
 */
export function compileAside(patterns: readonly string[]): Promise<(string | undefined)[]> {
  const faults = previous.then(() => compileInWorker(patterns));
  previous = faults;
  return faults;
}

function compileInWorker(patterns: readonly string[]): Promise<(string | undefined)[]> {
  return new Promise((resolve) => {
    const faults: (string | undefined)[] = [];
    const worker = new Worker(SOURCE, {
      eval: true,
      workerData: { engine, patterns },
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
    });
    const timer = setTimeout(() => void worker.terminate(), TIME_LIMIT_MS);
    const verdict = (): (string | undefined)[] =>
      patterns.map((_, index) => (index < faults.length ? faults[index] : TOO_EXPENSIVE));
    worker.on('message', (fault: string | null) => faults.push(fault ?? undefined));
    // An error here is a pattern that needs more memory than it may have; the exit follows it.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve(verdict());
    });
  });
}
