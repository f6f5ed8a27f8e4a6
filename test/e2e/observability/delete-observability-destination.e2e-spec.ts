import { sharedApplication } from '../../support/application/shared-application.js';
import type { Answer } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { destinationState, newDestination } from '../../support/resources/destinations.js';
import { expectRefusal, type Refusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

const NOT_FOUND: Refusal = { status: 404, reason: 'destination_not_found' };

describe('deleteObservabilityDestination', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);

  const remove = (id: string): Promise<Answer> =>
    app.api.delete(`/observability/destinations/${id}`, { key: organization.managementKey });

  const expectNotFound = (answer: Answer): void => {
    expectRefusal(answer, { ...NOT_FOUND, userId: organization.userId });
    expectToFitContract('deleteObservabilityDestination', 404, answer.body);
  };

  it('answers 200, deletes the destination with its credentials, and records it', async () => {
    const { id } = await newDestination(app, organization);
    const { id: kept } = await newDestination(app, organization);

    const answer = await remove(id.toUpperCase());

    expect([answer.status, answer.body]).toEqual([200, { deleted: true }]);
    expectToFitContract('deleteObservabilityDestination', 200, answer.body);
    const rows = 'SELECT id FROM observability_destinations WHERE organization_id = $1';
    expect(await app.rows(rows, [organization.organizationId])).toEqual([{ id: kept }]);
    expect((await auditEventsOf(app, id)).slice(1)).toEqual([
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

  it('answers 200 once and 404 afterwards, also for several requests at the same time', async () => {
    const { id } = await newDestination(app, organization);

    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(id)));

    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(9);
    refused.forEach(expectNotFound);
    expect((await auditEventsOf(app, id)).map(({ action }) => action)).toEqual([
      'observability_destination.create',
      'observability_destination.delete',
    ]);
  });

  it("answers 404 with the same body for another organization's destination and for a missing one", async () => {
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

  it('answers 400 for a query and for a NUL in the path', async () => {
    const { id } = await newDestination(app, organization);
    const invalid = { status: 400, reason: 'invalid_parameters', userId: organization.userId };

    expectRefusal(await remove(`${id}?force=true`), { ...invalid, paths: ['force'] });
    expectRefusal(await remove(`${id}%00`), { ...invalid, paths: ['id'] });
    expect((await remove(id)).status).toBe(200);
  });
});
