import { InspectorBreakers } from './inspector-breakers.js';

describe('the breaker of an inspector', () => {
  let now = 0;
  let open = 0;
  let breakers: InspectorBreakers;

  beforeEach(() => {
    [now, open] = [0, 0];
    breakers = new InspectorBreakers(
      (_, change) => (open += change),
      () => now,
    );
  });

  const fail = (count: number): void => {
    for (let failure = 0; failure < count; failure += 1) breakers.admit('texts', 'one')!.failed();
  };

  it('opens after five failures in a row, for that inspector alone', () => {
    fail(4);
    breakers.admit('texts', 'one')!.succeeded();
    fail(4);
    expect(open).toBe(0);
    fail(1);
    expect([open, breakers.admit('texts', 'one'), breakers.admit('texts', 'two') === undefined]).toEqual([
      1,
      undefined,
      false,
    ]);
  });

  it('lets one request try after ten seconds, and all others when that has succeeded', () => {
    fail(5);
    now = 9_999;
    expect(breakers.admit('texts', 'one')).toBeUndefined();
    now = 10_000;
    const trial = breakers.admit('texts', 'one')!;
    expect(breakers.admit('texts', 'one')).toBeUndefined();
    trial.succeeded();
    expect(open).toBe(0);
    fail(4);
    expect(breakers.admit('texts', 'one')).toBeDefined();
  });

  it('stays open for ten seconds more when the one that tried has failed, and counts once', () => {
    fail(5);
    now = 10_000;
    breakers.admit('texts', 'one')!.failed();
    now = 19_999;
    expect([open, breakers.admit('texts', 'one')]).toEqual([1, undefined]);
    now = 20_000;
    expect(breakers.admit('texts', 'one')).toBeDefined();
  });

  it('lets another one try when the one that tried has ended without a word of the inspector', () => {
    fail(5);
    now = 10_000;
    breakers.admit('texts', 'one')!.ended();
    expect(breakers.admit('texts', 'one')).toBeDefined();
    expect(open).toBe(1);
  });
});
