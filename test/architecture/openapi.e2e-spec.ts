import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import { openApiDocument, sortKeys } from '../../src/http/openapi/openapi-document.js';
import type { JsonSchema } from '../../src/http/openapi/json-schema.js';
import { SHARED_ENUMERATIONS } from '../../src/http/openapi/named-parts.js';
import { OPERATIONS } from '../operations/operations.js';
import { DocumentValidator } from '../support/openapi/document-validator.js';
import { isOfInference, STATUS_MESSAGES } from '../support/expectations/error-envelope.js';
import { TestApplication } from '../support/application/test-application.js';
import { documentedApplication } from './documented-application.js';
import {
  INFERENCE_OPERATION_IDS,
  INFERENCE_OPERATIONS,
  PRESETS_OF_REQUESTS,
} from '../operations/inference-operations.js';

const FILE = 'openapi.json';

interface DocumentedField {
  readonly place: string;
  readonly schema: JsonSchema;
}

/** The failures of operations whose clients know another form. */
const FAILURES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(INFERENCE_OPERATIONS).map(([id, { failure }]) => [id, failure])),
  createOauthToken: 'OauthErrorResponse',
};

/** Those that stream where `Accept` asks for it, and no field of a body. */
const STREAM_BY_HEADER = ['listGenerations'];

/** Operations whose bodies can have the field `stream`, and which answer whole: they count, or keep what they are given. */
const NEVER_STREAMS = ['countMessageTokens', 'createPresetsMessages', 'createPresetsResponses'];

interface ExampleReferences {
  readonly failure: { readonly $ref: string };
}

