import { Readable } from 'node:stream';
import { WaitDeadline } from './wait-deadline.js';
import { UNCOUNTED_MEMORY } from '../../../http/input/request-memory.js';
import { wholeAnswer } from './whole-answer.js';

const MINUTE = 60_000;

describe('A body that is read to its end', () => {
  let now: number;
  let limit: WaitDeadline;

  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    limit = new WaitDeadline(() => undefined);
  });

  afterEach(() => {
    limit.end();
    jest.restoreAllMocks();
  });

  /** Reads a body of one byte a minute. */
  async function read(minutes: number, gap: number, longest?: number): Promise<number> {
    const pieces = function* (): Generator<Buffer> {
      for (let minute = 0; minute < minutes; minute += 1) {
        now += MINUTE;
        yield Buffer.from('a');
      }
    };
    const bounds = { largest: 1_000, gap, longest, memory: UNCOUNTED_MEMORY };
    return (await wholeAnswer(Readable.from(pieces()), limit, bounds)).length;
  }

  it('has half an hour', async () => {
    expect(await read(30, 2 * MINUTE)).toBe(30);
    await expect(read(31, 2 * MINUTE)).rejects.toMatchObject({ kind: 'timeout' });
  });

  it('has as long as the wait for one piece may take', async () => {
    expect(await read(45, 45 * MINUTE)).toBe(45);
    await expect(read(46, 45 * MINUTE)).rejects.toMatchObject({ kind: 'timeout' });
  });

  it('has no longer than it is said to have', async () => {
    expect(await read(3, 2 * MINUTE, 3 * MINUTE)).toBe(3);
    await expect(read(4, 2 * MINUTE, 3 * MINUTE)).rejects.toMatchObject({ kind: 'timeout' });
  });
});
