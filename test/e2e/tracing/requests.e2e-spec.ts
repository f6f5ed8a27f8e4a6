import { randomBytes } from 'node:crypto';
import { goneBeforeTheAnswer } from '../../support/gone-client.js';
import { interfaceOf } from '../../support/operations.js';
import { completeOrganization, type CompleteOrganization } from '../../support/successful-requests.js';
import { TestApplication } from '../../support/test-application.js';
import { type ReceivedSpan, TraceCollector } from '../../support/trace-collector.js';

const SERVER = 2;
const CLIENT = 3;
const UNSET = 0;
const ERROR = 2;

describe('the traces of requests', () => {
  let collector: TraceCollector;
  let organization: CompleteOrganization;
  let operationIds: readonly string[];
  const secrets: string[] = [];

  // All that is looked at below is done here, and sent when the application stops.
  beforeAll(async () => {
    collector = await TraceCollector.start();
    const app = await TestApplication.start({ variables: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
    organization = await completeOrganization(app);
    secrets.push(...organization.secrets, app.database.url);
    operationIds = interfaceOf(app.application).operations.map(({ operationId }) => operationId);
    // The record of the encryption key is made with the first check.
    await fetch(`${app.origin}/health/ready`);
    await everyOperation(app);
    await aroundOperations(app);
    await secretsInWrongPlaces(app);
    await goneBeforeTheAnswer(app, organization.managementKey);
    await failures(app);
    await app.stop();
  });

  afterAll(() => collector.stop());

  async function everyOperation(app: TestApplication): Promise<void> {
    for (const [operationId, { method, path, ...options }] of Object.entries(organization.requests)) {
      const headers = { 'x-request-id': operationId };
      const answer = await app.api.send<{ key?: string }>(method, path, { ...options, headers });
      expect([200, 201]).toContain(answer.status);
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
    collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId);

  it('have one span for every operation, and in it one for every statement', () => {
    const statements = operationIds.map((operationId) => {
      const spans = spansOf(operationId);
      expect(spans.map(({ attributes }) => attributes['gatehouse.operation'])).toEqual([operationId]);
      // Sorted, for statements that are sent side by side begin in any order.
      return [
        operationId,
        statementsIn(spans[0]!)
          .map(({ name }) => name)
          .sort(),
      ];
    });

    const expected: Readonly<Record<string, readonly string[]>> = {
      bulkAddWorkspaceMembers: [
        'key_holder',
        'workspace_by_id',
        'workspace_members_hold',
        'organization_member_roles',
        'workspace_members_add',
        'audit_event_insert',
        'workspace_members_of_users',
      ],
      bulkAssignKeysToGuardrail: [
        'key_holder',
        'guardrail_by_id',
        'guardrail_keep',
        'keys_by_hashes',
        'guardrail_key_assignments_lock',
        'guardrail_key_assignments_remove_others',
        'guardrail_key_assignments_insert',
        'audit_event_insert',
      ],
      bulkAssignMembersToGuardrail: [
        'key_holder',
        'guardrail_by_id',
        'guardrail_keep',
        'guardrail_member_assignments_lock',
        'guardrail_member_assignments_remove_others',
        'guardrail_member_assignments_insert',
        'audit_event_insert',
      ],
      bulkUnassignKeysFromGuardrail: [
        'key_holder',
        'guardrail_by_id',
        'keys_by_hashes',
        'guardrail_key_assignments_lock',
        'guardrail_key_assignments_remove',
        'audit_event_insert',
      ],
      bulkUnassignMembersFromGuardrail: [
        'key_holder',
        'guardrail_by_id',
        'guardrail_member_assignments_lock',
        'guardrail_member_assignments_remove',
        'audit_event_insert',
      ],
      bulkRemoveWorkspaceMembers: [
        'key_holder',
        'workspace_by_id',
        'workspace_members_hold',
        'workspace_members_of_users',
        'workspace_keys_active_holders',
        'workspace_members_remove',
        'audit_event_insert',
      ],
      createAuthKeysCode: [
        'key_holder',
        'workspace_default_id',
        'client_of_callback',
        'oauth_application_by_origin',
        'authorization_code_create',
      ],
      createConnectClient: ['key_holder', 'connect_clients_quota', 'connect_client_insert'],
      createGuardrail: ['key_holder', 'workspace_default_id', 'guardrail_create'],
      createKeys: ['key_holder', 'workspace_default_id', 'keys_quota', 'key_insert'],
      createPresetsChatCompletions: [
        'key_holder',
        'workspace_default_id',
        'models_canonical_slugs',
        'preset_by_slug',
        'presets_quota',
        'preset_version_add',
      ],
      createScimGroupMapping: ['key_holder', 'organization_scim_enabled', 'scim_group_mapping_insert'],
      createWorkspace: ['key_holder', 'workspaces_quota', 'workspace_insert', 'audit_event_insert'],
      deleteConnectClient: [
        'key_holder',
        'connect_client_delete_codes',
        'connect_client_lock',
        'connect_client_delete_keys',
        'connect_client_delete',
        'audit_event_insert',
      ],
      deleteGuardrail: ['key_holder', 'guardrail_delete'],
      deleteKeys: ['key_holder', 'key_delete'],
      deleteScimGroupMapping: [
        'key_holder',
        'organization_scim_enabled',
        'scim_mapped_workspace_lock',
        'scim_group_mapping_by_id',
        'scim_group_mapping_keep_members',
        'scim_group_mapping_delete',
        'audit_event_insert',
      ],
      deleteWorkspace: [
        'key_holder',
        'workspace_lock_by_id',
        'workspace_keys_active',
        'workspace_codes_delete',
        'workspace_keys_delete',
        'workspace_delete',
        'audit_event_insert',
      ],
      deleteWorkspaceBudget: ['key_holder', 'workspace_by_id', 'workspace_budget_delete'],
      exchangeAuthCodeForAPIKey: ['key_holder', 'authorization_code_by_hash', 'authorization_code_redeem'],
      getConnectClient: ['key_holder', 'connect_client_by_id'],
      getCurrentKey: ['key_holder', 'current_key'],
      getKey: ['key_holder', 'key_by_hash'],
      getModel: ['key_holder', 'models_current_by_names'],
      // The first to read this edition of the catalog.
      getEffectiveGuardrails: [
        'key_holder',
        'keys_by_hashes',
        'guardrails_of_key',
        'guardrail_by_id',
        'catalog_edition',
        'one_snapshot',
        'models_current',
        'model_endpoints_current',
        'providers',
        'image_models',
      ],
      getGuardrail: ['key_holder', 'guardrail_by_id'],
      getModels: ['key_holder', 'catalog_edition'],
      getObservabilityDestination: ['key_holder', 'observability_destination_by_id'],
      getWorkspace: ['key_holder', 'workspace_by_id'],
      getWorkspaceBudget: ['key_holder', 'workspace_by_id', 'workspace_budgets'],
      list: ['key_holder', 'keys_page'],
      listConnectClients: ['key_holder', 'connect_clients_page'],
      listAuditEvents: ['key_holder', 'audit_events_page'],
      listEndpoints: ['key_holder', 'models_current_by_names', 'catalog_edition'],
      listEndpointsZdr: ['key_holder', 'catalog_edition'],
      getScimGroupMapping: ['key_holder', 'organization_scim_enabled', 'scim_group_mapping_by_id'],
      listGuardrailKeyAssignments: ['key_holder', 'guardrail_by_id', 'guardrail_key_assignments_of_guardrail_page'],
      listGuardrailMemberAssignments: [
        'key_holder',
        'guardrail_by_id',
        'guardrail_member_assignments_of_guardrail_page',
      ],
      listGuardrails: ['key_holder', 'guardrails_page'],
      listImageModelEndpoints: ['key_holder', 'models_current_by_names', 'image_endpoints_of_model'],
      listImageModels: ['key_holder', 'catalog_edition'],
      listKeyAssignments: ['key_holder', 'guardrail_key_assignments_page'],
      listMemberAssignments: ['key_holder', 'guardrail_member_assignments_page'],
      listModelsUser: ['key_holder', 'model_policies_of_key', 'catalog_edition'],
      listModelsCount: ['key_holder', 'catalog_edition'],
      getPreset: ['key_holder', 'workspace_default_id', 'preset_by_slug', 'preset_version_newest'],
      getPresetVersion: ['key_holder', 'workspace_default_id', 'preset_id', 'preset_version'],
      listOrganizationMembers: ['key_holder', 'organization_users_page'],
      listPresets: ['key_holder', 'workspace_default_id', 'presets_page'],
      listPresetVersions: ['key_holder', 'workspace_default_id', 'preset_id', 'preset_versions_page'],
      listProviders: ['key_holder', 'catalog_edition'],
      listScimGroupMappings: ['key_holder', 'organization_scim_enabled', 'scim_group_mappings_page'],
      listScimGroups: ['key_holder', 'organization_scim_enabled', 'scim_groups_page'],
      listWorkspaceBudgets: ['key_holder', 'workspace_by_id', 'workspace_budgets'],
      listWorkspaceMembers: ['key_holder', 'workspace_by_id', 'organization_members_page'],
      listWorkspaces: ['key_holder', 'workspaces_page'],
      rotateConnectClientSecret: ['key_holder', 'connect_client_lock', 'connect_client_rotate', 'audit_event_insert'],
      rotateKey: [
        'key_holder',
        'key_lock',
        'audit_event_insert',
        'observability_destinations_replace_key_hash',
        'key_rotate',
        'key_by_id',
      ],
      updateGuardrail: ['key_holder', 'guardrail_for_update', 'guardrail_update', 'audit_event_insert'],
      updateKeys: ['key_holder', 'key_lock', 'audit_event_insert', 'key_update', 'key_by_id'],
      createObservabilityDestination: [
        'key_holder',
        'workspace_default_id',
        'observability_encryption_state',
        'destinations_quota',
        'observability_destinations_take_turns',
        'observability_destinations_count_of_type',
        'observability_destination_insert',
        'audit_event_insert',
      ],
      deleteObservabilityDestination: ['key_holder', 'observability_destination_delete'],
      listObservabilityDestinations: ['key_holder', 'observability_destinations_page'],
      updateObservabilityDestination: [
        'key_holder',
        'observability_destination_by_id',
        'observability_encryption_state',
        'observability_destination_for_update',
        'observability_destination_update',
        'audit_event_insert',
      ],
      updateScimGroupMapping: [
        'key_holder',
        'organization_scim_enabled',
        'scim_mapped_workspace_lock',
        'scim_group_mapping_by_id',
        'scim_group_mapping_update',
        'audit_event_insert',
      ],
      updateWorkspace: ['key_holder', 'workspace_lock_by_id', 'workspace_update', 'audit_event_insert'],
      upsertWorkspaceBudget: [
        'key_holder',
        'workspace_lock_by_id',
        'workspace_budgets',
        'workspace_budget_upsert',
        'audit_event_insert',
      ],
    };
    expect(Object.fromEntries(statements)).toEqual(
      Object.fromEntries(Object.entries(expected).map(([operationId, names]) => [operationId, [...names].sort()])),
    );
  });

  it('hold nothing but requests and their statements: not what made the organization, nor health checks and pages', () => {
    for (const { attributes } of serverSpans()) expect(attributes['url.path']).toMatch(/^\/api\/v1\//);
    const requests = new Set(serverSpans().map(({ spanId }) => spanId));
    const others = collector.spans.filter(({ spanId }) => !requests.has(spanId));
    expect(others.length).toBeGreaterThan(0);
    for (const { kind, parentSpanId } of others) {
      expect(kind).toBe(CLIENT);
      expect(requests).toContain(parentSpanId);
    }
  });

  it('say of a request and of a statement what OpenTelemetry has names for', () => {
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
      ['key_holder', { 'db.system.name': 'postgresql', 'db.query.summary': 'key_holder' }],
    ]);
  });

  it('name the span of a path that there is not by its method alone', () => {
    const [span] = spansOf('unknown-path');

    expect(span).toMatchObject({ name: 'GET', attributes: { 'http.response.status_code': 404 } });
    expect(span!.attributes).not.toHaveProperty('http.route');
    expect(statementsIn(span!)).toEqual([]);
  });

  it('do not take a refusal for a failure', () => {
    for (const requestId of ['refused', 'unknown-path', 'no-credential']) {
      const [span] = spansOf(requestId);
      expect(span!.status).toEqual({ code: UNSET });
      expect(span!.attributes).not.toHaveProperty('error.type');
    }
  });

  it.each([
    ['quoting', 'guardrail_create', '23514'],
    ['tableless', 'oauth_application_by_origin', '42P01'],
  ])('show a failure where it happened, by its code and not by what it says (%s)', (requestId, name, code) => {
    const [span] = spansOf(requestId);

    expect(span!.status).toEqual({ code: ERROR });
    expect(span!.attributes).toMatchObject({ 'http.response.status_code': 500, 'error.type': '500' });
    const failed = statementsIn(span!).filter(({ status }) => status.code !== UNSET);
    expect(failed.map((statement) => [statement.name, statement.status])).toEqual([[name, { code: ERROR }]]);
    expect(failed[0]!.attributes).toMatchObject({ 'error.type': code, 'db.response.status_code': code });
  });

  it('tell a client that was gone before the answer from one that was answered', () => {
    const gone = serverSpans().filter(({ attributes }) => attributes['http.response.status_code'] === undefined);

    expect(gone).toMatchObject([{ status: { code: ERROR }, attributes: { 'error.type': 'client_closed_request' } }]);
  });

  it('hold no secret, wherever one was put', () => {
    expect(secrets.length).toBeGreaterThan(10);
    expect(collector.text).toContain('/api/v1/keys/sk-gate-v1-[redacted]');
    for (const secret of secrets) expect(collector.text).not.toContain(secret);
  });
});