describe('the OpenAPI document', () => {
  const { app, api, document } = documentedApplication();

  const allFields = (): DocumentedField[] =>
    Object.entries(api.schemas).flatMap(([name, schema]) => fieldsOf(schema, name));

  const documented = (): { path: string; operation: Record<string, unknown> }[] =>
    Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.values(operations as Record<string, Record<string, unknown>>).map((operation) => ({ path, operation })),
    );

  const exampleOf = (reference: string): unknown => {
    const examples = document.components!.examples as Record<string, { value: unknown }>;
    return examples[reference.split('/').at(-1)!]!.value;
  };

  it('is checked in and served with the same content', async () => {
    const served = (await (await fetch(`${app.origin}/docs/openapi.json`)).json()) as OpenAPIObject;

    expect(sortKeys(served)).toEqual(sortKeys(JSON.parse(JSON.stringify(document))));
    // `npm run openapi` writes it.
    expect(`${JSON.stringify(sortKeys(document), null, 2)}\n`).toBe(readFileSync(FILE, 'utf8'));
  });

  it('has its title, versions, description and a scheme for each kind of credential', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({
      title: 'Gatehouse',
      version: '1.0.0',
      description: expect.stringMatching(/./),
    });
    const scheme = {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'opaque',
      description: expect.stringMatching(/./) as string,
    };
    expect(document.components!.securitySchemes).toEqual({
      management_key: scheme,
      api_key: scheme,
      client_secret: scheme,
    });
  });

  it('has the scheme of each kind of credential that an operation takes, one of which is enough', () => {
    for (const { operation } of documented()) {
      const kinds = operation['x-credentials'] as string[];
      expect(operation['security'] ?? []).toEqual(kinds.map((kind) => ({ [kind]: [] })));
    }
  });

  it('has the tags first that a new user needs first', () => {
    expect(document.tags!.slice(0, 3).map(({ name }) => name)).toEqual(['Chat', 'API Keys', 'Guardrails']);
  });

  it('has model and messages first in requests of inference', () => {
    const names = (schema: string): string[] => Object.keys(api.schemas[schema]!.properties!);

    expect(names('ChatCompletionRequest').slice(0, 2)).toEqual(['model', 'messages']);
    expect(names('MessagesRequest').slice(0, 2)).toEqual(['model', 'messages']);
    expect(names('ResponsesRequest').slice(0, 2)).toEqual(['model', 'input']);
    expect(names('CompletionRequest').slice(0, 2)).toEqual(['model', 'prompt']);
    expect(names('EmbeddingsRequest').slice(0, 2)).toEqual(['model', 'input']);
  });

  it('has a description and an example of every field', () => {
    expect(allFields().length).toBeGreaterThan(150);
    // What refers to another schema is described there.
    const described = (schema: JsonSchema): boolean =>
      [schema, ...(schema.anyOf ?? [])].some((part) =>
        [part, api.resolve(part)].some(({ description }) => description?.trim()),
      );
    const undescribed = allFields().filter(({ schema }) => !described(schema));
    const unshown = allFields().filter(
      ({ schema }) =>
        schema.examples === undefined &&
        schema.const === undefined &&
        schema.enum === undefined &&
        // A file, or several.
        (schema.items ?? schema).format !== 'binary' &&
        !isExplainedElsewhere(schema),
    );

    expect(undescribed.map(({ place }) => place)).toEqual([]);
    expect(unshown.map(({ place }) => place)).toEqual([]);
  });

  it('has patterns that every language reads alike, of few constructs', () => {
    const found = new Set<string>();
    JSON.stringify(document, (name, value: unknown) => {
      if (name === 'pattern' && typeof value === 'string') found.add(value);
      return ['example', 'examples'].includes(name) ? undefined : value;
    });

    expect(found.size).toBeGreaterThan(20);
    // Classes of Unicode, look-around, named groups, references and surrogates have another form, or none, in Python, Go or Rust.
    const foreign = /\\[pPkK1-9]|\(\?[<!=]|\\u\{|\\u[dD][89a-fA-F]/;
    expect([...found].filter((pattern) => foreign.test(pattern))).toEqual([]);
    for (const pattern of found) expect(() => new RegExp(pattern, 'u')).not.toThrow();
  });

  it('names every enumeration and every object, so that generators have a name for each', () => {
    const unnamed = (schema: JsonSchema, place: string): string[] => {
      const { items, additionalProperties, anyOf = [], oneOf = [], properties = {} } = schema;
      const values = typeof additionalProperties === 'object' ? [additionalProperties] : [];
      const others = [...(items ? [items] : []), ...values, ...anyOf, ...oneOf];
      return [...Object.entries(properties), ...others.entries()].flatMap(([name, part]) => {
        const isNamed = part.properties === undefined && (part.enum === undefined || part.type === 'integer');
        return [...(isNamed ? [] : [`${place}.${name}`]), ...unnamed(part, `${place}.${name}`)];
      });
    };

    expect(Object.entries(api.schemas).flatMap(([name, schema]) => unnamed(schema, name))).toEqual([]);
    expect(Object.keys(api.schemas).filter((name) => /\d$/.test(name))).toEqual([]);
  });

  it('has several places for each name of an enumeration that they share', () => {
    const components = JSON.stringify(document.components);
    const places = (name: string): number => components.split(`"#/components/schemas/${name}"`).length - 1;

    expect(Object.keys(SHARED_ENUMERATIONS).filter((name) => places(name) < 2)).toEqual([]);
  });

  it('refers to schemas that it has, and has none that nothing refers to', () => {
    const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g);

    expect([...new Set([...references].map(([, name]) => name))].sort()).toEqual(Object.keys(api.schemas).sort());
  });

  it('says where its paths begin, also behind a proxy that adds a prefix', async () => {
    const behindProxy = await TestApplication.start({ variables: { PUBLIC_URL: 'https://example.com/gateway' } });
    try {
      expect(document.servers).toMatchObject([{ url: '/' }]);
      expect((await openApiDocument(behindProxy.application)).servers).toMatchObject([{ url: '/gateway' }]);
    } finally {
      await behindProxy.stop();
    }
  });

  it('has server-sent events for every operation that can stream, each with a schema of its data', () => {
    const streams = documented().flatMap(({ operation }) => {
      const responses = operation['responses'] as Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
      const event = responses['200']?.content?.['text/event-stream'];
      if (event === undefined) return [];
      return [{ name: String(operation['operationId']), data: api.resolve(event.schema).properties!['data']! }];
    });
    const canStream = api.operations.filter(
      ({ operationId, body }) =>
        body && api.resolve(body).properties?.['stream'] !== undefined && !NEVER_STREAMS.includes(operationId),
    );

    const names = [...canStream.map(({ operationId }) => operationId), ...STREAM_BY_HEADER];
    expect(streams.map(({ name }) => name).sort()).toEqual(names.sort());
    expect(streams.filter(({ data }) => data.$ref === undefined)).toEqual([]);
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
        tags: [expect.any(String)],
      });
      expect(tags.get((operation['tags'] as string[])[0]!)).toMatch(/./);
    }
    const used = new Set(documented().flatMap(({ operation }) => operation['tags'] as string[]));
    expect([...tags.keys()].sort()).toEqual([...used].sort());
  });

  it('has every status of the public interface, each with its message, its reasons and the error envelope', () => {
    const validator = new DocumentValidator(api);
    for (const { operation } of documented()) {
      const responses = operation['responses'] as Record<
        string,
        { description: string; content?: { 'application/json': { schema: JsonSchema; examples?: ExampleReferences } } }
      >;
      const operationId = String(operation['operationId']);
      const statuses = Object.keys(responses).map(Number);
      // Operations without a credential have no row.
      const { success, errors } = OPERATIONS[operationId] ?? { success: 200, errors: [400, 429] };
      const expected = [success, ...errors, ...(operationId in OPERATIONS ? [401] : []), 500];
      expect([operationId, statuses]).toEqual([operationId, expect.arrayContaining(expected)]);
      for (const [status, { description, content }] of Object.entries(responses)) {
        expect([operationId, status, content === undefined]).toEqual([
          operationId,
          status,
          ['204', '304'].includes(status),
        ]);
        if (content === undefined) continue;
        if (Number(status) < 300) continue;
        const { schema, examples } = content['application/json'];
        const example = exampleOf(examples!.failure.$ref);
        expect([operationId, status, validator.issuesOf(schema, example)]).toEqual([operationId, status, []]);
        expect([operationId, status, JSON.stringify(example)]).toEqual([operationId, status, codeIn(status)]);
        const form = descriptionOf(Number(status), operationId);
        expect([operationId, status, description]).toEqual([operationId, status, expect.stringMatching(form)]);
        const failure = FAILURES[operationId] ?? 'ErrorResponse';
        expect(schema.$ref).toBe(`#/components/schemas/${failure}`);
      }
      // One success, and a 413 and a 415 wherever a body is read.
      expect(statuses.filter((status) => status < 300)).toHaveLength(1);
      expect([operationId, statuses.includes(413)]).toEqual([operationId, 'requestBody' in operation]);
      expect([operationId, statuses.includes(415)]).toEqual([operationId, 'requestBody' in operation]);
    }
  });

  it('has one example for each form and status of a failure', () => {
    const names = Object.keys(document.components!.examples!);

    expect(names).toEqual(
      expect.arrayContaining(['ErrorResponse404', 'MessagesErrorResponse404', 'ChatErrorResponse404']),
    );
    expect(names.filter((name) => !/^(Chat|Messages|Oauth|Responses)?ErrorResponse\d{3}$/.test(name))).toEqual([]);
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
    const open: readonly string[] = [
      ...INFERENCE_OPERATION_IDS,
      ...PRESETS_OF_REQUESTS,
      'evaluateGuardrail',
      'evaluateGuardrailDraft',
    ];
    for (const { operationId, body } of api.operations) if (body && !open.includes(operationId)) closed(body);
  });
});

