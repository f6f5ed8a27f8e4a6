import { credentialPlaces } from '../support/credentials-in.js';
import { interfaceOf } from '../support/operations.js';
import { completeOrganization, type CompleteOrganization } from '../support/successful-requests.js';
import { TestApplication } from '../support/test-application.js';

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
  let app: TestApplication;
  let organization: CompleteOrganization;

  beforeAll(async () => {
    app = await TestApplication.start();
    organization = await completeOrganization(app);
  });

  afterAll(() => app.stop());

  const eventsOf = (requestId: string): Promise<EventRow[]> =>
    app.rows(
      `SELECT action, actor_kind, request_id, address, to_jsonb(e)::text AS text FROM audit_events e
       WHERE organization_id = $1 AND request_id = $2`,
      [organization.organizationId, requestId],
    );

  it('leaves an event of the request that did it, without a secret, and what only reads leaves none', async () => {
    const { operations } = interfaceOf(app.application);
    const methods = new Map(operations.map(({ operationId, method }) => [operationId, method]));
    expect(Object.keys(organization.requests).sort()).toEqual([...methods.keys()].sort());
    for (const [operationId, { method, path, ...options }] of Object.entries(organization.requests)) {
      const requestId = `of-${operationId}`;
      const answer = await app.api.send(method, path, { ...options, headers: { 'x-request-id': requestId } });
      expect(`${operationId} ${answer.status}`).toMatch(/ 20[01]$/);
      const events = await eventsOf(requestId);
      expect([operationId, events.length > 0]).toEqual([operationId, methods.get(operationId) !== 'GET']);
      for (const { action, actor_kind: kind, address, text } of events) {
        expect([operationId, action]).toEqual([operationId, expect.stringMatching(ACTION)]);
        expect([operationId, kind, address]).toEqual([
          operationId,
          'management_key',
          expect.stringMatching(/127\.0\.0\.1$/),
        ]);
        expect([operationId, ...credentialPlaces(JSON.parse(text))]).toEqual([operationId]);
        const told = credentialPlaces(answer.body).map((place) => valueAt(answer.body, place));
        for (const secret of [...organization.secrets, ...told]) expect(text).not.toContain(secret);
      }
    }
  });

  it('keeps no secret in any event, nor a credential of whatever kind', async () => {
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
