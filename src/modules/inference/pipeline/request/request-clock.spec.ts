import { RequestClock } from './request-clock.js';

describe('RequestClock', () => {
  let now: number;

  beforeEach(() => {
    now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });

  afterEach(() => jest.restoreAllMocks());

  const after = (milliseconds: number): void => void (now += milliseconds);

  it('counts everything where no provider was called', () => {
    const clock = new RequestClock();
    after(30);

    expect(clock.ownSeconds).toBeCloseTo(0.03);
  });

  it('leaves out what lies between the first call and the end of the last', () => {
    const clock = new RequestClock();
    after(20);
    clock.calling();
    after(500);
    clock.called();
    after(1);
    clock.calling();
    after(4_000);
    clock.called();
    after(5);

    expect(clock.ownSeconds).toBeCloseTo(0.025);
  });
});
