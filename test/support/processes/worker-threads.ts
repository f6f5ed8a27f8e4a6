import type * as WorkerThreads from 'node:worker_threads';

/** The worker threads that are started from now on, oldest first; the mocks of Jest must be restored afterwards. */
export function startedWorkers(): readonly WorkerThreads.Worker[] {
  const threads = jest.requireActual<typeof WorkerThreads>('node:worker_threads');
  const { Worker } = threads;
  const workers: WorkerThreads.Worker[] = [];
  jest.spyOn(threads, 'Worker').mockImplementation((source, options) => {
    const worker = new Worker(source, options);
    workers.push(worker);
    return worker;
  });
  return workers;
}
