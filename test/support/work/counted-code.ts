import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** V8 counts all calls only in code that it does not optimize: functions that are inlined would be missing. */
const UNOPTIMIZED = ['--no-opt', '--no-maglev', '--no-compilation-cache', '--max-old-space-size=1024'];

const PROCESS = path.join(__dirname, 'counting-process.mjs');

/** What became of a call. */
export interface CountedCall {
  /**
   * How much of the service's code ran: how often each of its functions and of the blocks within them was entered, as V8 counts it
   * (https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#method-takePreciseCoverage), and how long the lists and texts were
   * that methods of V8 itself walk. It is the same in each run, however busy the machine is.
   */
  readonly work: number;
  /** What the function gave. */
  readonly result?: unknown;
  /** What it threw, as far as that says. */
  readonly error?: {
    readonly name: string;
    readonly message: string;
    readonly reason?: string;
    readonly kind?: string;
  };
}

/** Code of the service that runs in a process of its own, which counts what it does. */
export class CountedCode {
  private constructor(private readonly process: ChildProcess) {}

  /**
   * Starts a process with a module.
   *
   * @param module the path of an ES module from the root of the repository, which imports what is counted from `dist`, and exports functions whose
   * parameters and results can be sent between processes
   */
  static async of(module: string): Promise<CountedCode> {
    const child = fork(PROCESS, [path.resolve(module)], { execArgv: UNOPTIMIZED, serialization: 'advanced' });
    await answerOf(child);
    return new CountedCode(child);
  }

  /** Calls a function of the module. What it does in its first call only, such as filling a cache, counts too. */
  async call(name: string, ...values: readonly unknown[]): Promise<CountedCall> {
    this.process.send({ name, values });
    return (await answerOf(this.process)) as CountedCall;
  }

  /** Ends the process. */
  async end(): Promise<void> {
    const exited = once(this.process, 'exit');
    this.process.kill();
    await exited;
  }
}

/** @throws if the process ends before it answers */
async function answerOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`the counting process ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message);
    });
  });
}
