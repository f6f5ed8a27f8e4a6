import { acceptedKey } from '../../operations/accepted-key.js';
import fc from 'fast-check';
import { defaultGuardrailIdOf } from '../../../src/persistence/identifiers.js';
import { BUDGET_INTERVALS } from '../../../src/modules/workspaces/budgets/budget-interval.js';
import { DISCLOSED_CREDENTIALS } from '../../operations/disclosed-credentials.js';
import { INFERENCE_OPERATION_IDS } from '../../operations/inference-operations.js';
import { OPERATION_IDS, OPERATIONS } from '../../operations/operations.js';
import { type SampleOrganization, sampleOrganization } from '../../operations/sample-organization.js';
import type { Answer } from '../../support/network/api-client.js';
import { ArbitraryValues } from './arbitrary-values.js';
import { newMemberIdentity, newSignInConnection } from '../../support/resources/sign-in.js';
import { finishedSyncJob } from '../../support/resources/tenant.js';
import { newInspector } from '../../support/resources/inspectors.js';
import { newLimit, newLimitException } from '../../support/resources/limits.js';
import { answerToMember, connectableServer, connectedServer } from '../../support/resources/mcp-connections.js';
import { newMcpServer, seenTool } from '../../support/resources/mcp-servers.js';
import { newReplay } from '../../support/resources/replays.js';
import { newAlert } from '../../support/resources/alerts.js';
import { connectedToItself } from '../../support/resources/provider-connections.js';
import { newExternalUser } from '../../support/resources/external-users.js';
import {
  answeringEndpoint,
  newPrivateEndpoint,
  newPrivateProvider,
  PRIVATE_PRICING,
  validated,
} from '../../support/resources/private-models.js';
import { INLINE_KEYS, newIssuer, newPolicy, SUBJECT } from '../../support/resources/federation.js';
import { CALLBACK_URL, newCode } from '../../support/resources/authorization-codes.js';
import { credentialPlaces } from '../../support/expectations/credential-places.js';
import { DocumentValidator } from '../../support/openapi/document-validator.js';
import { expectEnvelope } from '../../support/expectations/error-envelope.js';
import { type Interface, interfaceOf, type Operation } from '../../support/openapi/described-operations.js';

import { TestApplication } from '../../support/application/test-application.js';
import { rowCounts } from '../../support/expectations/no-side-effects.js';

/** Always the same requests, unless FUZZ_SEED asks for others; fast-check prints the seed with what failed. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);

const RUNS_PER_OPERATION = Number(process.env['FUZZ_RUNS'] ?? 60);

interface FuzzedRequest {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly raw?: string;
}

/** A value that chance shall find among many others. */
function often(value: string): string[] {
  return Array.from({ length: 20 }, () => value);
}