describe('the OpenAPI document of the public dialect', () => {
  it('differs only in names, in what the public dialect alone has, in forms that it refuses, and the 201 of createScimGroupMapping', async () => {
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
      const cacheHeaders = [
        ['"X-Cache":', '"X-OpenRouter-Cache-Status":'],
        ['"X-Cache', '"X-OpenRouter-Cache'],
        ['"enum":["hit","miss","bypass"]', '"enum":["HIT","MISS","BYPASS"]'],
      ] as const;
      const renamed = [...names.map(([ours, theirs]) => [`"${ours}"`, `"${theirs}"`] as const), ...cacheHeaders].reduce(
        (text, [ours, theirs]) => text.replaceAll(ours, theirs),
        JSON.stringify(one),
      );

      expect(status).toBe(201);
      for (const text of ['"enforce_zdr_vendor_d"', ...cacheHeaders.map(([ours]) => ours)]) {
        expect(JSON.stringify(one)).toContain(text);
      }
      const described = JSON.parse(JSON.stringify(other)) as OpenAPIObject;
      expect(sortKeys(withoutPublicParts(described))).toEqual(sortKeys(JSON.parse(renamed)));
    } finally {
      await Promise.all([specification.stop(), publicly.stop()]);
    }
  });
});

/** What only the public dialect has: fields by their schemas, with what they refer to, and one operation. */
const PUBLIC_PARTS = {
  fields: {
    BYOKKey: ['declared_region'],
    CreateBYOKKeyRequest: ['declared_region'],
    UpdateBYOKKeyRequest: ['declared_region'],
    ...Object.fromEntries(
      ['PrivateProvider', 'CreatePrivateProviderRequest', 'UpdatePrivateProviderRequest'].map((name) => [
        name,
        ['data_policy', 'datacenters', 'headquarters', 'privacy_policy_url'],
      ]),
    ),
    ...Object.fromEntries(
      ['CreateGuardrailRequest', 'UpdateGuardrailRequest'].map((name) => [
        name,
        ['enforce_first_party_harness_models'],
      ]),
    ),
    UpdateOrganizationSettingsRequest: ['is_filtered_model_catalog_enabled'],
  },
  schemas: ['PrivateProviderDataPolicy', 'UpdatePrivateEndpointPricingRequest'],
  path: '/api/v1/private-endpoints/{id}/pricing',
} as const;

