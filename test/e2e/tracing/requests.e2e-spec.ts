import { randomBytes } from 'node:crypto';
import { disconnectBeforeAnswer } from '../../support/network/disconnected-client.js';
import { OPERATION_IDS, OPERATIONS } from '../../operations/operations.js';
import { completeOrganization, type CompleteOrganization } from '../../operations/complete-organization.js';
import { TestApplication } from '../../support/application/test-application.js';
import { type ReceivedSpan, TraceCollector } from './trace-collector.js';

const SERVER = 2;
const CLIENT = 3;
const UNSET = 0;
const ERROR = 2;

/** What looks up the owner of a credential: by itself, or with what decides a request for inference. */
const OF_CALLER: ReadonlySet<string> = new Set(['key_owner', 'inference_caller', 'inference_caller_limited']);

const BY_WHAT_IS_LEFT = ['spend_admissions_lock', 'spend_admission_state', 'spend_reservations_insert'];

/** How a request under a budget is admitted: from a block, or by what is left, also behind a block that does not pay for it. */
const ADMISSIONS = [['spend_blocks_take'], BY_WHAT_IS_LEFT, ['spend_blocks_release', ...BY_WHAT_IS_LEFT]];

/** How many statements a read sends at most, the look-up of its credential included: each is a way to the database and back. */
const STATEMENTS_OF_READ = 3;

/** Those that send more. */
const MORE_STATEMENTS: Readonly<Record<string, number>> = {
  // The end of the trail, and a hundred events at a time.
  exportAuditEvents: 4,
  // A list of each kind of object, of those in workspaces one for each, and what belongs to each object.
  exportConfiguration: 200,
  // The private models of the organization besides.
  getEffectiveGuardrails: 8,
  // The editions of the catalog and of the connections, the own keys, and the private models.
  getProvidersHealth: 5,
  // The private models of the organization besides.
  listModelsUser: 4,
  // The key, its guardrails, and the servers with the tools of each.
  listPermittedMcpTools: 12,
  // Whether groups are provisioned, the group, and its members with their number.
  listScimGroupMembers: 4,
};

