import { defaultGuardrailIdOf } from '../../../src/persistence/identifiers.js';
import type { Answer } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

describe('deleteGuardrail', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  const remove = (id: string, { managementKey: key } = organization): Promise<Answer> =>
    app.api.delete(`/guardrails/${id}`, { key, headers: { 'x-request-id': 'the-same' } });

  const stored = async (): Promise<unknown[]> => app.rows('SELECT id FROM guardrails ORDER BY id');

  const expectNotFound = (answer: Answer): void => {
    expectRefusal(answer, { status: 404, reason: 'guardrail_not_found', userId: organization.userId });
    expectToFitContract('deleteGuardrail', 404, answer.body);
  };

  it('answers 200, deletes the one guardrail, and records it', async () => {
    const kept = await app.factory.guardrail(organization);
    const { id } = await app.factory.guardrail(organization);

    const answer = await remove(id.toUpperCase());

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ deleted: true });
    expectToFitContract('deleteGuardrail', 200, answer.body);
    expect(await stored()).toEqual([{ id: kept.id }]);
    expect((await auditEventsOf(app, id)).at(-1)).toEqual({
      action: 'guardrail.delete',
      target_type: 'guardrail',
      target_id: id,
      actor_kind: 'management_key',
      actor_id: organization.userId,
      changes: null,
    });
  });

  it('answers 404 the second time, and records nothing', async () => {
    const { id } = await app.factory.guardrail(organization);
    await remove(id);
    const events = await auditEventsOf(app, id);

    expectNotFound(await remove(id));
    expect(await auditEventsOf(app, id)).toEqual(events);
  });

  it('answers 200 and removes the guardrail from list and total', async () => {
    const ours = await app.factory.organization();
    const [kept, { id }] = [await app.factory.guardrail(ours), await app.factory.guardrail(ours)];

    await remove(id, ours);

    const list = await app.api.get('/guardrails', { key: ours.managementKey });
    expect(list.body).toEqual({ data: [kept], total_count: 1 });
  });

  it('answers 200 to one of two requests at the same time, and 404 to the other', async () => {
    const { id } = await app.factory.guardrail(organization);

    const answers = await Promise.all([remove(id), remove(id), remove(id)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    const deletions = (await auditEventsOf(app, id)).filter(({ action }) => action === 'guardrail.delete');
    expect(deletions).toHaveLength(1);
  });

  it.each([false, true])('answers 400 for the default guardrail of a workspace (stored: %s)', async (isStored) => {
    const workspaceId = await app.factory.workspace(organization);
    const id = defaultGuardrailIdOf(workspaceId);
    if (isStored) {
      const json = { description: 'Stored' };
      await app.api.patch(`/guardrails/${id}`, { key: organization.managementKey, json });
    }
    const before = await stored();

    for (const spelling of [id, id.toUpperCase()]) {
      expectRefusal(await remove(spelling), {
        status: 400,
        reason: 'default_guardrail_not_deletable',
        paths: ['id'],
        userId: organization.userId,
      });
    }
    expect(await stored()).toEqual(before);
    expect((await auditEventsOf(app, id)).filter(({ action }) => action === 'guardrail.delete')).toEqual([]);
  });

  it("answers 404 with the same body for another organization's guardrails and for missing ones, and deletes nothing", async () => {
    const other = await app.factory.organization();
    const theirs = await app.factory.guardrail(other);
    const missing = await remove(UNKNOWN_UUID);

    expectNotFound(missing);
    expect((await remove(theirs.id)).text).toBe(missing.text);
    expect((await remove(defaultGuardrailIdOf(other.workspaceId))).text).toBe(missing.text);
    expect(await stored()).toContainEqual({ id: theirs.id });
  });

  it.each(['default', 'null', `${UNKNOWN_UUID}0`])('answers 404 for a guardrail of the id %s', async (id) => {
    expectNotFound(await remove(id));
  });
});
