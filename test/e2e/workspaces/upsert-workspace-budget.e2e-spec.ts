import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { someMalformedBodies } from '../../support/requests/malformed-bodies.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/expectations/formats.js';
import { budgetWrites, INTERVALS } from './budget-writes.js';

describe('upsertWorkspaceBudget', () => {
  const { app, organization, workspace, put, set, rows, limits, targetOf, expectRefused } = budgetWrites();

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

  it.each(someMalformedBodies({ limit_usd: 1 }))('answers 400, 413 or 415 for %s', async (_name, request, refusal) => {
    const path = `/workspaces/${workspace.id}/budgets/daily`;
    const answer = await app.api.put(path, { key: organization.managementKey, ...request });
    expectRefusal(answer, { ...refusal, userId: organization.userId });
    expect(await rows()).toEqual([]);
  });
});
