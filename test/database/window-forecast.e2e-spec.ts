import { windowForecast } from '../../src/modules/limits/window-forecast.js';
import { sharedApplication } from '../support/application/shared-application.js';

interface Forecast {
  readonly amount: number | null;
  readonly met_at: Date | null;
}

describe('the forecast of a window', () => {
  const app = sharedApplication({ topic: 'suite' });

  const forecast = async (
    used: number,
    now: string,
    {
      limit = 100,
      end = '2026-12-01T00:00:00Z',
      ...more
    }: { limit?: number; end?: string | null; leastShare?: number } = {},
  ): Promise<Forecast> => {
    const text = windowForecast({
      used: '$1::numeric',
      limit: '$2::numeric',
      start: '$3::timestamptz',
      end: '$4::timestamptz',
      now: '$5::timestamptz',
      ...more,
    });
    const [row] = await app.rows<Forecast>(
      `SELECT forecast.amount::double precision AS amount, forecast.met_at FROM (${text}) AS forecast`,
      [used, limit, '2026-11-01T00:00:00Z', end, now],
    );
    return row!;
  };

  it('goes on as the window was so far', async () => {
    expect(await forecast(20, '2026-11-11T00:00:00Z')).toEqual({ amount: 60, met_at: null });
    expect(await forecast(50, '2026-11-11T00:00:00Z')).toEqual({
      amount: 150,
      met_at: new Date('2026-11-21T00:00:00Z'),
    });
  });

  it('is met now where the limit is, also one of nothing', async () => {
    const now = '2026-11-16T00:00:00.000Z';
    expect(await forecast(100, now)).toEqual({ amount: 200, met_at: new Date(now) });
    expect(await forecast(150, now)).toEqual({ amount: 300, met_at: new Date(now) });
    expect(await forecast(0, now, { limit: 0 })).toEqual({ amount: 0, met_at: new Date(now) });
  });

  it('is nothing where nothing is used, and at the end of the window what is used', async () => {
    expect(await forecast(0, '2026-11-11T00:00:00Z')).toEqual({ amount: 0, met_at: null });
    expect(await forecast(99, '2026-12-01T00:00:00Z')).toEqual({ amount: 99, met_at: null });
  });

  it('is none of a window without an end, and by a clock before its beginning', async () => {
    const none = { amount: null, met_at: null };
    expect(await forecast(100, '2026-11-11T00:00:00Z', { end: null })).toEqual(none);
    expect(await forecast(100, '2026-10-31T23:59:59Z')).toEqual(none);
  });

  it('is none before a hundredth of the window is over, or as much as is asked', async () => {
    expect(await forecast(1, '2026-11-01T07:11:59Z')).toEqual({ amount: null, met_at: null });
    expect(await forecast(1, '2026-11-01T07:12:00Z')).toEqual({ amount: 100, met_at: null });
    const tenth = { leastShare: 0.1 };
    expect(await forecast(50, '2026-11-03T23:59:59Z', tenth)).toEqual({ amount: null, met_at: null });
    expect(await forecast(50, '2026-11-04T00:00:00Z', tenth)).toMatchObject({
      met_at: new Date('2026-11-07T00:00:00Z'),
    });
  });

  it('takes the smallest and largest amounts', async () => {
    expect(await forecast(1e-18, '2026-11-11T00:00:00Z', { limit: 1e15 })).toMatchObject({ met_at: null });
    expect(await forecast(1e15, '2026-11-11T00:00:00Z', { limit: 1e15 })).toMatchObject({ amount: 3e15 });
  });
});
