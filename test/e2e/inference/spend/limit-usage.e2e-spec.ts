import type { ListLimitUsageResponse, LimitUse } from '../../../../src/modules/limits/dto/limit.dto.js';
import { LIMIT_WINDOWS, type LimitWindow } from '../../../../src/modules/limits/limit-vocabulary.js';
import { windowEndOf, windowStartOf } from '../../../../src/modules/limits/limit-windows.js';
import { sharedApplication } from '../../../support/application/shared-application.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { newLimit, newLimitException } from '../../../support/resources/limits.js';
import { combinationOf } from '../../../../src/modules/limits/combination.js';

/** The window that is nearest to its half now: at any time, one is neither at its beginning nor at its end. */
function openWindow(): { readonly window: LimitWindow; readonly start: number; readonly end: number; passed: number } {
  const now = new Date();
  const windows = LIMIT_WINDOWS.flatMap((window) => {
    const first = windowStartOf(window, now);
    const [start, end] = [first.getTime(), windowEndOf(window, first)?.getTime()];
    return end === undefined ? [] : [{ window, start, end, passed: (now.getTime() - start) / (end - start) }];
  });
  return windows.reduce((best, one) => (Math.abs(one.passed - 0.5) < Math.abs(best.passed - 0.5) ? one : best));
}

describe('listLimitUsage', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);
  const key = keyPerTest(app, organization);

  const usageOf = async (limitId: string): Promise<Map<string, LimitUse>> => {
    const { status, body } = await app.api.get<ListLimitUsageResponse>(`/limits/${limitId}/usage`, {
      key: organization.managementKey,
    });
    expect(status).toBe(200);
    return new Map(body.data.map((use) => [use.values['user'] ?? '', use]));
  };

  /** What users have used of a limit in a window that began at a time. */
  const use = async (limitId: string, start: number, used: Readonly<Record<string, number>>): Promise<void> => {
    for (const [user, amount] of Object.entries(used))
      await app.rows(
        `INSERT INTO limit_counters (organization_id, limit_id, combination, window_start, "values", key_id, amount, byok_amount, reserved,
           reserved_with_byok, last_used_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 5, 5, now())`,
        [
          organization.organizationId,
          limitId,
          combinationOf(['user'], { user }),
          new Date(start),
          { user },
          key.id,
          amount.toFixed(9),
        ],
      );
  };

  it('answers 200 with what combinations have used, with their exceptions, those first that have used most', async () => {
    const id = await newLimit(app, organization, { amount: 100, window: 'monthly' });
    await newLimitException(app, organization, id, { values: { user: 'ada' }, amount: 1000 });
    const start = windowStartOf('monthly', new Date());
    await use(id, start.getTime(), { grace: 60, ada: 300, edith: 98 });
    const usage = await usageOf(id);
    expect([...usage.keys()]).toEqual(['ada', 'edith', 'grace']);
    expect(usage.get('ada')).toMatchObject({ amount: 1000, used: 300, reserved: 5, left: 695 });
    expect(usage.get('edith')).toMatchObject({ amount: 100, left: 0, window_start: start.toISOString() });
  });

  it('answers 200 with when each will be met by a straight line, and with null for what will not be', async () => {
    const { window, start, end, passed } = openWindow();
    const tooMuch = 100 * (passed + (1 - passed) / 2);
    const id = await newLimit(app, organization, { measure: 'tokens', amount: 100, window });
    await newLimitException(app, organization, id, { values: { user: 'grace' }, amount: 100_000 });
    await use(id, start, { ada: tooMuch, grace: tooMuch, edith: 50 * passed, joan: 100, alan: 0 });
    const before = Date.now();
    const usage = await usageOf(id);
    const metAt = (user: string): string | null => usage.get(user)!.forecast_met_at;
    expect(['grace', 'edith', 'alan'].map(metAt)).toEqual([null, null, null]);
    // Both clocks are of one machine.
    const expected = (now: number): number => start + ((now - start) * 100) / tooMuch;
    expect(Date.parse(metAt('ada')!)).toBeGreaterThanOrEqual(expected(before) - 1);
    expect(Date.parse(metAt('ada')!)).toBeLessThanOrEqual(Math.min(end, expected(Date.now()) + 1));
    expect(Date.parse(metAt('joan')!)).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(metAt('joan')!)).toBeLessThanOrEqual(Date.now() + 1);
  });

  it('answers 200 with no forecast of a window without an end', async () => {
    const id = await newLimit(app, organization, {
      measure: 'usd',
      amount: 1,
      window: 'lifetime',
      group_by: ['api_key'],
    });
    await use(id, 0, { ada: 2 });
    const [found] = (await usageOf(id)).values();
    expect(found).toMatchObject({ used: 2, window_start: null, resets_at: null, forecast_met_at: null });
  });
});
