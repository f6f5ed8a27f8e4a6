import { sharedApplication } from '../../support/application/shared-application.js';
import type { Alert } from '../../../src/modules/alerts/dto/alert.dto.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import type { Answer } from '../../support/network/api-client.js';
import { newAlert, newWebhook } from '../../support/resources/alerts.js';

describe('updateAlert', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);

  const update = (id: string, json: object): Promise<Answer<{ data: Alert }>> =>
    app.api.patch<{ data: Alert }>(`/alerts/${id}`, { key: organization.managementKey, json });

  it('answers 200 with the changed fields, keeps the others, and records the changes', async () => {
    const id = await newAlert(app, organization);
    const before = await update(id, {});
    const answer = await update(id.toUpperCase(), { name: 'Renamed', thresholds: [0.5], enabled: false });

    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      ...before.body.data,
      name: 'Renamed',
      thresholds: [0.5],
      enabled: false,
      updated_at: answer.body.data.updated_at,
    });
    expect((await auditEventsOf(app, id)).slice(1)).toEqual([
      {
        action: 'alert.update',
        target_type: 'alert',
        target_id: id,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: {
          name: { before: 'Budgets', after: 'Renamed' },
          thresholds: { before: [0.8, 1], after: [0.5] },
          enabled: { before: true, after: false },
        },
      },
    ]);
  });

  it('answers 200 and writes nothing when nothing changes', async () => {
    const id = await newAlert(app, organization);
    const { body } = await update(id, { name: 'Budgets', thresholds: [1, 0.8] });
    expect(body.data.updated_at).toBe(body.data.created_at);
    expect(await auditEventsOf(app, id)).toHaveLength(1);
  });

  it('answers 400 for fields of another kind, kind and scope, and a destination that is no webhook', async () => {
    const id = await newAlert(app, organization);
    const destination_id = await app.factory.destination(organization, 'langfuse', {});
    for (const json of [
      { days_before: [1] },
      { kind: 'key_expiry' },
      { workspace_id: organization.workspaceId },
      { destination_id },
      { destination_id: UNKNOWN_UUID },
      { emails: ['ops@example.com'] },
      { thresholds: [0] },
      { name: null },
    ]) {
      expect([json, (await update(id, json)).status]).toEqual([json, 400]);
    }
  });

  it('answers 400 when no receiver would be left', async () => {
    const id = await newAlert(app, organization);
    expectRefusal(await update(id, { destination_id: null }), {
      status: 400,
      reason: 'alert_without_receiver',
      userId: organization.userId,
      paths: [''],
    });
    const destination_id = await newWebhook(app, organization);
    expect((await update(id, { destination_id })).body.data.destination_id).toBe(destination_id);
  });

  it("answers 404 for another organization's alert, a missing one, and an id of another form", async () => {
    const foreign = await newAlert(app, await app.factory.organization());
    for (const id of [foreign, UNKNOWN_UUID, 'x', organization.workspaceId]) {
      const refusal = { status: 404, reason: 'alert_not_found', userId: organization.userId };
      expectRefusal(await update(id, { name: 'Intruder' }), refusal);
    }
    expect(await app.rows('SELECT name FROM alerts WHERE id = $1', [foreign])).toEqual([{ name: 'Budgets' }]);
  });

  it('answers 200 to changes at the same time, each of which is recorded with what was before', async () => {
    const id = await newAlert(app, organization);
    const names = Array.from({ length: 8 }, (_, n) => `Name ${n}`);
    const answers = await Promise.all(names.map((name) => update(id, { name })));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    const changes = (await auditEventsOf(app, id)).slice(1).map((event) => event.changes!['name']!);
    changes.forEach((change, index) => {
      expect(change.before).toBe(index === 0 ? 'Budgets' : changes[index - 1]!.after);
    });
  });
});
