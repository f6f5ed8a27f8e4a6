import fc from 'fast-check';
import type { Answer } from '../../support/api-client.js';
import { ArbitraryValues } from '../../support/arbitrary-values.js';
import { CALLBACK_URL, newCode } from '../../support/authorization-code.js';
import { credentialPlaces } from '../../support/credentials-in.js';
import { DocumentValidator } from '../../support/document-validator.js';
import { expectEnvelope } from '../../support/envelope.js';
import { type Interface, interfaceOf, type Operation } from '../../support/operations.js';
import { completeOrganization, type CompleteOrganization } from '../../support/successful-requests.js';
import { TestApplication } from '../../support/test-application.js';
import { rowCounts } from '../../support/unharmed.js';

/** Always the same requests, unless FUZZ_SEED asks for others; fast-check prints the seed with what failed. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);

const RUNS_PER_OPERATION = Number(process.env['FUZZ_RUNS'] ?? 60);

/** Where an operation tells a credential (secrets.e2e-spec.ts pins that there are no others). */
const TOLD: Readonly<Record<string, readonly string[]>> = {
  createAuthKeysCode: ['data.id'],
  exchangeAuthCodeForAPIKey: ['key'],
};

/** The table that an operation adds a row to whenever it succeeds. */
const WRITES: Readonly<Record<string, string>> = {
  createAuthKeysCode: 'authorization_codes',
  createGuardrail: 'guardrails',
  createScimGroupMapping: 'scim_group_mappings',
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
    const [models, providers] = [
      ['openai/gpt-5.4', 'OpenAI/GPT-5.4:nitro'],
      ['openai', 'OPENAI', 'anthropic'],
    ];
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    values = new ArbitraryValues(api, {
      allowed_models: models,
      allowed_providers: providers,
      author: ['openai'],
      callback_url: [CALLBACK_URL, 'http://localhost:3000/'],
      code: await Promise.all(codes),
      code_challenge: [challenge, challenge.repeat(2)],
      hash: (await Promise.all(keys)).map(({ hash }) => hash),
      id: [organization.workspaceId, organization.destinationId, 'default'],
      ignored_models: models,
      ignored_providers: providers,
      pattern: ['PROJECT-[0-9]{4}', '(a+)+$', '(?i)x|y'],
      scim_group_id: [organization.groupId],
      slug: ['gpt-5.4', 'support-bot', 'email'],
      user_id: [organization.userId],
      workspace_id: [organization.workspaceId, organization.workspaceId.toUpperCase()],
    });
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
          .map(({ name, schema }) => [name, values.texts(name, schema)]),
      );
    const query = fc.oneof(
      { weight: 4, arbitrary: fc.record(of('query'), { requiredKeys: [] }) },
      { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('limit', 'x', '__proto__', 'a[b]'), values.texts('', {})) },
    );
    return fc.tuple(fc.record(of('path')), query).map(([path, parameters]) => {
      const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(path[name]!));
      const pairs = Object.entries(parameters).map(
        ([name, text]) => `${segment(name)}=${encodeURIComponent(String(text).toWellFormed())}`,
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
    const schema = operation.answers.get(answer.status);
    // A status that the document does not have is one that a generated client does not expect.
    expect(`${answer.status} ${schema === undefined ? 'is not documented' : ''}`).toBe(`${answer.status} `);
    expect(validator.faultsOf(schema!, answer.body)).toEqual([]);
    expect(answer.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
    if (answer.status >= 300) expectEnvelope(answer);
    const told = answer.status < 300 ? (TOLD[operation.operationId] ?? []) : [];
    expect(credentialPlaces(answer.body)).toEqual(told);
  };

  const operationIds = [
    'createAuthKeysCode',
    'createGuardrail',
    'createScimGroupMapping',
    'deleteKeys',
    'deleteWorkspaceBudget',
    'exchangeAuthCodeForAPIKey',
    'getModel',
    'getObservabilityDestination',
    'listGuardrails',
    'listImageModels',
    'listPresetVersions',
    'listScimGroupMappings',
    'listWorkspaceMembers',
  ];

  it('is made for every operation', () => {
    expect(api.operations.map(({ operationId }) => operationId).sort()).toEqual(operationIds);
  });

  it.each(operationIds)('to %s has a proper answer, and stores what it says', async (operationId) => {
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
