import { credentialPlaces } from '../support/expectations/credential-places.js';
import { OPERATIONS } from '../operations/operations.js';
import { completeOrganization } from '../operations/complete-organization.js';
import { filledBefore } from '../support/application/filled-before.js';
import { sharedApplication } from '../support/application/shared-application.js';

/** `<what>.<verb>`, as the filter of listAuditEvents takes it. */
const ACTION = /^[a-z][a-z_]{0,49}\.[a-z][a-z_]{0,49}$/;

interface EventRow {
  readonly action: string;
  readonly actor_kind: string;
  readonly request_id: string | null;
  readonly address: string | null;
  readonly text: string;
}

describe('every operation that changes something', () => {
  const app = sharedApplication();
  const organization = filledBefore(beforeAll, () => completeOrganization(app));

  const eventsOf = (requestId: string): Promise<EventRow[]> =>
    app.rows(
      `SELECT action, actor_kind, request_id, address, to_jsonb(e)::text AS text FROM audit_events e
       WHERE organization_id = $1 AND request_id = $2`,
      [organization.organizationId, requestId],
    );

  it('leaves the audit events of its row, without a secret, and every other operation none', async () => {
    for (const [operationId, { method, path, ...options }] of Object.entries(organization.requests)) {
      const requestId = `of-${operationId}`;
      const answer = await app.api.send(method, path, { ...options, headers: { 'x-request-id': requestId } });
      expect(`${operationId} ${answer.status}`).toMatch(/ 20[0124]$/);
      const events = await eventsOf(requestId);
      const actions = events.map(({ action }) => action).sort();
      expect([operationId, ...actions]).toEqual([operationId, ...(OPERATIONS[operationId]!.auditActions ?? [])]);
      for (const { action, actor_kind: kind, address, text } of events) {
        expect([operationId, action]).toEqual([operationId, expect.stringMatching(ACTION)]);
        expect([operationId, kind, address]).toEqual([
          operationId,
          'management_key',
          expect.stringMatching(/127\.0\.0\.1$/),
        ]);
        expect([operationId, ...credentialPlaces(JSON.parse(text))]).toEqual([operationId]);
        const disclosed = credentialPlaces(answer.body).map((place) => valueAt(answer.body, place));
        for (const secret of [...organization.secrets, ...disclosed]) expect(text).not.toContain(secret);
      }
    }
  });

  it('leaves no credential of any kind in any event', async () => {
    const rows = await app.rows<{ text: string }>('SELECT to_jsonb(e)::text AS text FROM audit_events e');
    for (const { text } of rows) {
      expect(credentialPlaces(JSON.parse(text))).toEqual([]);
      for (const secret of organization.secrets) expect(text).not.toContain(secret);
    }
  });
});

function valueAt(body: unknown, place: string): string {
  return String(place.split('.').reduce((value, name) => (value as Record<string, unknown>)[name], body));
}
