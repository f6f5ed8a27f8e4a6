import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { Answer } from '../../support/api-client.js';
import { eventsOf } from '../../support/audit-events.js';
import { expectToFitContract } from '../../support/contract.js';
import { destinationState, newDestination } from '../../support/destinations.js';
import { expectRefusal, type Refusal } from '../../support/refusal.js';
import { TestApplication } from '../../support/test-application.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';
import { UNKNOWN_UUID } from '../../support/wire-forms.js';

const NOT_FOUND: Refusal = { status: 404, reason: 'destination_not_found' };

describe('DELETE /observability/destinations/{id}', () => {
  let app: TestApplication;
  let organization: NewOrganization;

  beforeAll(async () => {
    app = await TestApplication.start();
  });

  beforeEach(async () => {
    organization = await app.factory.organization();
  });

  afterAll(() => app.stop());

  const remove = (id: string): Promise<Answer> =>
    app.api.delete(`/observability/destinations/${id}`, { key: organization.managementKey });

  const expectNotFound = (answer: Answer): void => {
    expectRefusal(answer, { ...NOT_FOUND, userId: organization.userId });
    expectToFitContract('deleteObservabilityDestination', 404, answer.body);
  };

  it('deletes one, its credentials with it, and records it', async () => {
    const { id } = await newDestination(app, organization);
    const { id: kept } = await newDestination(app, organization);

    const answer = await remove(id.toUpperCase());

    expect([answer.status, answer.body]).toEqual([200, { deleted: true }]);
    expectToFitContract('deleteObservabilityDestination', 200, answer.body);
    const rows = 'SELECT id FROM observability_destinations WHERE organization_id = $1';
    expect(await app.rows(rows, [organization.organizationId])).toEqual([{ id: kept }]);
    expect((await eventsOf(app, id)).slice(1)).toEqual([
      {
        action: 'observability_destination.delete',
        target_type: 'observability_destination',
        target_id: id,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: null,
      },
    ]);
  });

  it('deletes one once, also of several requests at the same time', async () => {
    const { id } = await newDestination(app, organization);

    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(id)));

    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(9);
    refused.forEach(expectNotFound);
    expect((await eventsOf(app, id)).map(({ action }) => action)).toEqual([
      'observability_destination.create',
      'observability_destination.delete',
    ]);
  });

  it("does not find another organization's, nor what there is not, and says the same of all", async () => {
    const foreign = await newDestination(app, await app.factory.organization());
    const { id } = await newDestination(app, organization);
    const before = await destinationState(app);
    const key = organization.managementKey;

    const answers: Answer[] = [];
    for (const other of [foreign.id, UNKNOWN_UUID, organization.workspaceId, 'x', `${id}0`, `urn:uuid:${id}`]) {
      const headers = { 'x-request-id': 'same' };
      answers.push(await app.api.delete(`/observability/destinations/${other}`, { key, headers }));
    }

    answers.forEach(expectNotFound);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await destinationState(app)).toEqual(before);
  });

  it('takes no query, and no NUL in the path', async () => {
    const { id } = await newDestination(app, organization);
    const invalid = { status: 400, reason: 'invalid_parameters', userId: organization.userId };

    expectRefusal(await remove(`${id}?force=true`), { ...invalid, paths: ['force'] });
    expectRefusal(await remove(`${id}%00`), { ...invalid, paths: ['id'] });
    expect((await remove(id)).status).toBe(200);
  });

  describeWhoMayCall(['management_key'], async () => ({
    app,
    organization,
    operationId: 'deleteObservabilityDestination',
    method: 'DELETE',
    path: `/observability/destinations/${await app.factory.destination(organization, 'webhook', {})}`,
  }));
});
