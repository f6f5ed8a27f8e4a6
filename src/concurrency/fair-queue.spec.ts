import { FairQueue } from './fair-queue.js';

/** What is thrown when a queue is full. */
class TooManyJobs extends Error {
  constructor(readonly retryAfterSeconds: number) {
    super('too many jobs');
  }
}

/** Jobs that run until they are finished by hand, in the order in which they have started. */
class Jobs {
  readonly started: string[] = [];
  private readonly finish = new Map<string, () => void>();

  job(name: string): () => Promise<string> {
    return async () => {
      this.started.push(name);
      await new Promise<void>((resolve) => this.finish.set(name, resolve));
      return name;
    };
  }

  async end(name: string): Promise<void> {
    await turnOfTheLoop();
    this.finish.get(name)!();
    await turnOfTheLoop();
  }
}

function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function queueOf(concurrency: number, perOrganization: number, waiting = 100, longestWaitMs?: number): FairQueue {
  return new FairQueue({
    overload: TooManyJobs,
    concurrency,
    concurrencyPerOrganization: perOrganization,
    waitingPerOrganization: waiting,
    ...(longestWaitMs !== undefined && { longestWaitMs }),
    retryAfterSeconds: 7,
  });
}

describe('FairQueue', () => {
  it('returns the result of a job, and throws its error', async () => {
    const queue = queueOf(1, 1);

    await expect(queue.run('a', () => Promise.resolve(42))).resolves.toBe(42);
    await expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(queue.run('a', () => Promise.resolve(43))).resolves.toBe(43);
  });

  it("runs at most its share of an organization's jobs, and jobs of another organization at once", async () => {
    const queue = queueOf(4, 2);
    const jobs = new Jobs();

    const all = ['a1', 'a2', 'a3'].map((name) => queue.run('a', jobs.job(name)));
    all.push(queue.run('b', jobs.job('b1')));
    await turnOfTheLoop();
    expect(jobs.started).toEqual(['a1', 'a2', 'b1']);

    await jobs.end('a1');
    expect(jobs.started).toEqual(['a1', 'a2', 'b1', 'a3']);
    for (const name of ['a2', 'a3', 'b1']) await jobs.end(name);
    await expect(Promise.all(all)).resolves.toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  it('alternates between organizations, however many jobs one of them has', async () => {
    const queue = queueOf(1, 1);
    const jobs = new Jobs();

    const all = ['a1', 'a2', 'a3'].map((name) => queue.run('a', jobs.job(name)));
    all.push(queue.run('b', jobs.job('b1')), queue.run('b', jobs.job('b2')));
    expect(['a', 'b', 'c'].map((id) => queue.hasOthersWaiting(id))).toEqual([true, true, true]);
    for (const name of ['a1', 'b1', 'a2', 'b2', 'a3']) await jobs.end(name);
    expect(queue.hasOthersWaiting('c')).toBe(false);
    await Promise.all(all);
    expect(jobs.started).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it("refuses the job beyond an organization's queue with the error for it, and none of other organizations", async () => {
    const queue = queueOf(1, 1, 1);
    const jobs = new Jobs();
    const first = queue.run('a', jobs.job('a1'));
    const second = queue.run('a', jobs.job('a2'));

    const refusal = await queue.run('a', jobs.job('a3')).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(TooManyJobs);
    expect(refusal).toMatchObject({ retryAfterSeconds: 7 });

    const other = queue.run('b', jobs.job('b1'));
    for (const name of ['a1', 'b1', 'a2']) await jobs.end(name);
    await expect(Promise.all([first, second, other])).resolves.toEqual(['a1', 'a2', 'b1']);
    expect(jobs.started).not.toContain('a3');
  });

  it('removes a job whose signal is aborted while it waits, and frees its place', async () => {
    const queue = queueOf(1, 1, 1);
    const jobs = new Jobs();
    const first = queue.run('a', jobs.job('a1'));
    const abandoned = new AbortController();
    const dropped = queue.run('a', jobs.job('a2'), abandoned.signal).catch((error: unknown) => error);

    abandoned.abort(new Error('the client has gone'));
    expect(await dropped).toEqual(new Error('the client has gone'));

    const third = queue.run('a', jobs.job('a3'));
    await jobs.end('a1');
    await jobs.end('a3');
    await expect(Promise.all([first, third])).resolves.toEqual(['a1', 'a3']);
    expect(jobs.started).toEqual(['a1', 'a3']);
  });

  it('refuses a job that has waited too long, and frees its place', async () => {
    jest.useFakeTimers();
    const queue = queueOf(1, 1, 1, 1_500);
    const jobs = new Jobs();
    const first = queue.run('a', jobs.job('a1'));
    const refused = queue.run('a', jobs.job('a2')).catch((error: unknown) => error);

    await jest.advanceTimersByTimeAsync(1_600);
    expect(await refused).toBeInstanceOf(TooManyJobs);
    expect(await refused).toMatchObject({ retryAfterSeconds: 7 });

    const third = queue.run('a', jobs.job('a3'));
    jest.useRealTimers();
    await jobs.end('a1');
    await jobs.end('a3');
    await expect(Promise.all([first, third])).resolves.toEqual(['a1', 'a3']);
    expect(jobs.started).toEqual(['a1', 'a3']);
  });

  it('does not refuse a job that has started in time', async () => {
    jest.useFakeTimers();
    const queue = queueOf(1, 1, 1, 1_500);
    const jobs = new Jobs();
    const first = queue.run('a', jobs.job('a1'));
    const second = queue.run('a', jobs.job('a2'));
    const ending = jobs.end('a1');
    await jest.advanceTimersByTimeAsync(1_600);
    await ending;
    jest.useRealTimers();
    await jobs.end('a2');
    await expect(Promise.all([first, second])).resolves.toEqual(['a1', 'a2']);
  });

  it('stores nothing about organizations without jobs', async () => {
    const queue = queueOf(2, 1);
    for (let index = 0; index < 100; index += 1) await queue.run(`organization ${index}`, () => Promise.resolve());

    expect(queue).toHaveProperty('lanes.size', 0);
  });
});
