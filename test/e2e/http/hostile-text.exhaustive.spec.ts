import { acceptedKey, acceptedKeys } from '../../operations/accepted-key.js';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { issuesExceptMissing, expectEnvelope, issuePaths } from '../../support/expectations/error-envelope.js';
import { interfaceOf, type Operation, type Parameter, pathOf } from '../../support/openapi/described-operations.js';
import {
  bodyWith,
  exampleBody,
  placeName,
  closedPlaces,
  type SchemaPlace,
  acceptsType,
} from '../../support/openapi/example-bodies.js';
import { expectNoSideEffects } from '../../support/expectations/no-side-effects.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

/** A character outside the basic plane: one code point, two UTF-16 units, four bytes. */
const ASTRAL = '\u{1F9EA}';

/** Fields that take certain words or addresses only, by a rule that the schema does not show. */
const FIELDS_OF_A_FORM = [
  'createPresetsMessages service_tier',
  'createAlert emails[0]',
  'createAudioSpeech input_references[0].input_audio.data',
  'createImageEdits size',
  'createImageGenerations size',
  'createImages size',
  'createPrivateEndpoint model_permaslug',
  'createPrivateEndpoint pricing.completion',
  'createPrivateEndpoint pricing.prompt',
  'createPrivateEndpoint provider_slug',
  'updatePrivateEndpoint pricing.completion',
  'updatePrivateEndpoint pricing.prompt',
  'createOrganizationMember email',
  'createSignInConnection issuer',
  'createKeys allowed_addresses[0]',
  'createInspector url',
  'createInspector api_key',
  'createInspector signing_secret',
  'updateInspector url',
  'updateInspector api_key',
  'updateInspector signing_secret',
  'createMcpServer name',
  'createMcpServer url',
  'createMcpServer header',
  'createMcpServer secret',
  'updateMcpServer url',
  'updateMcpServer header',
  'updateMcpServer secret',
  'createLimit group_by[0]',
  'updateKeys allowed_addresses[0]',
  'createManagementKey allowed_addresses[0]',
  'updateManagementKey allowed_addresses[0]',
  'updateAlert emails[0]',
  'createWorkspace default_provider_sort',
  'updateWorkspace default_provider_sort',
  'createFederationPolicy condition',
  'updateFederationPolicy condition',
];

/** A string field of some operation's body. */
interface TextField extends SchemaPlace {
  readonly operation: Operation;
}

