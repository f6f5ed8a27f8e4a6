import { ClosingLimit } from './closing-limit.js';

describe('The limit of the end of a stream', () => {
  let over: jest.Mock;

  beforeEach(() => {
    over = jest.fn();
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    [60_000, 5_000],
    [100, 100],
  ])('is five seconds, or the gap between events (%i ms) where that is less', (gap, longest) => {
    new ClosingLimit(gap, over).wait();
    jest.advanceTimersByTime(longest - 1);
    expect(over).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(over).toHaveBeenCalledTimes(1);
  });

  it('counts all waits together, but no time between them', () => {
    const limit = new ClosingLimit(60_000, over);
    for (let wait = 0; wait < 4; wait += 1) {
      limit.wait();
      jest.advanceTimersByTime(600);
      limit.wait();
      jest.advanceTimersByTime(600);
      limit.stop();
      limit.stop();
      jest.advanceTimersByTime(60_000);
    }
    limit.wait();
    jest.advanceTimersByTime(199);
    expect(over).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(over).toHaveBeenCalledTimes(1);
  });
});
