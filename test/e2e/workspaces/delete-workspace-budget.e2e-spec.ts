import { sharedApplication } from '../../support/application/shared-application.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { BUDGET_INTERVALS } from '../../../src/modules/workspaces/budgets/budget-interval.js';
import type { Answer } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TestApplication } from '../../support/application/test-application.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

const ALL = ['daily', 'lifetime', 'monthly', 'weekly'];

describe('deleteWorkspaceBudget', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);
  let workspaceId: string;

  beforeEach(async () => {
    workspaceId = await app.factory.workspace(organization, 'production');
    await setAll(organization, workspaceId);
  });

  const setAll = async ({ organizationId }: NewOrganization, id: string): Promise<void> => {
    for (const [index, interval] of BUDGET_INTERVALS.entries()) {
      await app.factory.budget(organizationId, id, interval, 10 * (index + 1));
    }
  };

  const remove = (workspace: string, interval: string, owner = organization, query = ''): Promise<Answer> =>
    app.api.delete(`/workspaces/${workspace}/budgets/${interval}${query}`, { key: owner.managementKey });

  const intervalsOf = async (id: string): Promise<string[]> => {
    const rows = await app.rows<{ interval: string }>(
      `SELECT "interval" FROM workspace_budgets WHERE workspace_id = $1 ORDER BY "interval"`,
      [id],
    );
    return rows.map(({ interval }) => interval);
  };

  const expectDeleted = (answer: Answer): void => {
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('{"deleted":true}');
    expectToFitContract('deleteWorkspaceBudget', 200, answer.body);
  };

  it.each(ALL)('answers 200 and deletes the %s budget, and no other', async (interval) => {
    expectDeleted(await remove(workspaceId, interval));

    expect(await intervalsOf(workspaceId)).toEqual(ALL.filter((other) => other !== interval));
  });

  it('answers 200 and records the deletion of a budget, and nothing without one', async () => {
    const target = `${workspaceId}/daily`;
    const before = await auditEventsOf(app, target);

    await remove('production', 'daily');
    await remove('production', 'daily');

    expect((await auditEventsOf(app, target)).slice(before.length)).toEqual([
      {
        action: 'workspace_budget.delete',
        target_type: 'workspace_budget',
        target_id: target,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: null,
      },
    ]);
    expect(await auditEventsOf(app, `${workspaceId}/weekly`)).toHaveLength(1);
  });

  it.each(ALL)('answers 200 with the same body without a %s budget', async (interval) => {
    const empty = await app.factory.workspace(organization);

    expectDeleted(await remove(empty, interval));
    expectDeleted(await remove(workspaceId, interval));
    expectDeleted(await remove(workspaceId, interval));

    expect(await intervalsOf(workspaceId)).toEqual(ALL.filter((other) => other !== interval));
  });

  it('answers 200 for a slug and for a UUID in capitals', async () => {
    expectDeleted(await remove('production', 'daily'));
    expectDeleted(await remove(workspaceId.toUpperCase(), 'weekly'));

    expect(await intervalsOf(workspaceId)).toEqual(['lifetime', 'monthly']);
  });

  it('answers 200 for the default workspace', async () => {
    await setAll(organization, organization.workspaceId);

    expectDeleted(await remove('default', 'lifetime'));
    expectDeleted(await remove(organization.workspaceId, 'daily'));

    expect(await intervalsOf(organization.workspaceId)).toEqual(['monthly', 'weekly']);
    expect(await intervalsOf(workspaceId)).toEqual(ALL);
  });

  it("answers 200 and keeps the budgets of other workspaces, also of another organization's with the same slug", async () => {
    const other = await app.factory.organization();
    const untouched = [
      await app.factory.workspace(organization),
      await app.factory.workspace(other, 'production'),
      other.workspaceId,
    ];
    await setAll(organization, untouched[0]!);
    await setAll(other, untouched[1]!);
    await setAll(other, untouched[2]!);

    for (const interval of ALL) expectDeleted(await remove('production', interval));

    expect(await intervalsOf(workspaceId)).toEqual([]);
    for (const id of untouched) expect(await intervalsOf(id)).toEqual(ALL);
  });

  it('answers 200, and the budget can be set again', async () => {
    await remove(workspaceId, 'daily');

    await app.factory.budget(organization.organizationId, workspaceId, 'daily', 15);

    expect(await intervalsOf(workspaceId)).toEqual(ALL);
  });

  it('answers 200 to each of several requests at the same time, on two replicas', async () => {
    const replica = await TestApplication.start({ database: app.database });

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? app : replica).api.delete(`/workspaces/${workspaceId}/budgets/monthly`, {
          key: organization.managementKey,
        }),
      ),
    );

    await replica.stop();
    answers.forEach(expectDeleted);
    expect(await intervalsOf(workspaceId)).toEqual(['daily', 'lifetime', 'weekly']);
  });

  it.each([
    'yearly',
    'hourly',
    'DAILY',
    'Daily',
    'daily%20',
    '%20daily',
    'daily,weekly',
    'null',
    '*',
    '1',
    '__proto__',
  ])('answers 400 for %s as interval', async (interval) => {
    const answer = await remove(workspaceId, interval);

    expectRefusal(answer, {
      status: 400,
      reason: 'invalid_parameters',
      paths: ['interval'],
      userId: organization.userId,
    });
    expectToFitContract('deleteWorkspaceBudget', 400, answer.body);
    expect(await intervalsOf(workspaceId)).toEqual(ALL);
  });

  it('answers 400 for a faulty request ahead of 404 for a missing workspace, and names every issue', async () => {
    const faults = [
      [await remove(UNKNOWN_UUID, 'yearly'), ['interval']],
      // The text itself, and what it is instead of an interval.
      [await remove('%00', 'daily%00'), ['id', 'interval', 'interval']],
      [await remove(workspaceId, 'daily', organization, '?force=true'), ['force']],
      [await remove(workspaceId, 'yearly', organization, '?limit=1'), ['interval', 'limit']],
    ] as const;

    for (const [answer, paths] of faults) {
      expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
    }
    expect(await intervalsOf(workspaceId)).toEqual(ALL);
  });

  it('answers 400 for a path that is not percent-encoded UTF-8', async () => {
    const refusal = { status: 400, reason: 'malformed_url', userId: organization.userId };

    expectRefusal(await remove('%ff', 'daily'), { ...refusal, paths: ['id'] });
    expectRefusal(await remove(workspaceId, '%ff'), { ...refusal, paths: ['interval'] });
    expectRefusal(await remove('%zz', '%'), { ...refusal, paths: ['id', 'interval'] });
    expect(await intervalsOf(workspaceId)).toEqual(ALL);
  });

  it.each([UNKNOWN_UUID, 'nowhere', 'Production', '%25'])('answers 404 for the workspace %s', async (workspace) => {
    const answer = await remove(workspace, 'daily');

    expectRefusal(answer, { status: 404, reason: 'workspace_not_found', userId: organization.userId });
    expectToFitContract('deleteWorkspaceBudget', 404, answer.body);
  });

  it('answers 404 for a workspace whose slug has the form of a UUID, by that slug', async () => {
    const confusing = await app.factory.workspace(organization, UNKNOWN_UUID);
    await setAll(organization, confusing);

    const answer = await remove(UNKNOWN_UUID, 'daily');

    expectRefusal(answer, { status: 404, reason: 'workspace_not_found', userId: organization.userId });
    expect(await intervalsOf(confusing)).toEqual(ALL);
  });

  it("answers 404 for another organization's workspace", async () => {
    const other = await app.factory.organization();
    const foreign = await app.factory.workspace(other, 'theirs');
    await setAll(other, foreign);

    for (const workspace of [foreign, 'theirs', other.workspaceId]) {
      const answer = await remove(workspace, 'daily');
      expectRefusal(answer, { status: 404, reason: 'workspace_not_found', userId: organization.userId });
    }
    expect(await intervalsOf(foreign)).toEqual(ALL);
  });

  it('answers 404 for the default workspace once it is deleted', async () => {
    await app.rows('DELETE FROM workspaces WHERE id = $1', [organization.workspaceId]);

    const answer = await remove('default', 'daily');

    expectRefusal(answer, { status: 404, reason: 'workspace_not_found', userId: organization.userId });
  });

  it('answers 200 and ignores a body', async () => {
    const answer = await app.api.delete(`/workspaces/${workspaceId}/budgets/daily`, {
      key: organization.managementKey,
      json: { interval: 'weekly' },
    });

    expectDeleted(answer);
    expect(await intervalsOf(workspaceId)).toEqual(['lifetime', 'monthly', 'weekly']);
  });

  it('answers 401 or 403 and deletes nothing for a caller who may not call it', async () => {
    const { plaintext } = await app.factory.key(organization);
    const client = await app.factory.client(organization);

    for (const key of [plaintext, client.plaintext, undefined]) {
      const path = `/workspaces/${workspaceId}/budgets/daily`;
      expect([401, 403]).toContain((await app.api.delete(path, key === undefined ? {} : { key })).status);
    }

    expect(await intervalsOf(workspaceId)).toEqual(ALL);
  });
});
