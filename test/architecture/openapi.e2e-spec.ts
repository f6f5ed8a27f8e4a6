import { readFileSync } from 'node:fs';
import type { OpenAPIObject } from '@nestjs/swagger';
import { openApiDocument, sortKeys } from '../../src/api/openapi/openapi-document.js';
import type { JsonSchema } from '../../src/api/openapi/json-schema.js';
import { OPERATIONS } from '../operations/operations.js';
import type { Answer, ErrorBody } from '../support/network/api-client.js';
import { DocumentValidator } from '../support/openapi/document-validator.js';
import { STATUS_MESSAGES } from '../support/expectations/error-envelope.js';
import { interfaceOf, type Operation, type Parameter, pathOf } from '../support/openapi/described-operations.js';
import { bodyWith, exampleBody, placeName, scalarPlaces, acceptsType } from '../support/openapi/example-bodies.js';
import { TestApplication } from '../support/application/test-application.js';
import { filledBefore } from '../support/application/filled-before.js';
import { sharedApplication } from '../support/application/shared-application.js';
import { sharedOrganization } from '../support/application/shared-organization.js';

const FILE = 'openapi.json';

/** The bounds of parameters and fields (docs/interface/guardrails.md, docs/interface/conventions.md#pagination). */
const BOUNDS: Readonly<Record<string, JsonSchema>> = {
  'createGuardrail name': { minLength: 1, maxLength: 200 },
  'createGuardrail description': { maxLength: 1000 },
  'createGuardrail limit_usd': { minimum: 0 },
  'createGuardrail content_filter_builtins[0].label': { maxLength: 100 },
  'createGuardrail content_filters[0].label': { maxLength: 100 },
  'createGuardrail content_filters[0].pattern': { minLength: 1, maxLength: 100_000 },
};

