import fc from 'fast-check';
import { defaultGuardrailIdOf } from '../../../src/database/identifiers.js';
import { BUDGET_INTERVALS } from '../../../src/modules/workspaces/budget-interval.js';
import type { Answer } from '../../support/api-client.js';
import { ArbitraryValues } from '../../support/arbitrary-values.js';
import { CALLBACK_URL, newCode } from '../../support/authorization-code.js';
import { credentialPlaces } from '../../support/credentials-in.js';
import { DocumentValidator } from '../../support/document-validator.js';
import { expectEnvelope } from '../../support/envelope.js';
import { type Interface, interfaceOf, type Operation } from '../../support/operations.js';
import { completeOrganization, type CompleteOrganization } from '../../support/successful-requests.js';
import { TestApplication } from '../../support/test-application.js';
import { TOLD_CREDENTIALS } from '../../support/told-credentials.js';
import { rowCounts } from '../../support/unharmed.js';

/** Always the same requests, unless FUZZ_SEED asks for others; fast-check prints the seed with what failed. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);

const RUNS_PER_OPERATION = Number(process.env['FUZZ_RUNS'] ?? 60);

/** The table that an operation adds a row to whenever it succeeds. */
const WRITES: Readonly<Record<string, string>> = {
  createAuthKeysCode: 'authorization_codes',
  createConnectClient: 'connect_clients',
  createGuardrail: 'guardrails',
  createKeys: 'api_keys',
  createObservabilityDestination: 'observability_destinations',
  createPresetsChatCompletions: 'preset_versions',
  createScimGroupMapping: 'scim_group_mappings',
  createWorkspace: 'workspaces',
  exchangeAuthCodeForAPIKey: 'api_keys',
};

interface FuzzedRequest {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly raw?: string;
}

