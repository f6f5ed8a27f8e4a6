import type { BudgetInterval } from '../../../src/modules/workspaces/budgets/budget-interval.js';
import type { UpsertWorkspaceBudgetResponse } from '../../../src/modules/workspaces/budgets/workspace-budget.dto.js';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { malformedBodies } from '../../support/requests/malformed-bodies.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TestApplication } from '../../support/application/test-application.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/expectations/formats.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization, workspacePerTest } from '../../support/application/shared-organization.js';

const INTERVALS = ['daily', 'weekly', 'monthly', 'lifetime'] as const;

describe('upsertWorkspaceBudget', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);
  const workspace = workspacePerTest(app, organization);

  const put = (
    interval: string,
    json: unknown,
    reference = workspace.id,
    { api } = app,
  ): Promise<Answer<UpsertWorkspaceBudgetResponse>> =>
    api.put(`/workspaces/${reference}/budgets/${interval}`, { key: organization.managementKey, json });

  const set = async (
    interval: BudgetInterval,
    json: object | number,
    reference = workspace.id,
  ): Promise<UpsertWorkspaceBudgetResponse> => {
    const answer = await put(interval, typeof json === 'number' ? { limit_usd: json } : json, reference);
    expect(answer.text).toContain('"data"');
    expect(answer.status).toBe(200);
    expectToFitContract('upsertWorkspaceBudget', 200, answer.body);
    return answer.body;
  };

  const rows = (id = workspace.id): Promise<Record<string, unknown>[]> =>
    app.rows('SELECT * FROM workspace_budgets WHERE workspace_id = $1 ORDER BY "interval"', [id]);

  const limits = async (id = workspace.id): Promise<Partial<Record<BudgetInterval, number>>> =>
    Object.fromEntries((await rows(id)).map((row) => [row['interval'], row['limit_usd']]));

  const targetOf = (interval: BudgetInterval): string => `${workspace.id}/${interval}`;

  const expectRefused = async (
    interval: string,
    json: unknown,
    reason: string,
    ...paths: string[]
  ): Promise<Answer> => {
    const state = async (): Promise<unknown> => [
      await rows(),
      await app.rows('SELECT * FROM workspaces WHERE id = $1', [workspace.id]),
      await app.rows('SELECT id FROM audit_events'),
    ];
    const before = await state();
    const answer = await put(interval, json);
    expectRefusal(answer, { status: 400, reason, paths, userId: organization.userId });
    expectToFitContract('upsertWorkspaceBudget', 400, answer.body);
    expect(await state()).toEqual(before);
    return answer;
  };

  it.each(INTERVALS)('answers 200 and creates the %s budget', async (interval) => {
    const { data, include_byok_in_budgets: includeByok } = await set(interval, 12.5);

    expect(data).toEqual({
      id: expect.stringMatching(UUID_V7),
      workspace_id: workspace.id,
      limit_usd: 12.5,
      reset_interval: interval === 'lifetime' ? null : interval,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: data.created_at,
    });
    expect(includeByok).toBe(false);
    expect(await rows()).toEqual([
      {
        id: data.id,
        organization_id: organization.organizationId,
        workspace_id: workspace.id,
        interval,
        limit_usd: 12.5,
        created_at: new Date(data.created_at),
        updated_at: new Date(data.updated_at),
      },
    ]);
  });

  it.each(INTERVALS)('answers 200 and changes the limit of the %s budget, which keeps its id', async (interval) => {
    const { data: before } = await set(interval, 10);

    const { data: after } = await set(interval, 20);

    expect(after).toEqual({ ...before, limit_usd: 20, updated_at: expect.stringMatching(TIMESTAMP) });
    expect(Date.parse(after.updated_at)).toBeGreaterThanOrEqual(Date.parse(before.updated_at));
    expect(await rows()).toMatchObject([{ id: before.id, limit_usd: 20, updated_at: new Date(after.updated_at) }]);
  });

  it('answers 200 and writes nothing when nothing changes', async () => {
    const before = await set('daily', { limit_usd: 10, include_byok_in_budgets: true });
    const state = await rows();

    expect(await set('daily', { limit_usd: 10, include_byok_in_budgets: true })).toEqual(before);
    expect(await set('daily', 10)).toEqual(before);

    expect(await rows()).toEqual(state);
    expect(await auditEventsOf(app, targetOf('daily'))).toHaveLength(1);
    expect(await auditEventsOf(app, workspace.id)).toHaveLength(1);
  });

  it('answers 200 and records creation and change, with both values', async () => {
    await set('monthly', 10);
    await set('monthly', 20);

    const event = {
      target_type: 'workspace_budget',
      target_id: targetOf('monthly'),
      actor_kind: 'management_key',
      actor_id: organization.userId,
    };
    expect(await auditEventsOf(app, targetOf('monthly'))).toEqual([
      { ...event, action: 'workspace_budget.create', changes: { limit_usd: { after: 10 } } },
      { ...event, action: 'workspace_budget.update', changes: { limit_usd: { before: 10, after: 20 } } },
    ]);
  });

  describe('include_byok_in_budgets', () => {
    it('answers 200 and sets it for all budgets of the workspace, and keeps it when it is absent', async () => {
      expect((await set('daily', 1)).include_byok_in_budgets).toBe(false);
      expect((await set('weekly', { limit_usd: 2, include_byok_in_budgets: true })).include_byok_in_budgets).toBe(true);
      expect((await set('monthly', 3)).include_byok_in_budgets).toBe(true);
      expect((await set('daily', { limit_usd: 1, include_byok_in_budgets: false })).include_byok_in_budgets).toBe(
        false,
      );

      const [row] = await app.rows<{ include_byok_in_budgets: boolean; updated_at: Date | null }>(
        'SELECT include_byok_in_budgets, updated_at FROM workspaces WHERE id = $1',
        [workspace.id],
      );
      expect(row).toEqual({ include_byok_in_budgets: false, updated_at: expect.any(Date) as unknown });
    });

    it('answers 200 and records it as a change of the workspace', async () => {
      await set('daily', { limit_usd: 1, include_byok_in_budgets: true });

      expect(await auditEventsOf(app, workspace.id)).toMatchObject([
        { action: 'workspace.update', changes: { include_byok_in_budgets: { before: false, after: true } } },
      ]);
    });

    it('answers 400 and does not set it for a faulty request', async () => {
      await set('weekly', 10);
      await expectRefused(
        'daily',
        { limit_usd: 10, include_byok_in_budgets: true },
        'budget_limits_not_decreasing',
        'limit_usd',
      );
    });
  });

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

  it.each([5e-324, 0.01, 1, 1e15, Number.MAX_VALUE])('answers 200 for a limit of %d', async (limit) => {
    expect((await set('daily', limit)).data.limit_usd).toBe(limit);
    expect(await limits()).toEqual({ daily: limit });
  });

  it.each([
    [{}, ['limit_usd']],
    [{ limit_usd: 0 }, ['limit_usd']],
    [{ limit_usd: -1 }, ['limit_usd']],
    [{ limit_usd: null }, ['limit_usd']],
    [{ limit_usd: '10' }, ['limit_usd']],
    [{ limit_usd: 1, include_byok_in_budgets: null }, ['include_byok_in_budgets']],
    [{ limit_usd: true, include_byok_in_budgets: 'yes' }, ['limit_usd', 'include_byok_in_budgets']],
    [{ limit_usd: 1, reset_interval: 'daily', interval: 'weekly' }, ['reset_interval', 'interval']],
  ])('answers 400 for %j, and names every issue', async (json, paths) => {
    await expectRefused('daily', json, 'invalid_parameters', ...paths);
  });

  it('answers 400 for an unknown interval, with the issues of the body', async () => {
    await expectRefused('yearly', { limit_usd: 0 }, 'invalid_parameters', 'interval', 'limit_usd');
    await expectRefused('Daily', { limit_usd: 1 }, 'invalid_parameters', 'interval');
  });

  it('answers 200 for a slug and for the default workspace', async () => {
    await set('daily', 3, 'default');
    expect(await limits(organization.workspaceId)).toEqual({ daily: 3 });
    await app.factory.workspace(organization, 'by-slug');
    expect((await set('daily', 4, 'by-slug')).data.limit_usd).toBe(4);
  });

  it("answers 404 for a missing workspace and for another organization's", async () => {
    const other = await app.factory.organization();
    const theirs = await app.factory.workspace(other, 'theirs');

    for (const reference of [UNKNOWN_UUID, 'nowhere', theirs, 'theirs', other.workspaceId]) {
      const answer = await put('daily', { limit_usd: 1 }, reference);
      expectRefusal(answer, { status: 404, reason: 'workspace_not_found', userId: organization.userId });
      expectToFitContract('upsertWorkspaceBudget', 404, answer.body);
    }
    expect(await limits(theirs)).toEqual({});
  });

  it.each(malformedBodies({ limit_usd: 1 }))('answers 400, 413 or 415 for %s', async (_name, request, refusal) => {
    const path = `/workspaces/${workspace.id}/budgets/daily`;
    const answer = await app.api.put(path, { key: organization.managementKey, ...request });
    expectRefusal(answer, { ...refusal, userId: organization.userId });
    expect(await rows()).toEqual([]);
  });
});
