import { sharedApplication } from '../../support/application/shared-application.js';
import type { CurrentKeyResponse, IssuedKeyResponse, KeyResponse } from '../../../src/modules/keys/dto/key.dto.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { newKey, ZERO_USAGE } from '../../support/resources/keys.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The figures of a key's answer that come from what it has spent. */
type Usage = Record<keyof typeof ZERO_USAGE | 'limit_remaining', number | null>;

/** A day of the ledger, before a number of days in UTC, and what was spent on it. */
interface Spent {
  readonly daysAgo: number;
  readonly amount: number;
  readonly byok: number;
}

describe('the usage of a key (200)', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);

  /** The day before a number of days, in UTC. */
  const dayBefore = (daysAgo: number): Date => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - daysAgo * DAY_MS);

  const spend = async (hash: string, days: readonly Spent[]): Promise<void> => {
    for (const { daysAgo, amount, byok } of days) {
      await app.rows(
        `INSERT INTO key_spend (organization_id, key_id, day, amount_usd, byok_amount_usd)
         SELECT organization_id, id, $2::date, $3, $4 FROM api_keys WHERE hash = decode($1, 'hex')`,
        [hash, dayBefore(daysAgo).toISOString().slice(0, 10), amount, byok],
      );
    }
  };

  const key = (fields: object = {}): Promise<IssuedKeyResponse> => newKey(app, organization.managementKey, fields);

  const usageOf = async (made: IssuedKeyResponse): Promise<Usage> => {
    const options = { key: organization.managementKey };
    const single = await app.api.get<KeyResponse>(`/keys/${made.data.hash}`, options);
    const list = await app.api.get<{ data: Usage[] }>('/keys?include_disabled=true', options);
    const current = await app.api.get<CurrentKeyResponse>('/key', { key: made.key });
    expectToFitContract('getKey', 200, single.body);
    const figures = ({ data }: { data: object }): Usage =>
      Object.fromEntries(
        [...Object.keys(ZERO_USAGE), 'limit_remaining'].map((name) => [name, (data as Record<string, unknown>)[name]]),
      ) as Usage;
    // The three descriptions of a key never differ.
    expect(figures(current.body)).toEqual(figures(single.body));
    expect(list.body.data).toContainEqual(single.body.data);
    return figures(single.body);
  };

  /** How many days ago the current week (from Monday) and month began. */
  const today = (): { week: number; month: number } => {
    const now = dayBefore(0);
    return { week: (now.getUTCDay() + 6) % 7, month: now.getUTCDate() - 1 };
  };

  it('is zero at first', async () => {
    expect(await usageOf(await key({ limit: 3 }))).toEqual({ ...ZERO_USAGE, limit_remaining: 3 });
  });

  it('is summed up for the day, the week from Monday, the month and in total, in UTC', async () => {
    const made = await key();
    // A different power of two each day, so that every day is seen in a sum, or seen to be missing.
    const days = Array.from({ length: 45 }, (_, daysAgo) => ({
      daysAgo,
      amount: 2 ** daysAgo,
      byok: 2 ** daysAgo * 3,
    }));
    await spend(made.data.hash, days);
    const { week, month } = today();
    const upTo = (last: number): number => 2 ** (last + 1) - 1;

    expect(await usageOf(made)).toEqual({
      usage: upTo(44),
      usage_daily: 1,
      usage_weekly: upTo(week),
      usage_monthly: upTo(month),
      byok_usage: upTo(44) * 3,
      byok_usage_daily: 3,
      byok_usage_weekly: upTo(week) * 3,
      byok_usage_monthly: upTo(month) * 3,
      limit_remaining: null,
    });
  });

  it('is that of this day, week and month where the clock was set back, and more was spent on later days', async () => {
    const made = await key({ limit: 100, limit_reset: 'daily' });
    const days = [
      { daysAgo: 0, amount: 1, byok: 10 },
      { daysAgo: -40, amount: 20, byok: 30 },
    ];
    await spend(made.data.hash, days);
    expect(await usageOf(made)).toEqual({
      usage: 21,
      usage_daily: 1,
      usage_weekly: 1,
      usage_monthly: 1,
      byok_usage: 40,
      byok_usage_daily: 10,
      byok_usage_weekly: 10,
      byok_usage_monthly: 10,
      limit_remaining: 99,
    });
  });

  it.each([
    ['daily', 100 - 1, 100 - 1 - 10],
    [null, 100 - 1 - 20, 100 - 1 - 20 - 10 - 30],
  ])(
    'leaves of a limit that resets %s what was not spent since the last reset',
    async (limit_reset, without, withByok) => {
      const days = [
        { daysAgo: 0, amount: 1, byok: 10 },
        { daysAgo: 40, amount: 20, byok: 30 },
      ];
      const plain = await key({ limit: 100, limit_reset });
      const counting = await key({ limit: 100, limit_reset, include_byok_in_limit: true });
      for (const { data } of [plain, counting]) await spend(data.hash, days);

      expect((await usageOf(plain)).limit_remaining).toBe(without);
      expect((await usageOf(counting)).limit_remaining).toBe(withByok);
    },
  );

  it.each(['weekly', 'monthly'] as const)(
    'does not count what was spent before a %s limit was reset',
    async (limit_reset) => {
      const made = await key({ limit: 100, limit_reset });
      const first = today()[limit_reset === 'weekly' ? 'week' : 'month'];

      await spend(made.data.hash, [{ daysAgo: first + 1, amount: 50, byok: 0 }]);
      expect((await usageOf(made)).limit_remaining).toBe(100);
      await spend(made.data.hash, [{ daysAgo: first, amount: 7, byok: 0 }]);
      expect((await usageOf(made)).limit_remaining).toBe(93);
    },
  );

  it('beyond the limit leaves 0, never less', async () => {
    const made = await key({ limit: 1 });
    await spend(made.data.hash, [{ daysAgo: 0, amount: 1.5, byok: 0 }]);

    expect((await usageOf(made)).limit_remaining).toBe(0);
  });

  it('is exact to the cent', async () => {
    const made = await key({ limit: 1 });
    await spend(made.data.hash, [
      { daysAgo: 0, amount: 0.1, byok: 0 },
      { daysAgo: 1, amount: 0.2, byok: 0 },
    ]);

    // Added up as binary fractions it would be 0.30000000000000004.
    expect(await usageOf(made)).toMatchObject({ usage: 0.3, limit_remaining: 0.7 });
  });

  it.each([Number.MAX_VALUE, 123456789.12345679, 1 / 3, 1e-18, 5e-324])(
    'leaves all of a limit of %d, in answers (200) of every operation on keys',
    async (limit) => {
      const made = await key({ limit });
      expect((await usageOf(made)).limit_remaining).toBe(limit);

      const options = { key: organization.managementKey, json: { limit_reset: 'daily' } };
      const changed = await app.api.patch<KeyResponse>(`/keys/${made.data.hash}`, options);
      expect(changed.status).toBe(200);
      expect(changed.body.data).toMatchObject({ limit, limit_remaining: limit });
      await spend(made.data.hash, [{ daysAgo: 0, amount: 1e-9, byok: 0 }]);
      expect((await usageOf(made)).limit_remaining).toBe(Math.max(0, limit - 1e-9));
    },
  );

  it('is compared with the limit after each change of the limit', async () => {
    const made = await key({ limit: 10 });
    await spend(made.data.hash, [{ daysAgo: 0, amount: 4, byok: 2 }]);
    const change = async (json: object): Promise<unknown> => {
      const options = { key: organization.managementKey, json };
      return (await app.api.patch<KeyResponse>(`/keys/${made.data.hash}`, options)).body.data.limit_remaining;
    };

    expect(await change({ limit: 20 })).toBe(16);
    expect(await change({ include_byok_in_limit: true })).toBe(14);
    expect(await change({ limit: null })).toBeNull();
  });

  it('excludes other keys, and is deleted with its key', async () => {
    const [made, other] = [await key(), await key()];
    await spend(made.data.hash, [{ daysAgo: 0, amount: 4, byok: 2 }]);
    const before = await app.rows('SELECT key_id FROM key_spend');

    expect(await usageOf(other)).toEqual({ ...ZERO_USAGE, limit_remaining: null });
    await app.api.delete(`/keys/${made.data.hash}`, { key: organization.managementKey });
    expect(await app.rows('SELECT key_id FROM key_spend')).toHaveLength(before.length - 1);
  });

  it('cannot be stored for a key of another organization', async () => {
    const other = await app.factory.organization();
    const { id } = await app.factory.key(organization);

    const insertion = app.rows(`INSERT INTO key_spend VALUES ($1, $2, now(), 1, 1)`, [other.organizationId, id]);

    await expect(insertion).rejects.toThrow('fk_key_spend_key');
  });
});
