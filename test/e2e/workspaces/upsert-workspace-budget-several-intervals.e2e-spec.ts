import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { TestApplication } from '../../support/application/test-application.js';
import { budgetWrites, INTERVALS } from './budget-writes.js';

describe('upsertWorkspaceBudget', () => {
  const { app, organization, workspace, put, set, rows, limits, targetOf, expectRefused } = budgetWrites();

  describe('with limits of several intervals', () => {
    it('answers 200 when they grow from the narrowest to the widest interval, in any order of requests', async () => {
      for (const order of [INTERVALS, [...INTERVALS].reverse(), ['weekly', 'lifetime', 'daily', 'monthly'] as const]) {
        const id = await app.factory.workspace(organization);
        for (const interval of order) await set(interval, 10 ** INTERVALS.indexOf(interval), id);
        expect(await limits(id)).toEqual({ daily: 1, weekly: 10, monthly: 100, lifetime: 1000 });
      }
    });

    const PAIRS = INTERVALS.flatMap((narrow, index) =>
      INTERVALS.slice(index + 1).map((wide) => [narrow, wide] as const),
    );

    it.each(PAIRS)(
      'answers 400 for a %s limit that is not less than the %s one, and the other way round',
      async (narrow, wide) => {
        await set(wide, 10);
        for (const limit of [10, 10.01, 1e9]) {
          await expectRefused(narrow, { limit_usd: limit }, 'budget_limits_not_decreasing', 'limit_usd');
        }
        await set(narrow, 9.99);
        for (const limit of [9.99, 9.98, 5e-324]) {
          await expectRefused(wide, { limit_usd: limit }, 'budget_limits_not_decreasing', 'limit_usd');
        }
        await set(wide, 9.991);
        expect(await limits()).toEqual({ [narrow]: 9.99, [wide]: 9.991 });
      },
    );

    it('answers 400 and names every limit that conflicts', async () => {
      await set('daily', 10);
      await set('weekly', 20);
      await set('lifetime', 40);

      const above = await expectRefused('monthly', { limit_usd: 15 }, 'budget_limits_not_decreasing', 'limit_usd');
      const below = await expectRefused(
        'lifetime',
        { limit_usd: 10 },
        'budget_limits_not_decreasing',
        'limit_usd',
        'limit_usd',
      );

      const messages = (answer: Answer): string[] =>
        (answer.body as ErrorBody).error.metadata.issues!.map(({ message }) => message);
      expect(messages(above)).toEqual(['must be more than the weekly limit of 20']);
      expect(messages(below)).toEqual([
        'must be more than the daily limit of 10',
        'must be more than the weekly limit of 20',
      ]);
    });

    it('answers 200 when only other workspaces, its own earlier limit or deleted budgets would conflict', async () => {
      const other = await app.factory.workspace(organization);
      await set('weekly', 10);
      await set('daily', 20, other);
      await set('weekly', 5);
      await set('weekly', 50);

      const path = `/workspaces/${workspace.id}/budgets/weekly`;
      await app.api.delete(path, { key: organization.managementKey });

      await set('daily', 100);
      expect(await limits()).toEqual({ daily: 100 });
    });

    it('answers 200 to one and 400 to the other of two conflicting requests at the same time, on two replicas', async () => {
      const replica = await TestApplication.start({ database: app.database });
      const pairs = await Promise.all(Array.from({ length: 25 }, () => app.factory.workspace(organization)));

      const outcomes = await Promise.all(
        pairs.flatMap((id, index) => [
          put('weekly', { limit_usd: 100 }, id, index % 2 === 0 ? app : replica),
          put('monthly', { limit_usd: 50 }, id, index % 2 === 0 ? replica : app),
        ]),
      );

      await replica.stop();
      for (const [index, id] of pairs.entries()) {
        const statuses = outcomes.slice(2 * index, 2 * index + 2).map(({ status }) => status);
        expect(statuses.sort()).toEqual([200, 400]);
        expect(Object.keys(await limits(id))).toHaveLength(1);
      }
    });

    it('keeps the order (200 or 400) when many set all limits of one workspace at random', async () => {
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, index) => put(INTERVALS[index % 4]!, { limit_usd: 1 + ((index * 7) % 13) })),
      );

      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
      const kept = await limits();
      const inOrder = INTERVALS.flatMap((interval) => kept[interval] ?? []);
      expect(inOrder).toEqual([...new Set(inOrder)].sort((one, other) => one - other));
    });

    it('answers 200 to many equal requests at the same time, and creates one budget', async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => put('daily', { limit_usd: 5 })));

      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(await rows()).toHaveLength(1);
      expect(await auditEventsOf(app, targetOf('daily'))).toHaveLength(1);
    });
  });
});
