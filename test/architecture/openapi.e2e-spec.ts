import { readFileSync } from 'node:fs';
import type { OpenAPIObject } from '@nestjs/swagger';
import { openApiDocument } from '../../src/http/openapi/openapi-document.js';
import { sortKeys } from '../../src/http/openapi/sort-keys.js';
import type { JsonSchema } from '../../src/http/schema/json-schema.js';
import type { NewOrganization } from '../../src/modules/installation/installation.service.js';
import type { Answer, ErrorBody } from '../support/api-client.js';
import { DocumentValidator } from '../support/document-validator.js';
import { expectEnvelope, issuePaths } from '../support/envelope.js';
import { type Interface, interfaceOf, type Operation, type Parameter, pathOf } from '../support/operations.js';
import { bodyWith, exampleBody, placeName, scalarPlaces, takes } from '../support/schema-instances.js';
import { STATUS_MESSAGES } from '../support/status-messages.js';
import { TestApplication } from '../support/test-application.js';

const FILE = 'openapi.json';

/** The statuses of SERVICE.md, section 4; every operation can answer 401 and 500 besides (DECISIONS.md, section 3). */
const STATUSES: Readonly<Record<string, readonly number[]>> = {
  bulkAddWorkspaceMembers: [200, 400, 401, 403, 404, 500],
  bulkAssignKeysToGuardrail: [200, 400, 401, 404, 500],
  bulkAssignMembersToGuardrail: [200, 400, 401, 404, 500],
  bulkRemoveWorkspaceMembers: [200, 400, 401, 403, 404, 500],
  bulkUnassignKeysFromGuardrail: [200, 400, 401, 404, 500],
  bulkUnassignMembersFromGuardrail: [200, 400, 401, 404, 500],
  createAuthKeysCode: [200, 400, 401, 403, 409, 500],
  createConnectClient: [201, 400, 401, 403, 413, 500],
  createGuardrail: [201, 400, 401, 403, 500],
  createKeys: [201, 400, 401, 403, 500],
  createObservabilityDestination: [201, 400, 401, 403, 409, 429, 500],
  createPresetsChatCompletions: [200, 400, 401, 403, 404, 500],
  createScimGroupMapping: [200, 400, 401, 404, 409, 500],
  createWorkspace: [201, 400, 401, 403, 500],
  deleteConnectClient: [200, 401, 403, 404, 500],
  deleteGuardrail: [200, 400, 401, 404, 500],
  deleteKeys: [200, 401, 404, 429, 500],
  deleteObservabilityDestination: [200, 401, 404, 500],
  deleteScimGroupMapping: [200, 400, 401, 404, 500],
  deleteWorkspace: [200, 400, 401, 403, 404, 500],
  deleteWorkspaceBudget: [200, 400, 401, 404, 500],
  exchangeAuthCodeForAPIKey: [200, 400, 401, 403, 500],
  getConnectClient: [200, 401, 403, 404, 500],
  getCurrentKey: [200, 401, 500],
  getEffectiveGuardrails: [200, 400, 401, 403, 404, 500],
  getGuardrail: [200, 401, 404, 500],
  getKey: [200, 401, 404, 500],
  getModel: [200, 304, 401, 403, 404, 500],
  getModels: [200, 304, 400, 401, 403, 500],
  getObservabilityDestination: [200, 401, 404, 500],
  getPreset: [200, 400, 401, 404, 500],
  getPresetVersion: [200, 400, 401, 404, 500],
  getScimGroupMapping: [200, 401, 404, 500],
  getWorkspace: [200, 401, 404, 500],
  getWorkspaceBudget: [200, 400, 401, 404, 500],
  list: [200, 400, 401, 500],
  listAuditEvents: [200, 400, 401, 403, 500],
  listConnectClients: [200, 400, 401, 403, 500],
  listEndpoints: [200, 304, 401, 403, 404, 500],
  listEndpointsZdr: [200, 304, 401, 403, 500],
  listGuardrailKeyAssignments: [200, 401, 404, 500],
  listGuardrailMemberAssignments: [200, 401, 404, 500],
  listGuardrails: [200, 400, 401, 500],
  listImageModelEndpoints: [200, 304, 401, 404, 500],
  listImageModels: [200, 304, 401, 500],
  listKeyAssignments: [200, 401, 500],
  listMemberAssignments: [200, 401, 500],
  listModelsCount: [200, 304, 400, 401, 403, 500],
  listObservabilityDestinations: [200, 400, 401, 500],
  listModelsUser: [200, 304, 401, 403, 500],
  listOrganizationMembers: [200, 401, 500],
  listPresetVersions: [200, 400, 401, 404, 500],
  listPresets: [200, 400, 401, 500],
  listProviders: [200, 304, 401, 500],
  listScimGroupMappings: [200, 401, 404, 500],
  listScimGroups: [200, 401, 404, 500],
  listWorkspaceBudgets: [200, 401, 404, 500],
  listWorkspaceMembers: [200, 401, 403, 404, 500],
  listWorkspaces: [200, 401, 500],
  rotateConnectClientSecret: [201, 400, 401, 403, 404, 500],
  rotateKey: [201, 400, 401, 403, 404, 500],
  updateGuardrail: [200, 400, 401, 404, 500],
  updateKeys: [200, 400, 401, 404, 500],
  updateObservabilityDestination: [200, 400, 401, 403, 404, 429, 500],
  updateScimGroupMapping: [200, 400, 401, 404, 500],
  updateWorkspace: [200, 400, 401, 403, 404, 500],
  upsertWorkspaceBudget: [200, 400, 401, 404, 500],
};

