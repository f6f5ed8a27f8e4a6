import { SharedAnswer } from './shared-answer.js';

describe('SharedAnswer', () => {
  let now: number;
  let asked: number;
  let answer: (value: string) => void;
  let shared: SharedAnswer<string>;

  beforeEach(() => {
    now = 0;
    asked = 0;
    shared = new SharedAnswer(
      () => {
        asked += 1;
        return new Promise<string>((resolve) => {
          answer = resolve;
        });
      },
      1_000,
      () => now,
    );
  });

  it('calls its source once for all requests at the same time', async () => {
    const answers = [shared.get(), shared.get(), shared.get()];
    answer('up');

    expect(await Promise.all(answers)).toEqual(['up', 'up', 'up']);
    expect(asked).toBe(1);
  });

  it('returns the same answer until it expires, counted from its arrival, and then calls its source again', async () => {
    const first = shared.get();
    now = 5_000;
    answer('up');
    await first;
    now = 5_999;
    expect(await shared.get()).toBe('up');
    expect(asked).toBe(1);

    now = 6_000;
    const second = shared.get();
    answer('down');

    expect(await second).toBe('down');
    expect(asked).toBe(2);
  });

  it('makes no second call while one is pending, however long it takes', async () => {
    const first = shared.get();
    now = 60_000;
    const second = shared.get();
    answer('up');

    expect(await Promise.all([first, second])).toEqual(['up', 'up']);
    expect(asked).toBe(1);
  });
});