describe('the traces of requests', () => {
  let collector: TraceCollector;
  let organization: CompleteOrganization;
  const secrets: string[] = [];

  // All that is looked at below is done here, and sent when the application stops.
  beforeAll(async () => {
    collector = await TraceCollector.start();
    const app = await TestApplication.start({ variables: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
    organization = await completeOrganization(app);
    secrets.push(...organization.secrets, app.database.url);
    // The first check creates the record of the encryption key.
    await fetch(`${app.origin}/health/ready`);
    await everyOperation(app);
    await aroundOperations(app);
    await secretsInWrongPlaces(app);
    await disconnectBeforeAnswer(app, organization.managementKey);
    await failures(app);
    await app.stop();
  });

  afterAll(() => collector.stop());

  async function everyOperation(app: TestApplication): Promise<void> {
    for (const [operationId, { method, path, ...options }] of Object.entries(organization.requests)) {
      const headers = { 'x-request-id': operationId };
      const answer = await app.api.send<{ key?: string }>(method, path, { ...options, headers });
      expect([200, 201, 202, 204]).toContain(answer.status);
      if (answer.body.key !== undefined) secrets.push(answer.body.key);
    }
  }

  async function aroundOperations(app: TestApplication): Promise<void> {
    const { managementKey: key } = organization;
    await app.api.delete(`/keys/nothing?force=yes`, { key, headers: { 'x-request-id': 'refused' } });
    await app.api.get('/nowhere/at-all', { key, headers: { 'x-request-id': 'unknown-path' } });
    await app.api.get('/guardrails', { headers: { 'x-request-id': 'no-credential' } });
    for (const path of ['/health/live', '/health/ready', '/docs', '/nowhere']) await fetch(`${app.origin}${path}`);
  }

  async function secretsInWrongPlaces(app: TestApplication): Promise<void> {
    const { apiKey, managementKey: key } = organization;
    await app.api.delete(`/keys/${apiKey}`, { key });
    await app.api.delete(`/keys/${encodeURIComponent(apiKey).replaceAll('-', '%2D')}`, { key });
    await app.api.get(`/model/${apiKey}/${apiKey}?key=${apiKey}`, { key });
    await app.api.get(`/nowhere/${apiKey}`, { key, headers: { 'x-request-id': apiKey, 'user-agent': apiKey } });
    await app.api.post('/auth/keys', { key, raw: `{"code":"${apiKey}` });
  }

  async function failures(app: TestApplication): Promise<void> {
    const { managementKey: key } = organization;
    // The message of this failure quotes the row.
    const name = randomBytes(16).toString('hex');
    secrets.push(name);
    await app.rows(`ALTER TABLE guardrails ADD CONSTRAINT ck_none CHECK (name = 'none') NOT VALID`);
    const quoting = await app.api.post('/guardrails', { key, json: { name }, headers: { 'x-request-id': 'quoting' } });
    await app.rows('ALTER TABLE oauth_applications RENAME TO elsewhere');
    const json = { callback_url: 'https://app.example.com/callback' };
    const tableless = await app.api.post('/auth/keys/code', { key, json, headers: { 'x-request-id': 'tableless' } });
    expect([quoting.status, tableless.status]).toEqual([500, 500]);
  }

  const serverSpans = (): readonly ReceivedSpan[] => collector.spans.filter(({ kind }) => kind === SERVER);

  const spansOf = (requestId: string): readonly ReceivedSpan[] =>
    serverSpans().filter(({ attributes }) => attributes['gatehouse.request_id'] === requestId);

  const statementsIn = ({ spanId }: ReceivedSpan): readonly ReceivedSpan[] =>
    collector.spans.filter(
      ({ parentSpanId, attributes }) => parentSpanId === spanId && attributes['db.system.name'] !== undefined,
    );

  it('have one span for every operation, with a child for every statement', () => {
    for (const operationId of OPERATION_IDS) {
      const spans = spansOf(operationId);
      expect(spans.map(({ attributes }) => attributes['gatehouse.operation'])).toEqual([operationId]);
      const names = statementsIn(spans[0]!).map(({ name }) => name);
      expect([operationId, ...names.filter((name) => OF_CALLER.has(name))]).toHaveLength(2);
      expect([operationId, ...names.filter((name) => !/^[a-z_]+$/.test(name))]).toEqual([operationId]);
      if (OPERATIONS[operationId]!.method !== 'GET') continue;
      // Whose files configure the object that is shown: one look-up by its key more.
      const count = names.filter((name) => !/^managed_object_owner(_in_workspace)?$/.test(name)).length;
      expect([operationId, count <= (MORE_STATEMENTS[operationId] ?? STATEMENTS_OF_READ)]).toEqual([operationId, true]);
    }
  });

  it('have a child for each statement that records what an operation changes', () => {
    const changing = OPERATION_IDS.filter((operationId) => OPERATIONS[operationId]!.auditActions !== undefined);
    expect(changing.length).toBeGreaterThan(20);
    for (const operationId of changing) {
      const names = statementsIn(spansOf(operationId)[0]!).map(({ name }) => name);
      expect([operationId, names.length >= 2]).toEqual([operationId, true]);
    }
  });

  it('have the statements of one admission under a budget before a provider is asked, and one that records the answer', () => {
    const names = statementsIn(spansOf('sendChatCompletionRequest')[0]!).map(({ name }) => name);
    const ofAdmission = names.filter((name) => name.startsWith('spend_'));
    expect(ADMISSIONS.map((one) => one.join())).toContain(ofAdmission.join());
    expect(names.filter((name) => name.startsWith('generations_'))).toEqual(['generations_insert']);
    expect(names.indexOf('generations_insert')).toBe(names.length - 1);
    // Its context, what is left of a limit that it did not have when it was read last, and the own provider keys.
    expect(names.length - ofAdmission.length - 1).toBeLessThanOrEqual(3);
  });

  it('contain only requests, their statements and their calls of providers: no creation of organizations, health checks and documentation pages', () => {
    for (const { attributes } of serverSpans()) expect(attributes['url.path']).toMatch(/^\/api\/v1\//);
    const requests = new Set(serverSpans().map(({ spanId }) => spanId));
    const others = collector.spans.filter(({ spanId }) => !requests.has(spanId));
    expect(others.length).toBeGreaterThan(0);
    for (const { kind, parentSpanId } of others) {
      expect(kind).toBe(CLIENT);
      expect(requests).toContain(parentSpanId);
    }
  });

  it('have the attributes of the OpenTelemetry conventions for requests (201) and statements', () => {
    const [span] = spansOf('refused');

    expect(span).toMatchObject({ name: 'DELETE /api/v1/keys/:hash', kind: SERVER, status: { code: UNSET } });
    expect(span!.attributes).toEqual({
      'http.request.method': 'DELETE',
      'http.route': '/api/v1/keys/:hash',
      'http.response.status_code': 400,
      'network.protocol.version': '1.1',
      'url.scheme': 'http',
      'url.path': '/api/v1/keys/nothing',
      'gatehouse.operation': 'deleteKeys',
      'gatehouse.request_id': 'refused',
    });
    expect(statementsIn(span!).map(({ name, attributes }) => [name, attributes])).toEqual([
      ['key_owner', { 'db.system.name': 'postgresql', 'db.query.summary': 'key_owner' }],
    ]);
  });

  it('name the span of an unknown path (404) by its method only', () => {
    const [span] = spansOf('unknown-path');

    expect(span).toMatchObject({ name: 'GET', attributes: { 'http.response.status_code': 404 } });
    expect(span!.attributes).not.toHaveProperty('http.route');
    expect(statementsIn(span!)).toEqual([]);
  });

  it('have no error status for a 400', () => {
    for (const requestId of ['refused', 'unknown-path', 'no-credential']) {
      const [span] = spansOf(requestId);
      expect(span!.status).toEqual({ code: UNSET });
      expect(span!.attributes).not.toHaveProperty('error.type');
    }
  });

  it.each([
    ['quoting', 'guardrail_create', '23514'],
    ['tableless', 'oauth_application_by_origin', '42P01'],
  ])(
    'have an error status on the statement that failed and the 500, with its code and without its message (%s)',
    (requestId, name, code) => {
      const [span] = spansOf(requestId);

      expect(span!.status).toEqual({ code: ERROR });
      expect(span!.attributes).toMatchObject({ 'http.response.status_code': 500, 'error.type': '500' });
      const failed = statementsIn(span!).filter(({ status }) => status.code !== UNSET);
      expect(failed.map((statement) => [statement.name, statement.status])).toEqual([[name, { code: ERROR }]]);
      expect(failed[0]!.attributes).toMatchObject({ 'error.type': code, 'db.response.status_code': code });
    },
  );

  it('distinguish a client that disconnects before the answer (499) from one that was answered', () => {
    const gone = serverSpans().filter(({ attributes }) => attributes['http.response.status_code'] === undefined);

    expect(gone).toMatchObject([{ status: { code: ERROR }, attributes: { 'error.type': 'client_closed_request' } }]);
  });

  it('contain no credential, wherever one was sent', () => {
    expect(secrets.length).toBeGreaterThan(10);
    expect(collector.text).toContain('/api/v1/keys/sk-gate-v2-[redacted]');
    for (const secret of secrets) expect(collector.text).not.toContain(secret);
  });
});