/** The bounds of SERVICE.md, section 8, and of DECISIONS.md. */
const BOUNDS: Readonly<Record<string, JsonSchema>> = {
  'createGuardrail name': { minLength: 1, maxLength: 200 },
  'createGuardrail description': { maxLength: 1000 },
  'createGuardrail limit_usd': { minimum: 0 },
  'createGuardrail content_filter_builtins[0].label': { maxLength: 100 },
  'createGuardrail content_filters[0].label': { maxLength: 100 },
  'createGuardrail content_filters[0].pattern': { minLength: 1, maxLength: 100_000 },
};

/** Where pages are longer than others: of models (the contract), and of keys (INTERFACE.md: "`limit`, ours, default 100"). */
const LONGER_PAGES: Readonly<Record<string, JsonSchema>> = {
  getModels: { maximum: 1000, default: 500 },
  listModelsUser: { maximum: 1000, default: 500 },
  list: { maximum: 100, default: 100 },
};

interface DocumentedField {
  readonly place: string;
  readonly schema: JsonSchema;
}

/** Every field of a schema, and of the objects written out inside it. */
function fieldsOf(schema: JsonSchema, place: string): DocumentedField[] {
  const inner = [schema, schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return inner.flatMap((part) =>
    Object.entries(part?.properties ?? {}).flatMap(([name, child]) => [
      { place: `${place}.${name}`, schema: child },
      ...fieldsOf(child, `${place}.${name}`),
    ]),
  );
}

/** Whether another schema says more: by reference, or because its own fields do. */
function isExplainedElsewhere(schema: JsonSchema): boolean {
  const inner = [schema, schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const parts = [...inner, ...(schema.items?.oneOf ?? [])];
  const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties.oneOf : undefined;
  return values !== undefined || parts.some((part) => part?.$ref !== undefined || part?.properties !== undefined);
}

describe('the OpenAPI document', () => {
  let app: TestApplication;
  let organization: NewOrganization;
  let document: OpenAPIObject;
  let api: Interface;

  beforeAll(async () => {
    app = await TestApplication.start();
    organization = await app.factory.organization();
    await app.factory.enableScim(organization);
    document = openApiDocument(app.application);
    api = interfaceOf(app.application);
  });

  afterAll(() => app.stop());

  const allFields = (): DocumentedField[] =>
    Object.entries(api.schemas).flatMap(([name, schema]) => fieldsOf(schema, name));

  const documented = (): { path: string; operation: Record<string, unknown> }[] =>
    Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.values(operations as Record<string, Record<string, unknown>>).map((operation) => ({ path, operation })),
    );

  it('is the one that is checked in, and the one that is served', async () => {
    const served = (await (await fetch(`${app.origin}/docs/openapi.json`)).json()) as OpenAPIObject;

    expect(sortKeys(served)).toEqual(sortKeys(JSON.parse(JSON.stringify(document))));
    // `npm run openapi` writes it.
    expect(`${JSON.stringify(sortKeys(document), null, 2)}\n`).toBe(readFileSync(FILE, 'utf8'));
  });

  it('says what it is', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({
      title: 'Gatehouse',
      version: '1.0.0',
      description: expect.stringMatching(/./),
    });
    expect(document.components!.securitySchemes).toEqual({
      bearer: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'opaque',
        description: expect.stringMatching(/./),
      },
    });
  });

  it('describes every field, and shows an example of it', () => {
    expect(allFields().length).toBeGreaterThan(150);
    const undescribed = allFields().filter(({ schema }) => !schema.description?.trim());
    const unshown = allFields().filter(
      ({ schema }) =>
        schema.examples === undefined &&
        schema.const === undefined &&
        schema.enum === undefined &&
        !isExplainedElsewhere(schema),
    );

    expect(undescribed.map(({ place }) => place)).toEqual([]);
    expect(unshown.map(({ place }) => place)).toEqual([]);
  });

  it('shows examples and defaults that are what they are examples of', () => {
    const validator = new DocumentValidator(api);
    const parameters = api.operations.flatMap((operation) =>
      operation.parameters.map(({ name, schema }) => ({ place: `${operation.operationId} ${name}`, schema })),
    );
    const whole = Object.entries(api.schemas).map(([place, schema]) => ({ place, schema }));
    for (const { place, schema } of [...allFields(), ...parameters, ...whole]) {
      const { examples = [], default: fallback, ...rest } = schema;
      for (const value of fallback === undefined ? examples : [...examples, fallback]) {
        expect([place, value, validator.faultsOf(rest, value)]).toEqual([place, value, []]);
      }
    }
  });

  it('describes every parameter, with an example', () => {
    for (const { operationId, parameters } of api.operations) {
      for (const { name, description, schema } of parameters) {
        expect([operationId, name, description]).toEqual([operationId, name, expect.stringMatching(/./)]);
        expect([operationId, name, schema.examples?.length]).toEqual([operationId, name, 1]);
      }
    }
  });

  it('introduces every operation, under one tag that is introduced as well', () => {
    const tags = new Map(document.tags!.map(({ name, description }) => [name, description]));
    const ids = documented().map(({ operation }) => operation['operationId']);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { operation } of documented()) {
      expect(operation).toMatchObject({
        operationId: expect.stringMatching(/^[a-zA-Z]+$/),
        summary: expect.stringMatching(/./),
        description: expect.stringMatching(/\.$/),
        security: [{ bearer: [] }],
        tags: [expect.any(String)],
      });
      expect(tags.get((operation['tags'] as string[])[0]!)).toMatch(/./);
    }
    const used = new Set(documented().flatMap(({ operation }) => operation['tags'] as string[]));
    expect([...tags.keys()].sort()).toEqual([...used].sort());
  });

  it('has every status that the specification has, each with its message and the envelope', () => {
    const validator = new DocumentValidator(api);
    expect(api.operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(STATUSES).sort());
    for (const { operation } of documented()) {
      const responses = operation['responses'] as Record<
        string,
        { description: string; content?: { 'application/json': { schema: JsonSchema; example?: unknown } } }
      >;
      const operationId = String(operation['operationId']);
      const statuses = Object.keys(responses).map(Number);
      expect([operationId, statuses]).toEqual([operationId, expect.arrayContaining([...STATUSES[operationId]!])]);
      for (const [status, { description, content }] of Object.entries(responses)) {
        expect([operationId, status, content === undefined]).toEqual([operationId, status, status === '304']);
        if (content === undefined) continue;
        const { schema, example } = content['application/json'];
        if (example !== undefined) {
          expect([operationId, status, validator.faultsOf(schema, example)]).toEqual([operationId, status, []]);
        }
        if (Number(status) < 300) continue;
        expect([operationId, status, description]).toEqual([operationId, status, STATUS_MESSAGES[Number(status)]]);
        expect(schema.$ref).toBe('#/components/schemas/ErrorResponse');
      }
      // One success, and a 413 and a 415 wherever a body is read.
      expect(statuses.filter((status) => status < 300)).toHaveLength(1);
      expect([operationId, statuses.includes(413)]).toEqual([operationId, 'requestBody' in operation]);
      expect([operationId, statuses.includes(415)]).toEqual([operationId, 'requestBody' in operation]);
    }
  });

  it('marks what is deprecated, and nothing else', () => {
    const deprecated = allFields().filter(({ schema }) => schema.deprecated);

    expect(deprecated.map(({ place }) => place).sort()).toEqual([
      'ContentFilterBuiltinEntryInput.label',
      'CreateGuardrailRequest.enforce_zdr',
      'CurrentKey.is_provisioning_key',
      'CurrentKey.rate_limit',
      'Guardrail.enforce_zdr',
      'UpdateGuardrailRequest.enforce_zdr',
    ]);
  });

  it('closes every object of a request, so that a generated client cannot send what is refused', () => {
    const closed = (schema: JsonSchema): void => {
      const resolved = api.resolve(schema);
      if (resolved.properties) expect(resolved.additionalProperties).toBe(false);
      for (const child of Object.values(resolved.properties ?? {})) closed(child);
      if (resolved.items) closed(resolved.items);
    };
    // What configures an inference may have any name, in the contract too.
    const open = ['createPresetsChatCompletions'];
    for (const { operationId, body } of api.operations) if (body && !open.includes(operationId)) closed(body);
  });

  describe('has the bounds', () => {
    const sendBody = (
      operation: Operation,
      place: readonly (string | number)[],
      value: unknown,
    ): Promise<Answer<ErrorBody>> =>
      app.api.send(operation.method, pathOf(operation), {
        key: organization.managementKey,
        json: bodyWith(api, operation.body!, place, value),
      });

    const sendParameter = (operation: Operation, parameter: Parameter, text: string): Promise<Answer<ErrorBody>> => {
      const path =
        parameter.in === 'path'
          ? pathOf(operation, { [parameter.name]: text })
          : pathOf(operation, {}, `${parameter.name}=${text}`);
      const body = operation.body && { json: exampleBody(api, operation.body) };
      return app.api.send(operation.method, path, { key: organization.managementKey, ...body });
    };

    const namesFault = (answer: Answer<ErrorBody>, place: string): boolean =>
      answer.status === 400 && issuePaths(expectEnvelope(answer, 400)).includes(place);

    it('of the specification', () => {
      for (const [name, bounds] of Object.entries(BOUNDS)) {
        const [operationId, place] = name.split(' ');
        const operation = api.operations.find((candidate) => candidate.operationId === operationId)!;
        const field = scalarPlaces(api, operation.body!).find((candidate) => placeName(candidate.place) === place);
        expect([name, field?.schema]).toEqual([name, expect.objectContaining(bounds)]);
      }
      const lists = [
        'allowed_models',
        'ignored_models',
        'allowed_providers',
        'ignored_providers',
        'allowed_data_regions',
      ];
      const request = api.schemas['CreateGuardrailRequest']!;
      for (const name of lists) expect([name, request.properties![name]!.minItems]).toEqual([name, 1]);
      const paged = api.operations.flatMap(({ operationId, parameters }) =>
        parameters.filter(({ name }) => name === 'limit').map(({ schema }) => ({ operationId, schema })),
      );
      for (const { operationId, schema } of paged) {
        const bounds = LONGER_PAGES[operationId] ?? { maximum: 100, default: 50 };
        expect([operationId, schema]).toEqual([operationId, expect.objectContaining({ minimum: 1, ...bounds })]);
      }
      expect(paged.length).toBeGreaterThanOrEqual(4);
    });

    it('that are enforced, of every number in a body', async () => {
      for (const operation of api.operations) {
        for (const { place, schema } of operation.body ? scalarPlaces(api, operation.body) : []) {
          if (!takes(schema, 'number') && !takes(schema, 'integer')) continue;
          const name = placeName(place);
          const { minimum, exclusiveMinimum } = schema;
          expect([name, minimum ?? exclusiveMinimum]).toEqual([name, 0]);
          const [least, less] = minimum === 0 ? [0, -Number.MIN_VALUE] : [Number.MIN_VALUE, 0];
          expect([name, namesFault(await sendBody(operation, place, least), name)]).toEqual([name, false]);
          expect([name, namesFault(await sendBody(operation, place, less), name)]).toEqual([name, true]);
        }
      }
    });

    it('that are enforced, of every list in a body', async () => {
      for (const operation of api.operations.filter(({ body }) => body !== undefined)) {
        for (const [name, schema] of Object.entries(api.resolve(operation.body!).properties!)) {
          if (!takes(schema, 'array')) continue;
          expect([name, namesFault(await sendBody(operation, [name], []), name)]).toEqual([
            name,
            (schema.minItems ?? 0) > 0,
          ]);
        }
      }
    });

    it('that are enforced, of every parameter', async () => {
      for (const operation of api.operations) {
        for (const parameter of operation.parameters) {
          const { name, schema } = parameter;
          const { minimum, maximum, maxLength, enum: values, format, pattern } = schema;
          const isRefused = async (text: string): Promise<boolean> =>
            namesFault(await sendParameter(operation, parameter, text), name);
          if (minimum !== undefined) {
            expect([name, await isRefused(`${minimum}`), await isRefused(`${minimum - 1}`)]).toEqual([
              name,
              false,
              true,
            ]);
          }
          if (maximum !== undefined) {
            expect([name, await isRefused(`${maximum}`), await isRefused(`${maximum + 1}`)]).toEqual([
              name,
              false,
              true,
            ]);
          }
          if (maxLength !== undefined) {
            expect(await isRefused('a'.repeat(maxLength))).toBe(false);
            expect(await isRefused('a'.repeat(maxLength + 1))).toBe(true);
          }
          for (const value of values ?? []) expect([value, await isRefused(String(value))]).toEqual([value, false]);
          // What has none of these is any text.
          const isBounded =
            takes(schema, 'boolean') || [values, format, pattern, minimum].some((bound) => bound !== undefined);
          expect([operation.operationId, name, await isRefused('Any_text')]).toEqual([
            operation.operationId,
            name,
            isBounded,
          ]);
        }
      }
    });
  });
});

