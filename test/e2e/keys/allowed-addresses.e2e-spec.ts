import type { KeyResponse } from '../../../src/modules/keys/dto/key.dto.js';
import { OPERATION_IDS, OPERATIONS } from '../../operations/operations.js';
import { successfulRequest } from '../../operations/complete-organization.js';
import { sampleOrganization } from '../../operations/sample-organization.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { keyRowOf, newKey } from '../../support/resources/keys.js';

const INSIDE = { 'x-forwarded-for': '203.0.113.7' };
const OUTSIDE = { 'x-forwarded-for': '198.51.100.7' };
const RANGES = ['203.0.113.0/24', '2001:db8::/32'];

describe('a key that is bound to client addresses', () => {
  const app = sharedApplication({ variables: { TRUST_PROXY: '1' } });
  const organization = filledBefore(beforeAll, () => sampleOrganization(app));

  const bound = (ranges: readonly string[] = RANGES) =>
    newKey(app, organization.managementKey, { allowed_addresses: ranges });

  it('answers 200 from a range, and 403 with the address that was seen from elsewhere', async () => {
    const { key, data } = await bound();
    expect(data.allowed_addresses).toEqual(RANGES);
    for (const address of ['203.0.113.255', '2001:db8:1::1', '::ffff:203.0.113.9']) {
      expect((await app.api.get('/key', { key, headers: { 'x-forwarded-for': address } })).status).toBe(200);
    }
    for (const address of ['203.0.112.255', '2001:db9::1']) {
      const answer = await app.api.get('/key', { key, headers: { 'x-forwarded-for': address } });
      expectRefusal(answer, { status: 403, reason: 'client_address_not_allowed', detail: { client_address: address } });
    }
  });

  it.each(OPERATION_IDS.filter((name) => OPERATIONS[name]!.callers.includes('api_key')))(
    '%s answers 403 to an API key from elsewhere',
    async (name) => {
      const { key } = await bound();
      const { method, path, json } = await successfulRequest({ ...organization, apiKey: key }, name);
      const answer = await app.api.send(method, path, { key, headers: OUTSIDE, ...(json && { json }) });
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([
        403,
        expect.stringContaining('client_address_not_allowed'),
      ]);
      expectToFitContract(name, 403, answer.body);
    },
  );

  it.each(OPERATION_IDS.filter((name) => OPERATIONS[name]!.callers.includes('management_key')))(
    '%s answers 403 to a management key from elsewhere',
    async (name) => {
      const allowedAddresses = RANGES;
      const made = await app.factory.key(organization, {
        kind: 'management_key',
        allowedAddresses: [...allowedAddresses],
      });
      const { method, path, json } = await successfulRequest(organization, name);
      const answer = await app.api.send(method, path, { key: made.plaintext, headers: OUTSIDE, ...(json && { json }) });
      expect(answer.status).toBe(403);
    },
  );

  it('says in a chat which address was seen, with a 403', async () => {
    const { key } = await bound();
    const json = { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hello' }] };
    const answer = await app.api.post<{ error: { message: string } }>('/chat/completions', {
      key,
      json,
      headers: OUTSIDE,
    });
    expect([answer.status, answer.body.error.message]).toEqual([
      403,
      'The API key must not be used from the address 198.51.100.7.',
    ]);
  });

  it('answers 401 as before to a disabled key, wherever it is sent from', async () => {
    const { key, data } = await bound();
    const disabled = { key: organization.managementKey, json: { disabled: true } };
    expect((await app.api.send('PATCH', `/keys/${data.hash}`, disabled)).status).toBe(200);
    const answer = await app.api.get('/key', { key, headers: OUTSIDE });
    expectRefusal(answer, { status: 401, reason: 'credential_disabled' });
  });

  it('is bound (403) and freed (200) by updateKeys, from one request to the next, recorded', async () => {
    const { key, data } = await newKey(app, organization.managementKey);
    expect(data.allowed_addresses).toBeNull();
    const change = async (allowed_addresses: unknown): Promise<unknown> => {
      const sent = { key: organization.managementKey, json: { allowed_addresses } };
      const { status, body } = await app.api.send<KeyResponse>('PATCH', `/keys/${data.hash}`, sent);
      expect(status).toBe(200);
      return body.data.allowed_addresses;
    };

    expect(await change(['203.0.113.7', '203.0.113.7/32', '2001:DB8::/32'])).toEqual([
      '203.0.113.7/32',
      '2001:db8::/32',
    ]);
    expect((await app.api.get('/key', { key, headers: OUTSIDE })).status).toBe(403);
    expect((await app.api.get('/key', { key, headers: INSIDE })).status).toBe(200);
    expect(await change(null)).toBeNull();
    expect((await app.api.get('/key', { key, headers: OUTSIDE })).status).toBe(200);
    const events = await auditEventsOf(app, data.hash);
    expect(events.slice(-1)).toMatchObject([
      {
        action: 'key.update',
        changes: { allowed_addresses: { before: ['203.0.113.7/32', '2001:db8::/32'], after: null } },
      },
    ]);
  });

  it.each([
    ['no range', ['localhost'], 'invalid_address_range', 'allowed_addresses[0]'],
    ['bits beyond the prefix', ['203.0.113.0/24', '203.0.113.1/24'], 'invalid_address_range', 'allowed_addresses[1]'],
    ['an empty list', [], 'invalid_parameters', 'allowed_addresses'],
    ['51 ranges', Array.from({ length: 51 }, (_, n) => `203.0.113.${n}`), 'invalid_parameters', 'allowed_addresses'],
    ['a very long text', ['1'.repeat(65)], 'invalid_parameters', 'allowed_addresses[0]'],
  ])('cannot be made with %s: 400', async (_, ranges, reason, path) => {
    const json = { name: 'Key', allowed_addresses: ranges };
    const answer = await app.api.post('/keys', { key: organization.managementKey, json });
    expectRefusal(answer, { status: 400, reason, paths: [path], userId: organization.userId });
  });

  it('answers 403 to a management key that frees itself, and 200 when it binds itself more closely', async () => {
    const made = await app.factory.key(organization, { kind: 'management_key', allowedAddresses: [...RANGES] });
    const change = (allowed_addresses: unknown) =>
      app.api.send('PATCH', `/keys/${made.hash}`, {
        key: made.plaintext,
        headers: INSIDE,
        json: { allowed_addresses },
      });

    for (const ranges of [null, ['0.0.0.0/0']]) {
      const { userId } = organization;
      expectRefusal(await change(ranges), { status: 403, reason: 'management_key_narrows_itself_only', userId });
    }
    expect((await change(['203.0.113.7'])).status).toBe(200);
    expect((await keyRowOf(app, made.hash))['allowed_addresses']).toEqual(['203.0.113.7/32']);
  });
});
