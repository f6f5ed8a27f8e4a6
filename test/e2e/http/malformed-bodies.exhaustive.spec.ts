import { acceptedKey } from '../../operations/accepted-key.js';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Answer, ErrorBody, RequestOptions } from '../../support/network/api-client.js';
import { exchangeBytes } from '../../support/network/raw-connection.js';
import { UNSUPPORTED_ENCODING, malformedBodies } from '../../support/requests/malformed-bodies.js';
import { type Operation, pathOf } from '../../support/openapi/described-operations.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { exampleBody } from '../../support/openapi/example-bodies.js';
import { expectNoSideEffects } from '../../support/expectations/no-side-effects.js';
import { requestBodies, MEBIBYTE } from './request-bodies.js';
import { INFERENCE_OPERATION_IDS, PRESETS_OF_REQUESTS } from '../../operations/inference-operations.js';

/** An inference body has whatever fields its model takes. */
const TAKES_ANY_FIELD: readonly string[] = [...INFERENCE_OPERATION_IDS, ...PRESETS_OF_REQUESTS];

/** What they are about stands in the path, and there is nothing else to say. */
const TAKES_NO_BODY: readonly string[] = [
  'activatePrivateEndpoint',
  'createScimSyncJob',
  'disablePrivateEndpoint',
  'enablePrivateEndpoint',
  'eraseOrganizationMember',
  'testMcpServer',
  'testObservabilityDestination',
  'testProviderConnection',
];

/** Fields that are not required by themselves: one of two, and one that others of the body need. */
const NEEDED_BESIDES: Readonly<Record<string, object>> = {
  createFederationPolicy: { subject: 'repo:acme/app' },
  createLimit: { window: 'daily' },
};

const FIELD_FAULTS = [
  'an unknown field',
  'a field of another case',
  'the constructor',
  'the prototype',
  'NUL in the name of a field',
  'a lone surrogate in the name of a field',
];

