import { type AnyWorker, Workers } from './workers.js';
import { WorkerCannotStart } from '../start-up-error.js';
import type { Listening } from './worker-messages.js';

/** A worker whose course a test decides. */
class WorkerOfTest implements AnyWorker {
  ageMs = 0;
  readonly signals: NodeJS.Signals[] = [];
  listen!: () => void;
  end!: (ending: string) => void;
  readonly ended = new Promise<string>((resolve) => (this.end = resolve));
  readonly listening: Promise<Listening>;

  constructor(readonly processId: number) {
    this.listening = new Promise((resolve, reject) => {
      const { processId: port } = this;
      this.listen = () => resolve({ gatehouse: 'listening', port, createdOrganization: false, signInPath: null });
      void this.ended.then((ending) => reject(new WorkerCannotStart(ending, true)));
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.signals.push(signal);
  }
}

describe('Workers', () => {
  let launched: WorkerOfTest[];
  let pauses: number[];
  let lines: string[];
  let stopped: { signal: NodeJS.Signals | undefined };
  let workers: Workers;

  beforeEach(() => {
    launched = [];
    pauses = [];
    lines = [];
    stopped = { signal: undefined };
    const launch = (): WorkerOfTest => {
      const worker = new WorkerOfTest(launched.length + 1);
      launched.push(worker);
      return worker;
    };
    const log = (line: unknown): void => void lines.push(String(line));
    workers = new Workers(3, launch, stopped, { event: log, warn: log }, (milliseconds) => {
      pauses.push(milliseconds);
      return Promise.resolve();
    });
  });

  /** Lets everything happen that waits for nothing else. */
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  const started = async (): Promise<void> => {
    const starting = workers.start();
    launched[0]!.listen();
    await settle();
    launched.slice(1).forEach((worker) => worker.listen());
    await starting;
  };

  it('starts the others when the first listens, and tells what that has said when all do', async () => {
    const starting = workers.start();
    await settle();
    expect(launched).toHaveLength(1);

    launched[0]!.listen();
    await settle();
    expect(launched).toHaveLength(3);
    let isStarted = false;
    void starting.then(() => (isStarted = true));
    launched[1]!.listen();
    await settle();
    expect(isStarted).toBe(false);
    launched[2]!.listen();

    expect(await starting).toMatchObject({ port: 1 });
    expect(lines).toEqual(['a worker listens', 'a worker listens', 'a worker listens']);
  });

  it('does not start when a worker ends instead of listening, the first or another', async () => {
    const first = workers.start();
    launched[0]!.end('exit code 1');
    await expect(first).rejects.toThrow('A worker has ended while it started: exit code 1');
    expect(launched).toHaveLength(1);

    const another = workers.start();
    launched[1]!.listen();
    await settle();
    launched[3]!.end('killed by SIGKILL');
    await expect(another).rejects.toThrow('A worker has ended while it started: killed by SIGKILL');
  });

  it('replaces each worker that ends, at once the first time, later and later while they keep ending', async () => {
    await started();

    for (let count = 0; count < 9; count += 1) {
      launched.at(-1)!.end('exit code 1');
      await settle();
    }

    expect(launched).toHaveLength(12);
    expect(pauses).toEqual([0, 250, 500, 1_000, 2_000, 5_000, 10_000, 10_000, 10_000]);
    expect(lines.at(-1)).toBe('a worker has ended unexpectedly (process 11, exit code 1); another one takes its place');
  });

  it('takes a worker that ran for long for one that works', async () => {
    await started();
    launched[2]!.end('exit code 1');
    await settle();
    launched[3]!.ageMs = 30_000;
    launched[3]!.end('killed by SIGKILL');
    await settle();

    expect(pauses).toEqual([0, 0]);
  });

  it('stops all, with the signal that the service is stopped with, and replaces none', async () => {
    await started();
    launched[0]!.end('exit code 1');
    await settle();
    stopped.signal = 'SIGTERM';

    let isClosed = false;
    const closing = workers.close().then(() => (isClosed = true));
    await settle();
    expect(launched.map(({ signals }) => signals)).toEqual([[], ['SIGTERM'], ['SIGTERM'], ['SIGTERM']]);
    launched[1]!.end('exit code 0');
    launched[2]!.end('exit code 0');
    await settle();
    expect(isClosed).toBe(false);
    launched[3]!.end('exit code 0');
    await closing;

    expect(launched).toHaveLength(4);
  });

  it('stops all without a delay when something is lost that they need', async () => {
    await started();
    void workers.close();

    expect(launched.map(({ signals }) => signals)).toEqual([['SIGINT'], ['SIGINT'], ['SIGINT']]);
  });
});