/** A request to the builtin provider. */
const ECHOED = { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hello' }] };

/** The fields of each operation of inference that its row in the table of operations sends, and preferences that restrict nothing. */
async function sampledFields(organization: SampleOrganization): Promise<Record<string, unknown[]>> {
  const fields = INFERENCE_OPERATION_IDS.map(async (id) => {
    const { json } = await OPERATIONS[id]!.request(organization);
    return Object.entries({ provider: {}, ...json }).map(([name, value]) => [`${id} ${name}`, [value]]);
  });
  return Object.fromEntries((await Promise.all(fields)).flat()) as Record<string, unknown[]>;
}

/** Connects to whatever public address it is given, and tries it at once. */
const CALLS_ANYONE = 'connectProvider';

describe.each(['specification', 'public'])('random requests in the dialect %s', (dialect) => {
  let app: TestApplication;
  let organization: SampleOrganization;
  let api: Interface;
  let values: ArbitraryValues;
  let validator: DocumentValidator;

  beforeAll(async () => {
    app = await TestApplication.start({ variables: { API_DIALECT: dialect, KEY_DELETION_RATE_LIMIT: '1000' } });
    organization = await sampleOrganization(app);
    api = await interfaceOf(app.application);
    validator = new DocumentValidator(api);
    const codes = Array.from({ length: 20 }, () => newCode(app, organization.managementKey));
    const keys = Array.from({ length: 20 }, () => app.factory.key(organization));
    const mappings = Array.from({ length: 30 }, async () => {
      const group = await app.factory.scimGroup(organization);
      return app.factory.scimMapping(organization, group, organization.workspaceOfMembers);
    });
    const workspaces = Array.from({ length: 5 }, () => app.factory.workspace(organization));
    // More than the requests delete before others are to be changed.
    const destinations = Array.from({ length: 40 }, () =>
      app.factory.destination(organization, 'newrelic', { licenseKey: 'a-licence-key' }),
    );
    const toWebhook = { destination_id: organization.webhookId };
    const alerts = Array.from({ length: 40 }, () => newAlert(app, organization, toWebhook));
    const issuers = Array.from({ length: 20 }, () => newIssuer(app, organization));
    const { issuerId: issuer_id, apiKeyHash: key_hash } = organization;
    const policies = Array.from({ length: 40 }, () => newPolicy(app, organization, { issuer_id, key_hash }));
    // More than are deleted before others are to be changed. Active ones need no server to be active.
    const { privateProviderSlug } = organization;
    const endpoints = Array.from({ length: 40 }, async () => {
      return (await newPrivateEndpoint(app, organization, privateProviderSlug)).id;
    });
    const ownProviders = Array.from({ length: 40 }, async () => (await newPrivateProvider(app, organization)).slug);
    const privateIds = { endpoints: await Promise.all(endpoints), providers: await Promise.all(ownProviders) };
    // What was disabled is enabled only where its server answers.
    const answering = await answeringEndpoint(app, organization);
    await validated(app, organization, answering);
    await app.rows(`UPDATE private_endpoints SET status = 'active'`);
    const guardrails = Array.from({ length: 10 }, async () => (await app.factory.guardrail(organization)).id);
    // Not the one whose secret authenticates some of the requests.
    const clients = Array.from({ length: 5 }, async () => (await app.factory.client(organization)).id);
    const providerKeys = Array.from({ length: 40 }, (_, index) =>
      app.factory.providerKey(organization, 'openai', `sk-own-key-number-${index}`),
    );
    await app.rows('UPDATE workspaces SET is_observability_io_logging_enabled = true');
    const generation = await app.api.post<{ id: string }>('/chat/completions', {
      key: organization.apiKey,
      json: ECHOED,
    });
    // Few random requests name a model.
    await app.rows('UPDATE workspaces SET default_text_model = $1', [ECHOED.model]);
    const { organizationId } = organization;
    const members = Array.from({ length: 20 }, () => app.factory.member(organizationId));
    const connected = ['ai21', 'baseten', 'cerebras', 'chutes', 'friendli', 'groq', 'inception', 'parasail', 'venice'];
    for (const provider of connected) await connectedToItself(app, organization, provider);
    const managementKeys = Array.from({ length: 40 }, () => app.factory.key(organization, { kind: 'management_key' }));
    const connections = Array.from({ length: 20 }, () => newSignInConnection(app, organization));
    const linked = await app.factory.member(organizationId);
    const identities = Array.from({ length: 40 }, () => newMemberIdentity(app, { ...organization, userId: linked }));
    const former = await app.factory.member(organizationId);
    await app.rows(
      `UPDATE organization_members SET deactivated_at = now(), deactivated_by = 'administrator' WHERE user_id = $1`,
      [former],
    );
    // Two may be in force, so that chance finds room for others only while these are not.
    const tokens: string[] = [];
    for (let made = 0; made < 40; made += 1) {
      tokens.push((await app.factory.provisioningToken(organizationId)).token.id);
      await app.rows(`UPDATE provisioning_tokens SET expires_at = now() - interval '1 day'`);
    }
    const guardrailIds = [defaultGuardrailIdOf(organization.workspaceId), ...(await Promise.all(guardrails))];
    const [models, providers] = [
      ['openai/gpt-5.4', 'OpenAI/GPT-5.4:nitro'],
      ['openai', 'OPENAI', 'anthropic'],
    ];
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    const limits = await Promise.all(Array.from({ length: 30 }, () => newLimit(app, organization)));
    const exceptions = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        newLimitException(app, organization, limits[0]!, { values: { user: `customer-${index}` }, amount: 5 }),
      ),
    );
    const [inspectors, servers]: [string[], string[]] = [[], []];
    // One after the other: few names are looked up at a time.
    for (let made = 0; made < 30; made += 1) {
      inspectors.push(await newInspector(app, organization));
      servers.push(await newMcpServer(app, organization));
    }
    const seen = await seenTool(app, organization, servers[0]!);
    const approved = await seenTool(app, organization, servers[0]!, true);
    const [connectable, personal, answers]: [string[], string[], string[]] = [[], [], []];
    for (let made = 0; made < 10; made += 1) {
      connectable.push(await connectableServer(organization));
      personal.push(await connectedServer(organization));
      answers.push(await answerToMember(organization));
    }
    const replays = [await newReplay(app, organization, 'failed'), await newReplay(app, organization)];
    const document = { apiVersion: 'gatehouse/v1', owner: 'platform', guardrails: [{ name: 'Of a file' }] };
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
      key: ['sk-own-key-0123456789'],
      input: ['Hello', ECHOED.messages],
      messages: [ECHOED.messages],
      model: [ECHOED.model],
      prompt: ['Hello', ['Hello']],
      provider: ['openai', 'anthropic'],
      ...(await sampledFields(organization)),
      'createAudioSpeech response_format': ['pcm', 'wav'],
      'createAudioSpeech stream_format': ['audio'],
      'createAudioSpeech input_references': [[]],
      'createEmbeddings input': ['Hello', ['Hello', 'Good morning']],
      'createImages size': ['1K', '64x64'],
      'createImages input_references': [[]],
      'createImageEdits size': ['64x64', 'auto'],
      'createImageEdits mask': [null],
      'createImageGenerations size': ['64x64', 'auto'],
      'queryAnalytics metrics': [
        ['request_count'],
        ['total_usage', 'avg_latency'],
        ['filter_matches', 'filtered_requests'],
        ['p50_latency', 'p95_latency'],
      ],
      'queryAnalytics dimensions': [
        ['model'],
        ['api_key_id', 'workspace'],
        ['filter', 'filter_action', 'inspector'],
        ['refusal', 'label'],
      ],
      'queryAnalytics filters': [[{ field: 'model', operator: 'eq', value: 'gatehouse/echo' }]],
      'queryAnalytics order_by': [{ field: 'request_count', direction: 'desc' }],
      'queryAnalytics time_range': [
        { start: new Date(Date.now() - 60_000).toISOString(), end: new Date().toISOString() },
      ],
      request: [ECHOED],
      exception_id: exceptions,
      'limits id': [...often(limits[0]!), ...often(limits[0]!), ...limits],
      'createLimit measure': ['usd'],
      'createLimit window': ['daily'],
      'createLimit group_by': [[], ['user']],
      conditions: [[]],
      alert_at: [[0.5, 1]],
      'createLimit amount': [5],
      'createLimit on_missing': ['none'],
      'createLimit workspace_id': [null],
      'createLimitException amount': [5],
      'createLimitException values': Array.from({ length: 30 }, (_, index) => ({ user: `another-${index}` })),
      until: [null],
      from: [new Date(Date.now() - 3_600_000).toISOString()],
      to: [new Date(Date.now() - 60_000).toISOString()],
      draft: [{}],
      'inspectors id': inspectors,
      url: ['https://guard.example.com'],
      protocol: ['texts'],
      settings: [{}],
      'inspectors headers': [null],
      signing_secret: [null],
      window: ['daily', 'whole'],
      'replays id': replays,
      'mcp-servers id': [...often(servers[0]!), ...servers],
      'approveMcpTools tools': [[seen]],
      'revokeMcpTools tools': [[approved.name]],
      'authorizeMcpConnection server': connectable,
      'createMcpConnection query': answers,
      'mcp-connections server': personal,
      'createMcpServer name': ['server-by-chance', 'another-server'],
      files: [[{ name: 'gatehouse.yaml', documents: [document] }]],
      secrets: [{}],
      'configuration owner': ['platform'],
      // There is no SMTP server, and a threshold or scope of another kind is refused.
      emails: [[]],
      destination_id: [organization.webhookId],
      thresholds: [null],
      days_before: [null],
      'createAlert guardrail_id': [null],
      'createAlert key_hash': [null],
      'alerts id': await Promise.all(alerts),
      'createFederationIssuer issuer': ['https://issuer.example.com'],
      jwks: [INLINE_KEYS, { type: 'discovery' }],
      issuer_id: [organization.issuerId],
      subject: [SUBJECT],
      condition: ['subject != ""'],
      'private-endpoints id': [...often(answering), ...privateIds.endpoints],
      // One that cannot be activated stays as a draft, with a 409.
      activate: [null],
      'private-providers slug': privateIds.providers,
      base_url: ['https://models.example.com/v1'],
      model_permaslug: ['openai/gpt-5.4'],
      provider_slug: [privateProviderSlug],
      pricing: [PRIVATE_PRICING],
      'federation id': await Promise.all([...issuers, ...policies]),
      'evaluateGuardrail workspace_id': [organization.workspaceId],
      'evaluateGuardrailDraft workspace_id': [organization.workspaceId],
      'byok id': await Promise.all(providerKeys),
      'connect id': await Promise.all(clients),
      'generation id': [generation.body.id],
      generation_id: [generation.body.id],
      'external-users user': [await newExternalUser(app, organization, 'customer/4711')],
      'guardrails id': guardrailIds,
      'observability id': await Promise.all(destinations),
      'scim id': [
        ...(await Promise.all(mappings)),
        ...tokens,
        ...often(await finishedSyncJob(app, organizationId)),
        ...often(organization.groupId),
      ],
      grace_seconds: [0, 60],
      'sign-in id': await Promise.all(connections),
      'organization id': [...often(linked), ...often(former), ...(await Promise.all(members))],
      identity_id: await Promise.all(identities),
      'provider-connections provider': ['gatehouse', ...connected],
      'management-keys hash': (await Promise.all(managementKeys)).map(({ hash }) => hash),
      'createManagementKey creator_user_id': [organization.userId],
      scopes: [null],
      allowed_addresses: [null],
      'createSignInConnection scopes': [['openid']],
      'updateSignInConnection scopes': [['openid']],
      role_claim: [null],
      admin_values: [null],
      group_claim: [null],
      issuer: ['https://idp.example.com'],
      'createOrganizationMember email': ['someone@example.com'],
      role: ['org:member', 'member'],
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

  const authorizations = (operationId: string): fc.Arbitrary<Record<string, string>> => {
    const bearer = (weight: number, text: string): fc.WeightedArbitrary<Record<string, string>> => ({
      weight,
      arbitrary: fc.constant({ authorization: text }),
    });
    return fc.oneof(
      bearer(20, `Bearer ${acceptedKey(operationId, organization)}`),
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
        authorization: authorizations(operation.operationId),
        // Most requests say what they are.
        headers: fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: otherHeaders() }),
        body: operation.body ? values.bodies(operation.body, operation.operationId) : fc.constant(undefined),
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
    // Feeds and streams are in another form than the schema's.
    if (operation.operationId === 'getModels' && answer.text.startsWith('<?xml')) return;
    const type = answer.headers.get('content-type');
    if (type === 'text/event-stream; charset=utf-8' || type?.startsWith('application/x-ndjson') === true) return;
    const schema = operation.answers.get(answer.status);
    // A status that the document does not have is one that a generated client does not expect.
    expect(`${answer.status} ${schema === undefined ? 'is not documented' : ''}`).toBe(`${answer.status} `);
    expect(validator.issuesOf(schema!, answer.body)).toEqual([]);
    if (answer.status >= 300) expectEnvelope(answer, answer.status, operation.operationId, dialect === 'public');
    const disclosed = answer.status < 300 ? (DISCLOSED_CREDENTIALS[operation.operationId] ?? []) : [];
    expect(credentialPlaces(answer.body)).toEqual(disclosed);
  };

  // What takes away what the others work on comes last.
  const order = ['rotate', 'deleteLimitException', 'revokeMcpTools', 'delete', 'disconnect', 'revoke'];
  const rank = (operationId: string): number => order.findIndex((verb) => operationId.startsWith(verb));
  const inOrder = OPERATION_IDS.filter((operationId) => operationId !== CALLS_ANYONE).sort(
    (one, other) => rank(one) - rank(other),
  );

  it.each(inOrder)(
    'to %s get a documented status from 200 to 503, and store what the answer says',
    async (operationId) => {
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
      const table = OPERATIONS[operationId]!.insertsInto;
      const after = await rowCounts(app);
      if (table !== undefined) expect(after[table]! - before[table]!).toBe(successes);
      // The requests are worth something only while some get through, and some are refused.
      expect(successes).toBeGreaterThan(0);
      expect(statuses.size).toBeGreaterThan(1);
    },
  );
});