/** Where pages are longer than others: of models (docs/interface/catalog.md#list-of-models) and of keys (docs/interface/keys-and-oauth.md#lists-of-keys). */
const LONGER_PAGES: Readonly<Record<string, JsonSchema>> = {
  getModels: { maximum: 1000, default: 500 },
  listEmbeddingsModels: { maximum: 1000, default: 500 },
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

/** Numbers of a body without bounds. */
const UNBOUNDED: ReadonlySet<string> = new Set(['seed', 'request.seed']);

/** How far outside its bounds a number is tested. */
const SMALLEST_STEP = 1e-9;

describe('the OpenAPI document', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);
  const api = filledBefore(beforeAll, () => interfaceOf(app.application));
  const apiKey = filledBefore(beforeAll, () => app.factory.key(organization));
  const document = filledBefore(beforeAll, () => openApiDocument(app.application));

  beforeAll(() => app.factory.enableScim(organization));

  const allFields = (): DocumentedField[] =>
    Object.entries(api.schemas).flatMap(([name, schema]) => fieldsOf(schema, name));

  const documented = (): { path: string; operation: Record<string, unknown> }[] =>
    Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.values(operations as Record<string, Record<string, unknown>>).map((operation) => ({ path, operation })),
    );

  it('is checked in and served with the same content', async () => {
    const served = (await (await fetch(`${app.origin}/docs/openapi.json`)).json()) as OpenAPIObject;

    expect(sortKeys(served)).toEqual(sortKeys(JSON.parse(JSON.stringify(document))));
    // `npm run openapi` writes it.
    expect(`${JSON.stringify(sortKeys(document), null, 2)}\n`).toBe(readFileSync(FILE, 'utf8'));
  });

  it('has its title, versions, description and the bearer scheme', () => {
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

  it('has a description and an example of every field', () => {
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

  it('has examples and defaults that are valid for their schemas', () => {
    const validator = new DocumentValidator(api);
    const parameters = api.operations.flatMap((operation) =>
      operation.parameters.map(({ name, schema }) => ({ place: `${operation.operationId} ${name}`, schema })),
    );
    const whole = Object.entries(api.schemas).map(([place, schema]) => ({ place, schema }));
    for (const { place, schema } of [...allFields(), ...parameters, ...whole]) {
      const { examples = [], default: fallback, ...rest } = schema;
      for (const value of fallback === undefined ? examples : [...examples, fallback]) {
        expect([place, value, validator.issuesOf(rest, value)]).toEqual([place, value, []]);
      }
    }
  });

  it('has a description and an example of every parameter', () => {
    for (const { operationId, parameters } of api.operations) {
      for (const { name, description, schema } of parameters) {
        expect([operationId, name, description]).toEqual([operationId, name, expect.stringMatching(/./)]);
        expect([operationId, name, schema.examples?.length]).toEqual([operationId, name, 1]);
      }
    }
  });

  it('has a summary for every operation, under one tag that is described', () => {
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

  it('has every status of the public interface, each with its message and the error envelope', () => {
    const validator = new DocumentValidator(api);
    for (const { operation } of documented()) {
      const responses = operation['responses'] as Record<
        string,
        { description: string; content?: { 'application/json': { schema: JsonSchema; example?: unknown } } }
      >;
      const operationId = String(operation['operationId']);
      const statuses = Object.keys(responses).map(Number);
      const { success, errors } = OPERATIONS[operationId]!;
      const expected = [success, ...errors, 401, 500];
      expect([operationId, statuses]).toEqual([operationId, expect.arrayContaining(expected)]);
      for (const [status, { description, content }] of Object.entries(responses)) {
        expect([operationId, status, content === undefined]).toEqual([operationId, status, status === '304']);
        if (content === undefined) continue;
        const { schema, example } = content['application/json'];
        if (example !== undefined) {
          expect([operationId, status, validator.issuesOf(schema, example)]).toEqual([operationId, status, []]);
        }
        if (Number(status) < 300) continue;
        expect([operationId, status, description]).toEqual([operationId, status, STATUS_MESSAGES[Number(status)]]);
        const failure = operationId === 'createMessages' ? 'MessagesErrorResponse' : 'ErrorResponse';
        expect(schema.$ref).toBe(`#/components/schemas/${failure}`);
      }
      // One success, and a 413 and a 415 wherever a body is read.
      expect(statuses.filter((status) => status < 300)).toHaveLength(1);
      expect([operationId, statuses.includes(413)]).toEqual([operationId, 'requestBody' in operation]);
      expect([operationId, statuses.includes(415)]).toEqual([operationId, 'requestBody' in operation]);
    }
  });

  it('marks exactly the deprecated fields', () => {
    const deprecated = allFields().filter(({ schema }) => schema.deprecated);

    expect(deprecated.map(({ place }) => place).sort()).toEqual([
      'ChatCompletionRequest.include_reasoning',
      'ChatCompletionRequest.route',
      'CompletionRequest.route',
      'ContentFilterBuiltinEntryInput.label',
      'CreateGuardrailRequest.enforce_zdr',
      'CurrentKey.is_provisioning_key',
      'CurrentKey.rate_limit',
      'Guardrail.enforce_zdr',
      'MessagesRequest.route',
      'PresetMessagesRequest.route',
      'PresetResponsesRequest.route',
      'ResponsesRequest.route',
      'UpdateGuardrailRequest.enforce_zdr',
    ]);
  });

  it('closes every request object, so that a generated client cannot send unknown fields', () => {
    const closed = (schema: JsonSchema): void => {
      const resolved = api.resolve(schema);
      if (resolved.properties) expect(resolved.additionalProperties).toBe(false);
      for (const child of Object.values(resolved.properties ?? {})) closed(child);
      if (resolved.items) closed(resolved.items);
    };
    // What configures an inference may have any name, in the contract too.
    const open = [
      'createCompletions',
      'createEmbeddings',
      'createMessages',
      'createPresetsChatCompletions',
      'createPresetsMessages',
      'createPresetsResponses',
      'createResponses',
      'evaluateGuardrail',
      'sendChatCompletionRequest',
    ];
    for (const { operationId, body } of api.operations) if (body && !open.includes(operationId)) closed(body);
  });

  describe('has the bounds', () => {
    const keyFor = ({ operationId }: Operation): string =>
      OPERATIONS[operationId]!.callers.includes('management_key') ? organization.managementKey : apiKey.plaintext;

    const sendBody = (
      operation: Operation,
      place: readonly (string | number)[],
      value: unknown,
    ): Promise<Answer<ErrorBody>> =>
      app.api.send(operation.method, pathOf(operation), {
        key: keyFor(operation),
        json: bodyWith(api, operation.body!, place, value),
      });

    const sendParameter = (operation: Operation, parameter: Parameter, text: string): Promise<Answer<ErrorBody>> => {
      const path =
        parameter.in === 'path'
          ? pathOf(operation, { [parameter.name]: text })
          : pathOf(operation, {}, `${parameter.name}=${text}`);
      const body = operation.body && { json: exampleBody(api, operation.body) };
      return app.api.send(operation.method, path, { key: keyFor(operation), ...body });
    };

    const namesFault = (answer: Answer<ErrorBody>, place: string): boolean =>
      answer.status === 400 && (answer.body.error.metadata.issues ?? []).some(({ path }) => path === place);

    it('of the public interface', () => {
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

    it('that the service enforces, of every number in a body', async () => {
      for (const operation of api.operations) {
        for (const { place, schema } of operation.body ? scalarPlaces(api, operation.body) : []) {
          if (!acceptsType(schema, 'number') && !acceptsType(schema, 'integer')) continue;
          const name = placeName(place);
          const { minimum, exclusiveMinimum } = schema;
          const bound = minimum ?? exclusiveMinimum;
          if (bound === undefined && UNBOUNDED.has(name)) continue;
          expect([name, typeof bound]).toEqual([name, 'number']);
          const [least, less] =
            minimum === undefined ? [bound! + SMALLEST_STEP, bound!] : [minimum, minimum - SMALLEST_STEP];
          expect([name, namesFault(await sendBody(operation, place, least), name)]).toEqual([name, false]);
          expect([name, namesFault(await sendBody(operation, place, less), name)]).toEqual([name, true]);
        }
      }
    });

    it('that the service enforces, of every list in a body', async () => {
      for (const operation of api.operations.filter(({ body }) => body !== undefined)) {
        for (const [name, schema] of Object.entries(api.resolve(operation.body!).properties!)) {
          if (!acceptsType(schema, 'array')) continue;
          expect([name, namesFault(await sendBody(operation, [name], []), name)]).toEqual([
            name,
            (schema.minItems ?? 0) > 0,
          ]);
        }
      }
    });

    it('that the service enforces, of every parameter, with 400 beyond them', async () => {
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
            acceptsType(schema, 'boolean') || [values, format, pattern, minimum].some((bound) => bound !== undefined);
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
  it('differs only in the names of the vendor fields and of the metadata of routing, and the 201 of createScimGroupMapping', async () => {
    const specification = await TestApplication.start();
    const publicly = await TestApplication.start({
      variables: { API_DIALECT: 'public', ZDR_VENDORS: 'anthropic,openai,google,x-ai' },
    });
    try {
      const [one, other] = await Promise.all([specification, publicly].map((app) => openApiDocument(app.application)));
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
      const names = [
        ...['anthropic', 'openai', 'google', 'xai'].map((vendor, index) => [
          `enforce_zdr_vendor_${'abcd'[index]}`,
          `enforce_zdr_${vendor}`,
        ]),
        ['X-Router-Metadata', 'X-OpenRouter-Metadata'],
        ['router_metadata', 'openrouter_metadata'],
      ];
      const renamed = names.reduce(
        (text, [ours, theirs]) => text.replaceAll(`"${ours}"`, `"${theirs}"`),
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