describe.each(['specification', 'public'])('any request in the dialect %s', (dialect) => {
  let app: TestApplication;
  let organization: CompleteOrganization;
  let api: Interface;
  let values: ArbitraryValues;
  let validator: DocumentValidator;

  beforeAll(async () => {
    app = await TestApplication.start({ variables: { API_DIALECT: dialect, KEY_DELETION_RATE_LIMIT: '1000' } });
    organization = await completeOrganization(app);
    api = interfaceOf(app.application);
    validator = new DocumentValidator(api);
    const codes = Array.from({ length: 20 }, () => newCode(app, organization.managementKey));
    const keys = Array.from({ length: 20 }, () => app.factory.key(organization));
    const mappings = Array.from({ length: 6 }, async () => {
      const group = await app.factory.scimGroup(organization);
      return app.factory.scimMapping(organization, group, organization.workspaceOfMembers);
    });
    const workspaces = Array.from({ length: 5 }, () => app.factory.workspace(organization));
    // More than the requests delete before others are to be changed.
    const destinations = Array.from({ length: 40 }, () =>
      app.factory.destination(organization, 'newrelic', { licenseKey: 'a-licence-key' }),
    );
    const guardrails = Array.from({ length: 10 }, async () => (await app.factory.guardrail(organization)).id);
    // Not the one whose secret some of the requests are made with.
    const clients = Array.from({ length: 5 }, async () => (await app.factory.client(organization)).id);
    const guardrailIds = [defaultGuardrailIdOf(organization.workspaceId), ...(await Promise.all(guardrails))];
    const [models, providers] = [
      ['openai/gpt-5.4', 'OpenAI/GPT-5.4:nitro'],
      ['openai', 'OPENAI', 'anthropic'],
    ];
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    values = new ArbitraryValues(api, {
      allowed_models: models,
      allowed_providers: providers,
      api_key_hashes: [null],
      author: ['openai'],
      callback_url: [CALLBACK_URL, 'http://localhost:3000/'],
      code: await Promise.all(codes),
      code_challenge: [challenge, challenge.repeat(2)],
      config: [{ url: 'https://example.com/hook', headers: { 'x-key': 'a-long-key' } }],
      hash: (await Promise.all(keys)).map(({ hash }) => hash),
      ignored_models: models,
      ignored_providers: providers,
      key_hash: [organization.apiKeyHash],
      limit_usd: [50, 500],
      key_hashes: [[organization.apiKeyHash]],
      member_user_ids: [[organization.userId]],
      pattern: ['PROJECT-[0-9]{4}', '(a+)+$', '(?i)x|y'],
      scim_group_id: [organization.groupId],
      slug: ['gpt-5.4', 'gpt-image-2', 'support-bot', 'email', 'made-by-chance'],
      type: ['webhook'],
      user_id: [organization.userId],
      user_ids: [[organization.userId], [organization.memberId, organization.userId]],
      with: guardrailIds,
      'connect id': await Promise.all(clients),
      'guardrails id': guardrailIds,
      'observability id': await Promise.all(destinations),
      'scim id': await Promise.all(mappings),
      'workspaces id': [
        organization.workspaceId,
        'default',
        organization.workspaceOfMembers,
        ...(await Promise.all(workspaces)),
      ],
      version: ['1'],
      workspace_id: [organization.workspaceId, organization.workspaceId.toUpperCase()],
    });
  });

  // Of every interval, whatever the requests before have deleted, and with room between them.
  beforeEach(async () => {
    await app.rows('DELETE FROM workspace_budgets');
    for (const [index, interval] of BUDGET_INTERVALS.entries()) {
      await app.factory.budget(organization.organizationId, organization.workspaceId, interval, 10 ** (index + 1));
    }
  });

  afterAll(() => app.stop());

  const authorizations = (): fc.Arbitrary<Record<string, string>> => {
    const bearer = (weight: number, text: string): fc.WeightedArbitrary<Record<string, string>> => ({
      weight,
      arbitrary: fc.constant({ authorization: text }),
    });
    return fc.oneof(
      bearer(20, `Bearer ${organization.managementKey}`),
      bearer(3, `Bearer ${organization.apiKey}`),
      bearer(3, `bearer ${organization.clientSecret}`),
      bearer(1, 'Bearer'),
      bearer(1, 'Basic eDp5'),
      { weight: 1, arbitrary: fc.constant({}) },
    );
  };

  const otherHeaders = (): fc.Arbitrary<Record<string, string>> =>
    fc.record(
      {
        accept: fc.constantFrom('text/html', 'application/xml', '*/*;q=0'),
        'content-type': fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'application/json;'),
        'if-none-match': fc.constantFrom('*', '"x"'),
        range: fc.constantFrom('bytes=0-1', 'bytes=9-1'),
        'x-forwarded-for': fc.constantFrom('127.0.0.1', "' OR 1=1"),
        'x-http-method-override': fc.constantFrom('DELETE', 'TRACE'),
        'x-request-id': fc.constantFrom('mine', 'not mine', 'x'.repeat(200)),
      },
      { requiredKeys: [] },
    );

  /** Percent-encoded, and in a form that a URL does not take for a step up. */
  const segment = (text: string): string =>
    encodeURIComponent(text.toWellFormed()).replace(/^\.{1,2}$/, 'dots') || '%20';

  const paths = (operation: Operation): fc.Arbitrary<string> => {
    const of = (where: 'path' | 'query'): Record<string, fc.Arbitrary<string>> =>
      Object.fromEntries(
        operation.parameters
          .filter((parameter) => parameter.in === where)
          .map(({ name, schema }) => [name, values.texts(name, schema, operation.path.split('/')[1])]),
      );
    const known = of('query');
    const names = Object.keys(known);
    // Of many parameters, one would nearly always be wrong.
    const some = fc
      .tuple(fc.record(known), fc.subarray(names, { maxLength: Math.min(4, names.length) }))
      .map(([texts, chosen]) => Object.fromEntries(chosen.map((name) => [name, texts[name]!])));
    const query = fc.oneof(
      { weight: 4, arbitrary: some },
      { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('limit', 'x', '__proto__', 'a[b]'), values.texts('', {})) },
    );
    return fc.tuple(fc.record(of('path')), query).map(([path, parameters]) => {
      const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(path[name]!));
      const pairs = Object.entries(parameters).map(
        ([name, text]) => `${segment(name)}=${encodeURIComponent(text.toWellFormed())}`,
      );
      return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
    });
  };

  const requests = (operation: Operation): fc.Arbitrary<FuzzedRequest> =>
    fc
      .record({
        path: paths(operation),
        authorization: authorizations(),
        // Most requests say what they are.
        headers: fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: otherHeaders() }),
        body: operation.body ? values.bodies(operation.body) : fc.constant(undefined),
        cut: fc.oneof(
          { weight: 15, arbitrary: fc.constant(0) },
          { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }) },
        ),
      })
      .map(({ path, authorization, headers, body, cut }) => {
        const request = { path, headers: { ...authorization, ...headers } };
        if (body === undefined) return request;
        const text = JSON.stringify(body);
        return { ...request, raw: text.slice(0, text.length - cut) };
      });

  const expectProper = (operation: Operation, answer: Answer): void => {
    expect(answer.status).toBeLessThan(500);
    expect(answer.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
    if (operation.bodiless.includes(answer.status)) {
      expect(answer.text).toBe('');
      return;
    }
    // Feeds are in another form than the schema's.
    if (operation.operationId === 'getModels' && answer.text.startsWith('<?xml')) return;
    const schema = operation.answers.get(answer.status);
    // A status that the document does not have is one that a generated client does not expect.
    expect(`${answer.status} ${schema === undefined ? 'is not documented' : ''}`).toBe(`${answer.status} `);
    expect(validator.faultsOf(schema!, answer.body)).toEqual([]);
    if (answer.status >= 300) expectEnvelope(answer);
    const told = answer.status < 300 ? (TOLD_CREDENTIALS[operation.operationId] ?? []) : [];
    expect(credentialPlaces(answer.body)).toEqual(told);
  };

  const operationIds = [
    'bulkAddWorkspaceMembers',
    'bulkAssignKeysToGuardrail',
    'bulkAssignMembersToGuardrail',
    'bulkRemoveWorkspaceMembers',
    'bulkUnassignKeysFromGuardrail',
    'bulkUnassignMembersFromGuardrail',
    'createAuthKeysCode',
    'createConnectClient',
    'createGuardrail',
    'createKeys',
    'createObservabilityDestination',
    'createPresetsChatCompletions',
    'createScimGroupMapping',
    'createWorkspace',
    'deleteConnectClient',
    'deleteGuardrail',
    'deleteKeys',
    'deleteObservabilityDestination',
    'deleteScimGroupMapping',
    'deleteWorkspace',
    'deleteWorkspaceBudget',
    'exchangeAuthCodeForAPIKey',
    'getConnectClient',
    'getCurrentKey',
    'getEffectiveGuardrails',
    'getGuardrail',
    'getKey',
    'getModel',
    'getModels',
    'getObservabilityDestination',
    'getPreset',
    'getPresetVersion',
    'getScimGroupMapping',
    'getWorkspace',
    'getWorkspaceBudget',
    'list',
    'listAuditEvents',
    'listConnectClients',
    'listEndpoints',
    'listEndpointsZdr',
    'listGuardrailKeyAssignments',
    'listGuardrailMemberAssignments',
    'listGuardrails',
    'listImageModelEndpoints',
    'listImageModels',
    'listKeyAssignments',
    'listMemberAssignments',
    'listModelsCount',
    'listObservabilityDestinations',
    'listModelsUser',
    'listOrganizationMembers',
    'listPresetVersions',
    'listPresets',
    'listProviders',
    'listScimGroupMappings',
    'listScimGroups',
    'listWorkspaceBudgets',
    'listWorkspaceMembers',
    'listWorkspaces',
    'rotateConnectClientSecret',
    'rotateKey',
    'updateGuardrail',
    'updateKeys',
    'updateObservabilityDestination',
    'updateScimGroupMapping',
    'updateWorkspace',
    'upsertWorkspaceBudget',
  ];

  it('is made for every operation', () => {
    expect(api.operations.map(({ operationId }) => operationId).sort()).toEqual([...operationIds].sort());
  });

  // What takes away what the others work on comes last.
  const order = ['rotate', 'delete'];
  const rank = (operationId: string): number => order.findIndex((verb) => operationId.startsWith(verb));
  const inOrder = [...operationIds].sort((one, other) => rank(one) - rank(other));

  it.each(inOrder)('to %s has a proper answer, and stores what it says', async (operationId) => {
    const operation = api.operations.find((candidate) => candidate.operationId === operationId)!;
    const before = await rowCounts(app);
    const statuses = new Map<number, number>();

    await fc.assert(
      fc.asyncProperty(requests(operation), async ({ path, headers, raw }) => {
        const answer = await app.api.send(operation.method, path, { raw, headers });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        expectProper(operation, answer);
      }),
      { seed: SEED, numRuns: RUNS_PER_OPERATION, endOnFailure: true },
    );

    const successes = [...statuses].reduce((sum, [status, count]) => (status < 300 ? sum + count : sum), 0);
    const table = WRITES[operationId];
    const after = await rowCounts(app);
    if (table !== undefined) expect(after[table]! - before[table]!).toBe(successes);
    // The requests are worth something only while some get through, and some are refused.
    expect(successes).toBeGreaterThan(0);
    expect(statuses.size).toBeGreaterThan(1);
  });
});
