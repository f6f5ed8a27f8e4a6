import { forecastOf } from './budget-forecast.js';

const START = new Date('2026-11-01T00:00:00Z');
const END = new Date('2026-12-01T00:00:00Z');

describe('the forecast of a budget', () => {
  const forecast = (spentUsd: number, day: string, limitUsd = 100): ReturnType<typeof forecastOf> =>
    forecastOf({ spentUsd, limitUsd, start: START, end: END, now: new Date(day) });

  it('goes on as the window was so far', () => {
    expect(forecast(20, '2026-11-11T00:00:00Z')).toEqual({ forecastUsd: 60, exhaustedAt: null });
    expect(forecast(50, '2026-11-11T00:00:00Z')).toEqual({
      forecastUsd: 150,
      exhaustedAt: new Date('2026-11-21T00:00:00Z'),
    });
  });

  it('is met now where the limit is', () => {
    const now = new Date('2026-11-16T00:00:00Z');
    expect(forecast(100, now.toISOString())).toEqual({ forecastUsd: 200, exhaustedAt: now });
    expect(forecast(150, now.toISOString())).toEqual({ forecastUsd: 300, exhaustedAt: now });
  });

  it('is nothing where nothing is spent, and at the end of the window what is spent', () => {
    expect(forecast(0, '2026-11-11T00:00:00Z')).toEqual({ forecastUsd: 0, exhaustedAt: null });
    expect(forecast(99, '2026-12-01T00:00:00Z')).toEqual({ forecastUsd: 99, exhaustedAt: null });
  });

  it('is none before a hundredth of the window is over', () => {
    expect(forecast(1, '2026-11-01T07:11:59Z')).toBeNull();
    expect(forecast(1, '2026-11-01T07:12:00Z')).toMatchObject({ forecastUsd: expect.closeTo(100) as number });
  });
});
