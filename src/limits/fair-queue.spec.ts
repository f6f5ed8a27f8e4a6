import { RateLimitExceededError } from '../http/errors/domain-error.js';
import { FairQueue } from './fair-queue.js';

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

function queueOf(concurrency: number, perOrganization: number, waiting = 100): FairQueue {
  return new FairQueue({
    reason: 'too_much_at_once',
    concurrency,
    concurrencyPerOrganization: perOrganization,
    waitingPerOrganization: waiting,
    retryAfterSeconds: 7,
  });
}

describe('FairQueue', () => {
  it('returns what the job returns, and throws what it throws', async () => {
    const queue = queueOf(1, 1);

    await expect(queue.run('a', () => Promise.resolve(42))).resolves.toBe(42);
    await expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(queue.run('a', () => Promise.resolve(43))).resolves.toBe(43);
  });

  it('runs no more jobs of one organization than its share, while another organization gets its own at once', async () => {
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

  it('lets organizations take turns, however many jobs one of them has waiting', async () => {
    const queue = queueOf(1, 1);
    const jobs = new Jobs();

    const all = ['a1', 'a2', 'a3'].map((name) => queue.run('a', jobs.job(name)));
    all.push(queue.run('b', jobs.job('b1')), queue.run('b', jobs.job('b2')));
    for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) await jobs.end(name);
    await Promise.all(all);
    expect(jobs.started).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
  });

  it('refuses with 429 and a time to come back what is one too many for an organization, and for no other', async () => {
    const queue = queueOf(1, 1, 1);
    const jobs = new Jobs();
    const first = queue.run('a', jobs.job('a1'));
    const second = queue.run('a', jobs.job('a2'));

    const refusal = await queue.run('a', jobs.job('a3')).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RateLimitExceededError);
    expect(refusal).toMatchObject({ status: 429, reason: 'too_much_at_once', retryAfterSeconds: 7 });

    const other = queue.run('b', jobs.job('b1'));
    for (const name of ['a1', 'a2', 'b1']) await jobs.end(name);
    await expect(Promise.all([first, second, other])).resolves.toEqual(['a1', 'a2', 'b1']);
    expect(jobs.started).not.toContain('a3');
  });

  it('drops a job whose signal is aborted before its turn, and frees its place', async () => {
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

  it('keeps nothing of organizations whose jobs are done', async () => {
    const queue = queueOf(2, 1);
    for (let index = 0; index < 100; index += 1) await queue.run(`organization ${index}`, () => Promise.resolve());

    expect(queue).toHaveProperty('lanes.size', 0);
  });
});
