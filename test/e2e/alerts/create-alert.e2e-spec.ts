import { sharedApplication } from '../../support/application/shared-application.js';
import type { Alert } from '../../../src/modules/alerts/dto/alert.dto.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/expectations/formats.js';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { newWebhook } from '../../support/resources/alerts.js';
import { newDestination } from '../../support/resources/destinations.js';
import { newLimit } from '../../support/resources/limits.js';

describe('createAlert', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);

  const create = <Body = { data: Alert }>(json: object): Promise<Answer<Body>> =>
    app.api.post<Body>('/alerts', { key: organization.managementKey, json });

  /** The paths of the issues of a refusal. */
  const issuesOf = async (json: object): Promise<string[]> => {
    const { status, body } = await create<ErrorBody>({ name: 'Alert', kind: 'budget', ...json });
    expect(status).toBe(400);
    return body.error.metadata.issues!.map(({ path }) => path);
  };

  it('answers 201 with the defaults of each kind, and records it', async () => {
    const destinationId = await newWebhook(app, organization);
    const answer = await create({ name: 'Budgets', kind: 'budget', destination_id: destinationId.toUpperCase() });

    expect(answer.status).toBe(201);
    const made = {
      name: 'Budgets',
      kind: 'budget',
      workspace_id: null,
      guardrail_id: null,
      key_hash: null,
      thresholds: [0.8, 1],
      days_before: null,
      enabled: true,
      destination_id: destinationId,
    };
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(UUID_V7) as unknown,
      ...made,
      recipients: [],
      created_at: expect.stringMatching(TIMESTAMP) as unknown,
      updated_at: answer.body.data.created_at,
    });
    const events = await auditEventsOf(app, answer.body.data.id);
    const set = Object.entries({ ...made, emails: [] }).filter(([, value]) => value !== null);
    expect(events).toEqual([
      {
        action: 'alert.create',
        target_type: 'alert',
        target_id: answer.body.data.id,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: Object.fromEntries(set.map(([field, after]) => [field, { after }])),
      },
    ]);
    for (const [kind, days] of [
      ['key_expiry', [7, 1]],
      ['destination_paused', null],
      ['limit', null],
      ['budget_forecast', null],
    ] as const) {
      const other = await create({ name: kind, kind, destination_id: destinationId });
      expect(other.body.data).toMatchObject({ kind, thresholds: null, days_before: days });
    }
  });

  it('answers 201 with every field as it was set, sorted and each once', async () => {
    const destinationId = await newWebhook(app, organization);
    const { hash } = await app.factory.key(organization);
    const { id: guardrailId } = await app.factory.guardrail(organization);
    const to = { destination_id: destinationId, enabled: false };
    const byKey = await create({ name: 'K', kind: 'key_expiry', key_hash: hash, days_before: [1, 30, 30, 7], ...to });
    expect(byKey.body.data).toMatchObject({ key_hash: hash, days_before: [30, 7, 1], enabled: false });
    const thresholds = { thresholds: [10, 0.001, 1, 1] };
    const byGuardrail = await create({ name: 'G', kind: 'budget', guardrail_id: guardrailId, ...thresholds, ...to });
    expect(byGuardrail.body.data).toMatchObject({ guardrail_id: guardrailId, thresholds: [0.001, 1, 10] });
    const limitId = await newLimit(app, organization);
    const byLimit = await create({ name: 'L', kind: 'limit', limit_id: limitId, ...to });
    expect(byLimit.body.data).toMatchObject({ limit_id: limitId, thresholds: null, days_before: null });
    const scope = { workspace_id: organization.workspaceId.toUpperCase(), key_hash: null, guardrail_id: null };
    const byWorkspace = await create({ name: 'W', kind: 'destination_paused', ...scope, ...to });
    expect(byWorkspace.body.data).toMatchObject({ workspace_id: organization.workspaceId });
    expect(byWorkspace.body.data).not.toHaveProperty('limit_id');
  });

  it('answers 201 for a name of any Unicode, and returns it as it was sent', async () => {
    const destinationId = await newWebhook(app, organization);
    for (const name of ['🚨'.repeat(100), 'é\u0301‮ \r\n\t', '予算']) {
      const { status, body } = await create({ name, kind: 'budget', destination_id: destinationId });
      expect([status, body.data.name]).toEqual([201, name]);
    }
  });

  it('answers 400 for thresholds and days out of bounds, too many, or of another kind', async () => {
    const to = { destination_id: await newWebhook(app, organization) };
    expect(await issuesOf({ ...to, thresholds: [0, -1, 10.5, '1'] })).toEqual(
      [0, 1, 2, 3].map((n) => `thresholds[${n}]`),
    );
    expect(await issuesOf({ ...to, thresholds: [] })).toEqual(['thresholds']);
    expect(await issuesOf({ ...to, thresholds: [1, 2, 3, 4, 5, 6] })).toEqual(['thresholds']);
    expect(await issuesOf({ ...to, kind: 'key_expiry', days_before: [0, 366, 1.5] })).toEqual(
      [0, 1, 2].map((n) => `days_before[${n}]`),
    );
    expect(await issuesOf({ ...to, days_before: [1] })).toEqual(['days_before']);
    expect(await issuesOf({ ...to, kind: 'key_expiry', thresholds: [1] })).toEqual(['thresholds']);
    expect(await issuesOf({ ...to, name: '', kind: 'other' })).toEqual(['name', 'kind']);
    expect(await issuesOf({ ...to, name: '🚨'.repeat(101) })).toEqual(['name']);
  });

  it('answers 400 for a scope that does not fit the kind, and for two', async () => {
    const to = { destination_id: await newWebhook(app, organization) };
    const { hash } = await app.factory.key(organization);
    expect(await issuesOf({ ...to, kind: 'destination_paused', key_hash: hash })).toEqual(['key_hash']);
    expect(await issuesOf({ ...to, kind: 'key_expiry', guardrail_id: UNKNOWN_UUID })).toEqual(['guardrail_id']);
    const limitId = await newLimit(app, organization);
    expect(await issuesOf({ ...to, limit_id: limitId })).toEqual(['limit_id']);
    expect(await issuesOf({ ...to, kind: 'limit', key_hash: hash, thresholds: [1] })).toEqual([
      'key_hash',
      'thresholds',
    ]);
    expect(await issuesOf({ ...to, kind: 'budget_forecast', days_before: [1] })).toEqual(['days_before']);
    const both = { limit_id: limitId, workspace_id: organization.workspaceId };
    expect(await issuesOf({ ...to, kind: 'limit', ...both })).toEqual(['limit_id']);
    expect(await issuesOf({ ...to, key_hash: hash, workspace_id: organization.workspaceId })).toEqual(['key_hash']);
  });

  it('answers 400 for what the organization does not have, all at once', async () => {
    const langfuse = await newDestination(app, organization);
    const unknown = { workspace_id: UNKNOWN_UUID, destination_id: langfuse.id };
    expect(await issuesOf(unknown)).toEqual(['workspace_id', 'destination_id']);
    const to = { destination_id: await newWebhook(app, organization) };
    for (const key_hash of ['', 'x', '0'.repeat(64), 'é'.repeat(64)]) {
      expect(await issuesOf({ ...to, key_hash })).toEqual(['key_hash']);
    }
    expect(await issuesOf({ ...to, guardrail_id: 'x' })).toEqual(['guardrail_id']);
    expect(await issuesOf({ ...to, guardrail_id: UNKNOWN_UUID })).toEqual(['guardrail_id']);
    const foreign = await newLimit(app, await app.factory.organization());
    for (const limit_id of [UNKNOWN_UUID, foreign]) {
      expectRefusal(await create({ name: 'Alert', kind: 'limit', limit_id, ...to }), {
        status: 400,
        reason: 'limit_not_found',
        userId: organization.userId,
        paths: ['limit_id'],
      });
    }
  });

  it('answers 400 for an alert that would notify no one, and for addresses in a deployment without e-mail', async () => {
    expectRefusal(await create({ name: 'Alert', kind: 'budget', emails: [] }), {
      status: 400,
      reason: 'alert_without_receiver',
      userId: organization.userId,
      paths: [''],
    });
    expectRefusal(await create({ name: 'Alert', kind: 'budget', emails: ['ops@example.com'] }), {
      status: 400,
      reason: 'email_not_configured',
      userId: organization.userId,
      paths: ['emails'],
    });
  });
});
