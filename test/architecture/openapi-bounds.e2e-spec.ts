import type { JsonSchema } from '../../src/http/openapi/json-schema.js';
import { acceptedKey } from '../operations/accepted-key.js';
import type { Answer, ErrorBody } from '../support/network/api-client.js';
import { type Operation, type Parameter, pathOf } from '../support/openapi/described-operations.js';
import { bodyWith, exampleBody, placeName, scalarPlaces, acceptsType } from '../support/openapi/example-bodies.js';
import { documentedApplication } from './documented-application.js';

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

/** Numbers of a body without bounds. */
const UNBOUNDED: ReadonlySet<string> = new Set(['seed', 'request.seed']);

/** How far outside its bounds a number is tested. */
const SMALLEST_STEP = 1e-9;

describe('the OpenAPI document', () => {
  const { app, keys, api } = documentedApplication();

  describe('has the bounds', () => {
    const keyFor = ({ operationId }: Operation): string => acceptedKey(operationId, keys);

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