describe('text fields', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);
  const keys = filledBefore(beforeAll, () => acceptedKeys(app, organization));
  const api = filledBefore(beforeAll, () => interfaceOf(app.application));

  beforeAll(() => app.factory.enableScim(organization));

  /** Every field of every body that takes a string, by reflection: a new one is tested at once. */
  const textFields = (): TextField[] =>
    api.operations.flatMap((operation) =>
      (operation.body ? closedPlaces(api, operation.body) : [])
        .filter(({ schema }) => acceptsType(schema, 'string'))
        .map((field) => ({ operation, ...field })),
    );

  const parameters = (where: Parameter['in']): [Operation, Parameter][] =>
    api.operations.flatMap((operation) =>
      operation.parameters
        .filter((parameter) => parameter.in === where)
        .map((parameter) => [operation, parameter] as [Operation, Parameter]),
    );

  const sendField = ({ operation, place }: TextField, value: unknown): Promise<Answer<ErrorBody>> =>
    app.api.send(operation.method, operation.path, {
      key: acceptedKey(operation.operationId, keys),
      json: bodyWith(api, operation.body!, place, value),
    });

  const send = (operation: Operation, path: string): Promise<Answer<ErrorBody>> =>
    app.api.send(operation.method, path, {
      key: acceptedKey(operation.operationId, keys),
      json: operation.body && exampleBody(api, operation.body),
    });

  it('occur in many places, some of them deep inside a body', () => {
    const names = textFields().map(({ operation, place }) => `${operation.operationId} ${placeName(place)}`);

    expect(names).toEqual(
      expect.arrayContaining([
        'createGuardrail name',
        'createGuardrail allowed_models[0]',
        'createGuardrail content_filters[0].pattern',
        'createGuardrail content_filter_builtins[0].label',
        'createScimGroupMapping scim_group_id',
        'exchangeAuthCodeForAPIKey code_verifier',
        'createAuthKeysCode spawn_cloud',
      ]),
    );
  });

  it.each([
    ['a NUL character', 'a\u0000b'],
    ['nothing but a NUL character', '\u0000'],
    ['a lone high surrogate', 'a\ud83e'],
    ['a lone low surrogate', '\uddeab'],
    ['a pair of surrogates the wrong way round', '\uddea\ud83e'],
  ])('are answered 400 with %s in every field', async (_name, text) => {
    await expectNoSideEffects(app, async () => {
      for (const field of textFields()) {
        const envelope = expectEnvelope(await sendField(field, text), 400, field.operation.operationId);
        expect(issuePaths(envelope)).toContain(placeName(field.place));
        const messages = envelope.error.metadata.issues!.map(({ message }) => message);
        expect(messages.filter((message) => /NUL character|lone surrogate/.test(message))).toHaveLength(1);
      }
    });
  });

  it('are answered 400 with text in place of other types', async () => {
    await expectNoSideEffects(app, async () => {
      for (const field of textFields()) {
        for (const value of [1, true, {}, ['a'], ...(acceptsType(field.schema, 'null') ? [] : [null])]) {
          const envelope = expectEnvelope(await sendField(field, value), 400, field.operation.operationId);
          expect(issuePaths(envelope)).toContain(placeName(field.place));
        }
      }
    });
  });

  it('are answered 400 beyond their maximum length, measured in code points, and not at the maximum', async () => {
    // What has a format as well is no text of one character, and neither is a word of a list.
    const bounded = textFields().filter(
      ({ schema, operation, place }) =>
        schema.maxLength !== undefined &&
        schema.format === undefined &&
        !FIELDS_OF_A_FORM.includes(`${operation.operationId} ${placeName(place)}`),
    );
    expect(bounded.length).toBeGreaterThan(4);
    for (const field of bounded) {
      const { maxLength, pattern } = field.schema;
      const character = pattern === undefined ? ASTRAL : 'a';
      const atBound = await sendField(field, character.repeat(maxLength!));
      const beyond = await sendField(field, character.repeat(maxLength! + 1));

      const tooLong = { path: placeName(field.place), message: `must NOT have more than ${maxLength} characters` };
      if (atBound.status >= 400)
        expect(
          expectEnvelope(atBound, atBound.status, field.operation.operationId).error.metadata.issues ?? [],
        ).not.toContainEqual(tooLong);
      const envelope = expectEnvelope(beyond, 400, field.operation.operationId);
      expect(envelope.error.metadata.issues).toContainEqual(tooLong);
    }
  });

  it('are answered 400 below their minimum length', async () => {
    const bounded = textFields().filter(({ schema }) => (schema.minLength ?? 0) > 0);
    expect(bounded.length).toBeGreaterThan(2);
    await expectNoSideEffects(app, async () => {
      for (const field of bounded) {
        const envelope = expectEnvelope(
          await sendField(field, 'a'.repeat(field.schema.minLength! - 1)),
          400,
          field.operation.operationId,
        );
        expect(issuePaths(envelope)).toContain(placeName(field.place));
      }
    });
  });

  it('are answered 400 with a value outside their enumeration', async () => {
    const enumerated = textFields().filter(({ schema }) => schema.enum !== undefined);
    expect(enumerated.length).toBeGreaterThan(5);
    await expectNoSideEffects(app, async () => {
      for (const field of enumerated) {
        const words = field.schema.enum!;
        const others = ['', String(words[0]).toUpperCase().replace('S256', 's256'), 'constructor'];
        for (const value of others.filter((other) => !words.includes(other))) {
          const envelope = expectEnvelope(await sendField(field, value), 400, field.operation.operationId);
          expect(envelope.error.metadata.issues).toContainEqual({
            path: placeName(field.place),
            message: `must be one of ${words.map(String).join(', ')}`,
          });
        }
      }
    });
  });

  it('are answered 201 or 200 and stored character by character', async () => {
    const { managementKey } = organization;
    const description = `\u202e${ASTRAL}\u0301 'quotes' "double" \\ %00 \u2028 \ufeff <script> \uffff`;
    const label = ASTRAL.repeat(100);
    const answer = await app.api.post<{ data: { id: string } }>('/guardrails', {
      key: managementKey,
      json: {
        name: ASTRAL.repeat(200),
        description,
        content_filters: [{ pattern: ASTRAL, action: 'block', label }],
      },
    });

    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({ name: ASTRAL.repeat(200), description });
    const rows = await app.rows(
      'SELECT char_length(name) AS length, description, content_filters FROM guardrails WHERE id = $1',
      [answer.body.data.id],
    );
    expect(rows).toEqual([
      { length: 200, description, content_filters: [{ pattern: ASTRAL, action: 'block', label }] },
    ]);
  });

  it.each([
    ['a NUL character', 'a%00b'],
    ['nothing but a NUL character', '%00'],
  ])('are answered 400 with %s in every path parameter', async (_name, encoded) => {
    await expectNoSideEffects(app, async () => {
      for (const [operation, { name }] of parameters('path')) {
        const envelope = expectEnvelope(
          await send(operation, pathOf(operation, { [name]: encoded })),
          400,
          operation.operationId,
        );
        expect(envelope.error.metadata.issues).toContainEqual({
          path: name,
          message: 'must not contain a NUL character',
        });
      }
    });
  });

  // fetch sends these as they are: what stands behind a percent sign is the caller's business.
  it.each([
    ['a byte alone', '%ff'],
    ['a surrogate in UTF-8', '%ed%a0%80'],
    ['an overlong form', '%c0%af'],
    ['a sequence that is cut off', 'a%e2%82'],
    ['no digits', '%zz'],
    ['one digit', 'a%f'],
    ['a percent sign alone', '%'],
  ])(
    'are answered 400 with %s in every path parameter once the caller is known, and 401 without a credential',
    async (_name, encoded) => {
      await expectNoSideEffects(app, async () => {
        for (const [operation, { name }] of parameters('path')) {
          const path = pathOf(operation, { [name]: encoded });
          const envelope = expectEnvelope(await send(operation, path), 400, operation.operationId);
          expect(issuesExceptMissing(envelope)).toEqual([{ path: name, message: 'is not percent-encoded UTF-8' }]);
          expectEnvelope(await app.api.send(operation.method, path), 401);
        }
      });
    },
  );

  it.each(['%ff', '%ed%a0%80', '%c0%af', 'a%e2%82', '%zz', '%'])(
    'are answered 400 with %s in every query parameter, in value and in name',
    async (encoded) => {
      for (const [operation, { name }] of parameters('query')) {
        const byValue = expectEnvelope(
          await send(operation, pathOf(operation, {}, `${name}=${encoded}`)),
          400,
          operation.operationId,
        );
        const byName = expectEnvelope(
          await send(operation, pathOf(operation, {}, `${name}${encoded}=1`)),
          400,
          operation.operationId,
        );

        expect(byValue.error.metadata.issues).toContainEqual({ path: name, message: 'is not percent-encoded UTF-8' });
        expect(issuesExceptMissing(byName)).toEqual([
          { path: '', message: 'a name in the query is not percent-encoded UTF-8' },
        ]);
      }
    },
  );

  it('are answered 400 with a NUL character in every query parameter', async () => {
    for (const [operation, { name }] of parameters('query')) {
      const envelope = expectEnvelope(
        await send(operation, pathOf(operation, {}, `${name}=1%00`)),
        400,
        operation.operationId,
      );
      expect(envelope.error.metadata.issues).toContainEqual({
        path: name,
        message: 'must not contain a NUL character',
      });
    }
  });

  it('are answered 404 with any other text in a path', async () => {
    for (const [operation, { name }] of parameters('path')) {
      for (const text of [ASTRAL, '../..', '%00', "' OR 1=1 --", 'a/b', '__proto__', ' ', 'x'.repeat(2000)]) {
        const answer = await send(operation, pathOf(operation, { [name]: encodeURIComponent(text) }));
        // A preset's slug and a budget's interval have a form of their own.
        expect([400, 404]).toContain(answer.status);
        expectEnvelope(answer, answer.status, operation.operationId);
      }
    }
  });
});