describe('request bodies', () => {
  const { app, organization, keys, api, operationsWithBody } = requestBodies();

  const send = (operation: Operation, options: RequestOptions): Promise<Answer> =>
    app.api.send(operation.method, pathOf(operation), { key: acceptedKey(operation.operationId, keys), ...options });

  /** Sends a guardrail's body as bytes that were encoded in some way. */
  const sendEncoded = (raw: Uint8Array, encoding: string): Promise<Answer<ErrorBody>> =>
    app.api.post('/guardrails', { key: organization.managementKey, raw, headers: { 'content-encoding': encoding } });

  it('are taken by exactly the operations that create or change something', () => {
    const writing = api.operations.filter(
      ({ method, operationId }) => ['PATCH', 'POST', 'PUT'].includes(method) && !TAKES_NO_BODY.includes(operationId),
    );
    expect(operationsWithBody()).toEqual(writing);
    expect(operationsWithBody().length).toBeGreaterThanOrEqual(4);
  });

  // Named here, so that each is a separate test; created for each operation below.
  it.each(malformedBodies({ name: 'x' }).map(([name]) => name))(
    'are answered 400, 413 or 415 by every operation: %s',
    async (name) => {
      const takesNone = name === 'no body' || name === 'an empty body';
      const isAboutFields = FIELD_FAULTS.includes(name);
      const refusing = operationsWithBody().filter(
        ({ bodyIsOptional, operationId, bodyLimit = 0 }) =>
          !(name === '2 MiB' && bodyLimit > 2 * MEBIBYTE) &&
          !(takesNone && bodyIsOptional) &&
          !(isAboutFields && TAKES_ANY_FIELD.includes(operationId)),
      );
      for (const operation of refusing) {
        const valid = { ...exampleBody(api, operation.body!), ...NEEDED_BESIDES[operation.operationId] };
        const [, request, refusal] = malformedBodies(valid, operation.bodyLimit).find(
          (candidate) => candidate[0] === name,
        )!;
        await expectNoSideEffects(app, async () => {
          const { operationId } = operation;
          expectRefusal(await send(operation, request), { ...refusal, userId: organization.userId, operationId });
        });
      }
    },
  );

  it.each([
    ['another JSON type', 'application/vnd.api+json'],
    ['JSON text', 'text/json'],
    ['UTF-16', 'application/json; charset=utf-16'],
    ['Latin-1 in quotes', 'application/json; charset="iso-8859-1"'],
    ['an empty charset', 'application/json; charset='],
    ['two types', 'application/json, text/plain'],
    ['a form with a file', 'multipart/form-data; boundary=x'],
    ['no type at all', ''],
  ])('are answered 400 as %s', async (_name, contentType) => {
    await expectNoSideEffects(app, async () => {
      const answer = await app.api.post('/guardrails', {
        key: organization.managementKey,
        raw: '{"name":"x"}',
        headers: { 'content-type': contentType },
      });
      const refusal = { status: 400, reason: 'unsupported_content_type', paths: [''], userId: organization.userId };
      expectRefusal(answer, refusal);
    });
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf8"',
    'APPLICATION/JSON',
    'application/json; profile="x"',
  ])('are answered 201 with the Content-Type %s', async (contentType) => {
    const answer = await app.api.post('/guardrails', {
      key: organization.managementKey,
      raw: '{"name":"type"}',
      headers: { 'content-type': contentType },
    });
    expect(answer.status).toBe(201);
  });

  it.each([
    ['an unfinished string', '{"name":"x'],
    ['a comma too many', '{"name":"x",}'],
    ['a name without quotes', '{name:"x"}'],
    ['quotes of another kind', "{'name':'x'}"],
    ['NaN', '{"name":"x","limit_usd":NaN,"reset_interval":"daily"}'],
    ['Infinity', '{"name":"x","limit_usd":Infinity,"reset_interval":"daily"}'],
    ['a number with a leading zero', '{"name":"x","limit_usd":01,"reset_interval":"daily"}'],
    ['a number with a leading plus', '{"name":"x","limit_usd":+1,"reset_interval":"daily"}'],
    ['undefined', '{"name":undefined}'],
    ['two values', '{"name":"x"}{"name":"y"}'],
    ['a bare NUL', '{"name":"a\u0000b"}'],
    ['a bare line feed', '{"name":"a\nb"}'],
    ['an unknown escape', '{"name":"\\x41"}'],
    ['white space alone', ' \r\n\t '],
    ['a NUL alone', '\u0000'],
  ])('are answered 400 with %s', async (_name, raw) => {
    await expectNoSideEffects(app, async () => {
      const answer = await app.api.post('/guardrails', { key: organization.managementKey, raw });
      expectRefusal(answer, { status: 400, reason: 'malformed_json', paths: [''], userId: organization.userId });
    });
  });

  it.each([
    ['an overlong form of a slash', [0xc0, 0xaf]],
    ['a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
    ['beyond the last code point', [0xf4, 0x90, 0x80, 0x80]],
    ['a sequence that is cut off', [0xe2, 0x82]],
    ['a continuation alone', [0x80]],
  ])('are answered 400 with %s in place of UTF-8', async (_name, bytes) => {
    await expectNoSideEffects(app, async () => {
      const raw = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')]);
      const answer = await app.api.post('/guardrails', { key: organization.managementKey, raw });
      expectRefusal(answer, { status: 400, reason: 'malformed_body', paths: [''], userId: organization.userId });
    });
  });

  it('are answered 400 in UTF-16, with or without a byte order mark', async () => {
    for (const mark of ['', '\ufeff']) {
      const raw = Buffer.from(`${mark}{"name":"x"}`, 'utf16le');
      const answer = await app.api.post<ErrorBody>('/guardrails', { key: organization.managementKey, raw });
      expect(answer.status).toBe(400);
    }
  });

  it('are answered 201 with a byte order mark in UTF-8 (RFC 8259, section 8.1)', async () => {
    const answer = await app.api.post<{ data: { id: string } }>('/guardrails', {
      key: organization.managementKey,
      raw: '\ufeff{"name":"marked"}',
    });

    expect(answer.status).toBe(201);
    expect(await app.rows('SELECT name FROM guardrails WHERE id = $1', [answer.body.data.id])).toEqual([
      { name: 'marked' },
    ]);
  });

  it('are answered 201 with the last of two fields of one name', async () => {
    const answer = await app.api.post<{ data: { name: string } }>('/guardrails', {
      key: organization.managementKey,
      raw: '{"name":"first","name":"last"}',
    });

    expect(answer.body.data.name).toBe('last');
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'are answered 400 with a field %s, in the body and in objects inside it',
    async (field) => {
      await expectNoSideEffects(app, async () => {
        const answer = await app.api.post('/guardrails', {
          key: organization.managementKey,
          raw: `{"name":"x","${field}":{"limit_usd":1,"polluted":true},
            "content_filters":[{"pattern":"a","action":"flag","${field}":{"polluted":true}}]}`,
        });
        expectRefusal(answer, {
          status: 400,
          reason: 'invalid_parameters',
          paths: [field, `content_filters[0].${field}`],
          userId: organization.userId,
        });
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      });
    },
  );

  describe('with a Content-Encoding', () => {
    const text = Buffer.from('{"name":"compressed"}');

    it.each([
      ['gzip', gzipSync(text)],
      ['deflate', deflateSync(text)],
      ['br', brotliCompressSync(text)],
      ['gzip, br', gzipSync(text)],
      ['GZIP', gzipSync(text)],
      ['identity, identity', text],
      ['compress', text],
      ['zstd', text],
    ])('are answered 415 with Accept-Encoding: identity for %s', async (encoding, raw) => {
      await expectNoSideEffects(app, async () => {
        const answer = await sendEncoded(raw, encoding);
        expectRefusal(answer, { ...UNSUPPORTED_ENCODING, userId: organization.userId });
        expect(answer.headers.get('accept-encoding')).toBe('identity');
      });
    });

    it('are answered 415 before the body has arrived', async () => {
      const { answers } = await exchangeBytes(
        app.origin,
        [
          `POST /api/v1/guardrails HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${organization.managementKey}\r\n` +
            'Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 1000\r\n\r\n',
        ],
        1,
      );
      expectRefusal(answers[0]!, { ...UNSUPPORTED_ENCODING, userId: organization.userId });
    });

    it.each(['identity', 'Identity', ''])('are answered 201 for "%s", which means no encoding', async (encoding) => {
      expect((await sendEncoded(text, encoding)).status).toBe(201);
    });
  });
});
