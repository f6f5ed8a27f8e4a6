import { successfulRequest } from '../../operations/complete-organization.js';
import { DISCLOSED_CREDENTIALS } from '../../operations/disclosed-credentials.js';
import { OPERATIONS } from '../../operations/operations.js';
import { sampleOrganization } from '../../operations/sample-organization.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';
import { storedText } from '../../support/database/stored-text.js';
import { misplacedStatements, WritesBeside } from './writes-beside.js';
import { INFERENCE_OPERATION_IDS } from '../../operations/inference-operations.js';

/** Operations that change nothing although they are no GET, and those of inference (docs/interface/conventions.md#idempotency-keys). */
const WITHOUT_KEYS = [
  ...INFERENCE_OPERATION_IDS,
  'authorizeMcpConnection',
  'evaluateGuardrail',
  'evaluateGuardrailDraft',
  'planConfiguration',
  'queryAnalytics',
  'testInspector',
  'testMcpServer',
  'testNewObservabilityDestination',
  'testObservabilityDestination',
  'testProviderConnection',
];

/** Every operation that takes an Idempotency-Key. */
const CHANGES = Object.keys(OPERATIONS).filter((id) => OPERATIONS[id]!.method !== 'GET' && !WITHOUT_KEYS.includes(id));

describe('a request with an Idempotency-Key', () => {
  // Two connections, so that a statement outside of its transaction would be in that of another request.
  const app = sharedApplication({ variables: { DATABASE_POOL_SIZE: '2' } });
  const organization = filledBefore(beforeAll, () => sampleOrganization(app));
  const others = sharedOrganization(app);
  let beside: WritesBeside;

  beforeAll(() => {
    beside = WritesBeside.begin(app, others);
  });

  it.each(CHANGES)(
    'of %s that is sent twice is done once, and answered twice with the same status (200, 201 or 204) and body',
    async (operationId) => {
      const { method, path, ...options } = await successfulRequest(organization, operationId);
      const headers = { 'idempotency-key': `"a key for ${operationId}"`.replaceAll(' ', '-') };
      const eventCount = async (): Promise<number> => {
        const sql = 'SELECT count(*)::int AS count FROM audit_events WHERE organization_id = $1';
        return (await app.rows<{ count: number }>(sql, [organization.organizationId]))[0]!.count;
      };

      const first = await app.api.send(method, path, { ...options, headers });
      const events = await eventCount();
      const second = await app.api.send(method, path, { ...options, headers });

      expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([
        OPERATIONS[operationId]!.success,
        null,
      ]);
      expect([second.status, second.text]).toEqual([first.status, first.text]);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
      expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
      expect(await eventCount()).toBe(events);
      const stored = [...(await storedText(app)).values()].join('\n');
      for (const place of DISCLOSED_CREDENTIALS[operationId] ?? []) {
        const secret = place
          .split('.')
          .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], first.body);
        expect(stored).not.toContain(secret);
      }
    },
  );

  it('runs no statement in the transaction of another request, of which each answers 201', async () => {
    expect(new Set(await beside.end())).toEqual(new Set([201]));
    expect(misplacedStatements(app)).toEqual([]);
  });
});
