import { RepeatedWork } from './repeated-work.js';

describe('RepeatedWork', () => {
  let warnings: string[];
  let runs: (() => void)[];
  let failure: Error | undefined;
  let repeated: RepeatedWork;

  beforeEach(() => {
    jest.useFakeTimers();
    [warnings, runs, failure] = [[], [], undefined];
    const work = (): Promise<void> =>
      new Promise((resolve, reject) => runs.push(() => (failure === undefined ? resolve() : reject(failure))));
    const logger = { warn: (message: string) => void warnings.push(message) };
    repeated = new RepeatedWork(work, { intervalMs: 1_000, failure: 'It could not be done', logger });
  });

  afterEach(() => {
    repeated.stop();
    jest.useRealTimers();
  });

  it('begins with the first interval, and leaves out runs while another one is under way', async () => {
    repeated.start();
    await jest.advanceTimersByTimeAsync(999);
    expect(runs).toHaveLength(0);
    await jest.advanceTimersByTimeAsync(2_001);
    expect(runs).toHaveLength(1);

    runs[0]!();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(runs).toHaveLength(2);
  });

  it('logs a run that fails, and tries again with the next one', async () => {
    failure = new Error('gone');
    repeated.start();
    await jest.advanceTimersByTimeAsync(1_000);
    runs[0]!();
    await jest.advanceTimersByTimeAsync(1_000);

    expect(warnings).toEqual(['It could not be done: gone']);
    expect(runs).toHaveLength(2);
  });

  it('does the work once more when it is woken in the middle of it, however often', async () => {
    repeated.wake();
    repeated.wake();
    repeated.wake();
    expect(runs).toHaveLength(1);
    runs[0]!();
    await jest.advanceTimersByTimeAsync(0);
    expect(runs).toHaveLength(2);
    runs[1]!();
    await jest.advanceTimersByTimeAsync(0);

    expect(runs).toHaveLength(2);
  });

  it('does no more after it was stopped', async () => {
    repeated.start();
    repeated.wake();
    repeated.wake();
    repeated.stop();
    repeated.wake();
    runs.shift()!();
    await jest.advanceTimersByTimeAsync(5_000);

    expect(runs).toHaveLength(0);
  });
});