describe('the OpenAPI document of the public dialect', () => {
  it('differs in the names of the vendors and one status, and in nothing else', async () => {
    const specification = await TestApplication.start();
    const publicly = await TestApplication.start({
      variables: { API_DIALECT: 'public', ZDR_VENDORS: 'anthropic,openai,google,x-ai' },
    });
    try {
      const [one, other] = [specification, publicly].map((app) => openApiDocument(app.application));
      const {
        'x-public-status': status,
        responses,
        ...mapping
      } = one!.paths['/api/v1/scim/group-mappings']!.post as unknown as Record<string, unknown>;
      const { 200: success, ...failures } = responses as Record<string, unknown>;
      one!.paths['/api/v1/scim/group-mappings']!.post = {
        ...mapping,
        responses: { 201: success, ...failures },
      } as never;
      const renamed = ['anthropic', 'openai', 'google', 'xai'].reduce(
        (text, vendor, index) => text.replaceAll(`"enforce_zdr_vendor_${'abcd'[index]}"`, `"enforce_zdr_${vendor}"`),
        JSON.stringify(one),
      );

      expect(status).toBe(201);
      expect(JSON.stringify(one)).toContain('"enforce_zdr_vendor_d"');
      expect(sortKeys(JSON.parse(JSON.stringify(other)))).toEqual(sortKeys(JSON.parse(renamed)));
    } finally {
      await Promise.all([specification.stop(), publicly.stop()]);
    }
  });
});