/** Takes out of a document what only the public dialect has, and the forms that it asks for; fails where it is not there. */
function withoutPublicParts(document: OpenAPIObject): OpenAPIObject {
  const schemas = document.components!.schemas as Record<string, JsonSchema & { properties: Record<string, object> }>;
  for (const [name, fields] of Object.entries(PUBLIC_PARTS.fields)) {
    const { properties } = schemas[name]!;
    for (const field of fields) {
      expect(properties).toHaveProperty(field);
      Reflect.deleteProperty(properties, field);
    }
  }
  for (const name of PUBLIC_PARTS.schemas) {
    expect(schemas).toHaveProperty(name);
    Reflect.deleteProperty(schemas, name);
  }
  expect(document.paths).toHaveProperty([PUBLIC_PARTS.path]);
  Reflect.deleteProperty(document.paths, PUBLIC_PARTS.path);
  const removal = document.paths['/api/v1/private-endpoints/{id}']!.delete!;
  expect(removal.parameters).toContainEqual(expect.objectContaining({ name: 'draft_only' }));
  removal.parameters = removal.parameters!.filter((one) => (one as { name: string }).name !== 'draft_only');
  const asked = JSON.stringify(document).split(/,?"uniqueItems":true|,"pattern":"[^"]*\[\+-\]00:00\)\$"/);
  expect(asked.length).toBeGreaterThan(10);
  return JSON.parse(asked.join('')) as OpenAPIObject;
}

/** An example says its status, but those of Messages, whose clients have words for it. */
function codeIn(status: string): unknown {
  return expect.stringMatching(new RegExp(`"code":${status}|"type":"error"|"code":"|"error_description":"`)) as unknown;
}

/** How a failure is described: with its message and its reasons, of a 400 those that the operation names. */
function descriptionOf(status: number, operationId: string): RegExp {
  const hasOwnMessages = isOfInference(operationId) && ![400, 401, 429, 500].includes(status);
  const message = (hasOwnMessages ? STATUS_CODES : STATUS_MESSAGES)[status]!;
  if (status === 500) return new RegExp(`^${message}$`);
  const others = status === 400 ? ', or the reason that all of its issues have in common' : '';
  return new RegExp(`^${message.replace(/\.$/, '')}\\. Reasons?: \`[a-z_]+\`(, \`[a-z_]+\`)*${others}\\.$`);
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
