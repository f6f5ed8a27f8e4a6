import { acceptedKey, acceptedKeys } from '../../operations/accepted-key.js';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { expectEnvelope } from '../../support/expectations/error-envelope.js';
import { interfaceOf, type Operation, pathOf } from '../../support/openapi/described-operations.js';
import { bodyWith, placeName, scalarPlaces, type SchemaPlace } from '../../support/openapi/example-bodies.js';
import { expectNoSideEffects } from '../../support/expectations/no-side-effects.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

interface FormattedField extends SchemaPlace {
  readonly operation: Operation;
}

describe('fields with a format', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);
  const keys = filledBefore(beforeAll, () => acceptedKeys(app, organization));
  const api = filledBefore(beforeAll, () => interfaceOf(app.application));

  beforeAll(() => app.factory.enableScim(organization));

  const fieldsOf = (format: string): FormattedField[] =>
    api.operations.flatMap((operation) =>
      (operation.body ? scalarPlaces(api, operation.body) : [])
        .filter(({ schema }) => schema.format === format)
        .map((field) => ({ operation, ...field })),
    );

  const send = ({ operation, place }: FormattedField, value: string): Promise<Answer<ErrorBody>> =>
    app.api.send(operation.method, pathOf(operation), {
      key: acceptedKey(operation.operationId, keys),
      json: bodyWith(api, operation.body!, place, value),
    });

  const expectRefused = async (format: string, value: string): Promise<void> => {
    const fields = fieldsOf(format);
    expect(fields.length).toBeGreaterThan(0);
    await expectNoSideEffects(app, async () => {
      for (const field of fields) {
        const envelope = expectEnvelope(await send(field, value), 400, field.operation.operationId);
        expect(envelope.error.metadata.issues).toContainEqual({
          path: placeName(field.place),
          message: `must be a valid ${format}`,
        });
      }
    });
  };

  it.each([
    '',
    'x',
    '019aa3f0-5b1e-7c40-9d0e-00000000000',
    '019aa3f0-5b1e-7c40-9d0e-0000000000000',
    '019aa3f05b1e7c409d0e000000000000',
    '{019aa3f0-5b1e-7c40-9d0e-000000000000}',
    'urn:uuid:019aa3f0-5b1e-7c40-9d0e-000000000000',
    '019aa3f0-5b1e-7c40-9d0e-000000000000\n',
    ' 019aa3f0-5b1e-7c40-9d0e-000000000000',
    '０19aa3f0-5b1e-7c40-9d0e-000000000000',
  ])('are answered 400 with %j as uuid', (value) => expectRefused('uuid', value));

  it.each([
    '',
    'tomorrow',
    '2099-01-01',
    '2099-01-01T00:00:00',
    '2099-01-01T00:00Z',
    '2099-13-01T00:00:00Z',
    '2099-02-29T00:00:00Z',
    '2099-01-01T24:00:00Z',
    '2099-01-01T00:60:00Z',
    '2098-12-31T23:59:60Z',
    '2099-01-01 00:00:00Z',
    '2099-01-01\u202800:00:00Z',
    '2099-01-01T00:00:00+24:00',
    '2099-01-01T00:00:00+00',
    '2099-01-01T00:00:00+0000',
    '2099-01-01T00:00:00,5Z',
    '02099-01-01T00:00:00Z',
    '+012099-01-01T00:00:00Z',
    '9999-12-31T23:59:59-23:59',
    '4070908800',
    '2099-01-01T00:00:00Z\n',
  ])('are answered 400 with %j as time', (value) => expectRefused('date-time', value));

  it.each([
    '',
    'app.example.com/callback',
    '/callback',
    'https://',
    'https:// /',
    'https://app example.com/',
    'https://example.com:99999/callback',
    'https://256.256.256.256/callback',
    'https://[v1.a]/callback',
    'https://[::1/callback',
    'https://%ff/callback',
    'https://example.com/a b',
    'https://example.com/\n',
    'https://ex\u00e4mple.com/',
  ])('are answered 400 with %j as URI', (value) => expectRefused('uri', value));

  it.each([
    ['one long label', 'a'.repeat(254)],
    ['many short labels', Array.from({ length: 900 }, (_, index) => index.toString(36)).join('.')],
  ])('are answered 400 with a URI whose host is longer than a host name can be: %s', (_name, host) =>
    expectRefused('uri', `https://${host}/`),
  );

  it.each([
    ['2099-01-01T00:00:00Z', '2099-01-01T00:00:00.000Z'],
    ['2099-01-01t00:00:00z', '2099-01-01T00:00:00.000Z'],
    ['2099-01-01T00:00:00.123456789Z', '2099-01-01T00:00:00.123Z'],
    ['2099-01-01T00:00:00+23:59', '2098-12-31T00:01:00.000Z'],
    ['2096-02-29T12:00:00-01:00', '2096-02-29T13:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('are answered 200 and store the time %s as %s', async (value, time) => {
    const answer = await app.api.post<{ data: { app_id: number } }>('/auth/keys/code', {
      key: organization.managementKey,
      json: { callback_url: 'https://app.example.com/callback', expires_at: value },
    });

    expect(answer.status).toBe(200);
    const [row] = await app.rows<{ key_expires_at: Date }>(
      'SELECT key_expires_at FROM authorization_codes ORDER BY created_at DESC, id DESC LIMIT 1',
    );
    expect(row!.key_expires_at.toISOString()).toBe(time);
  });

  it('are answered 200 with a URI of 2048 characters, and 400 with one of 2049', async () => {
    const callbackUrl = `https://${'a'.repeat(63)}.example.com/`.padEnd(2048, 'x');
    const codeFor = (url: string): Promise<Answer> =>
      app.api.post('/auth/keys/code', { key: organization.managementKey, json: { callback_url: url } });

    expect((await codeFor(callbackUrl)).status).toBe(200);
    const rows = await app.rows('SELECT 1 FROM authorization_codes WHERE callback_url = $1', [callbackUrl]);
    expect(rows).toHaveLength(1);
    expect((await codeFor(`${callbackUrl}x`)).status).toBe(400);
  });
});
