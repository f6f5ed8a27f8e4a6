import { NoProgressLimit } from './no-progress-limit.js';

const MINUTE = 60_000;

describe('The limit of events that add nothing', () => {
  let now: number;

  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Waits for an event that adds nothing. */
  function ping(limit: NoProgressLimit, minutes: number): void {
    limit.wait();
    now += minutes * MINUTE;
    limit.addSilence();
  }

  it('is half an hour of waits', () => {
    const limit = new NoProgressLimit(2 * MINUTE);
    for (let minute = 0; minute < 30; minute += 1) ping(limit, 1);

    expect(() => ping(limit, 1)).toThrow(expect.objectContaining({ kind: 'timeout' }));
  });

  it('covers several events of one wait', () => {
    const limit = new NoProgressLimit(2 * MINUTE);
    limit.wait();
    now += 20 * MINUTE;
    limit.addSilence();
    now += 10 * MINUTE;
    limit.addSilence();
    now += 1;

    expect(() => limit.addSilence()).toThrow();
  });

  it('begins again with each event that adds something', () => {
    const limit = new NoProgressLimit(2 * MINUTE);
    for (let times = 0; times < 5; times += 1) {
      ping(limit, 29);
      limit.reset();
    }
  });

  it('does not count the time in which the gateway does not wait', () => {
    const limit = new NoProgressLimit(2 * MINUTE);
    for (let times = 0; times < 5; times += 1) {
      ping(limit, 5);
      now += 60 * MINUTE;
    }
  });

  it('is not shorter than one wait may be', () => {
    const limit = new NoProgressLimit(45 * MINUTE);
    ping(limit, 44);

    expect(() => ping(limit, 2)).toThrow();
  });
});
