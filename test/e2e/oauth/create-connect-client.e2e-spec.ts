import { sharedApplication } from '../../support/application/shared-application.js';
import type { IssuedConnectClientResponse } from '../../../src/modules/oauth/clients/connect-client.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { newCode, sha256 } from '../../support/resources/authorization-codes.js';
import { newClient } from '../../support/resources/connect-clients.js';
import { someMalformedBodies, MEDIUM_BODY } from '../../support/requests/malformed-bodies.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TIMESTAMP, UUID_V7 } from '../../support/expectations/formats.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const URL = 'https://app.example.com/callback';

describe('createConnectClient', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);

  const post = (json: object): Promise<Answer<IssuedConnectClientResponse>> =>
    app.api.post('/connect/clients', { key: organization.managementKey, json });

  it('answers 201 with a client and its secret, and stores only the hash of the secret', async () => {
    const callback_urls = [URL, 'http://localhost:3000/', 'http://127.0.0.1/x?y=1', 'http://[::1]:8080/'];
    const { status, body, text } = await post({ name: 'My application', callback_urls });

    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(UUID_V7) as unknown,
        name: 'My application',
        callback_urls,
        created_at: expect.stringMatching(TIMESTAMP) as unknown,
      },
      client_secret: expect.stringMatching(/^cs-gate-v2-[0-9A-Za-z]{22}-[0-9a-f]{72}$/) as unknown,
    });
    expect(text.split(body.client_secret)).toHaveLength(2);
    expect(await app.rows('SELECT * FROM connect_clients WHERE id = $1', [body.data.id])).toEqual([
      {
        id: body.data.id,
        organization_id: organization.organizationId,
        name: 'My application',
        callback_urls,
        normalized_callback_urls: callback_urls,
        secret_hash: Buffer.from(sha256(body.client_secret), 'hex'),
        previous_secret_hash: null,
        previous_secret_expires_at: null,
        created_at: new Date(body.data.created_at),
      },
    ]);
  });

  it('answers 201 with a client for which codes for its callback URLs are created: 200 for its own secret, 403 for others', async () => {
    const url = 'https://issued.example.com/callback';
    const { client_secret: secret } = await newClient(app, organization.managementKey, 'issued', [url]);
    const code = await newCode(app, organization.managementKey, { callback_url: url });

    expect((await app.api.post('/auth/keys', { key: organization.managementKey, json: { code } })).status).toBe(403);
    expect((await app.api.post('/auth/keys', { key: secret, json: { code } })).status).toBe(200);
  });

  it('answers 201 and records the creation, without the secret', async () => {
    const { data, client_secret: secret } = await newClient(app, organization.managementKey, 'recorded', [URL]);

    const events = await auditEventsOf(app, data.id);
    expect(events).toEqual([
      {
        action: 'connect_client.create',
        target_type: 'connect_client',
        target_id: data.id,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: { name: { after: 'recorded' }, callback_urls: { after: [URL] } },
      },
    ]);
    expect(app.logLines.join('')).not.toContain(secret.slice(-40));
  });

  it.each([
    ['no name', { callback_urls: [URL] }, ['name']],
    ['an empty name', { name: '', callback_urls: [URL] }, ['name']],
    ['a name of 201 characters', { name: 'x'.repeat(201), callback_urls: [URL] }, ['name']],
    ['no callback URLs', { name: 'x' }, ['callback_urls']],
    ['an empty list', { name: 'x', callback_urls: [] }, ['callback_urls']],
    ['null', { name: 'x', callback_urls: null }, ['callback_urls']],
    ['a text', { name: 'x', callback_urls: URL }, ['callback_urls']],
    [
      'more than 50',
      { name: 'x', callback_urls: Array.from({ length: 51 }, (_, n) => `${URL}/${n}`) },
      ['callback_urls'],
    ],
    ['a duplicate', { name: 'x', callback_urls: [URL, 'https://b.example.com/', URL] }, ['callback_urls[2]']],
    ['http on another host', { name: 'x', callback_urls: [URL, 'http://app.example.com/'] }, ['callback_urls[1]']],
    ['another scheme', { name: 'x', callback_urls: ['ftp://app.example.com/'] }, ['callback_urls[0]']],
    ['a password', { name: 'x', callback_urls: ['https://a:b@app.example.com/'] }, ['callback_urls[0]']],
    ['a fragment', { name: 'x', callback_urls: ['https://app.example.com/#x'] }, ['callback_urls[0]']],
    ['no URL', { name: 'x', callback_urls: ['app', 1] }, ['callback_urls[0]', 'callback_urls[1]']],
    ['a URL of 2049 characters', { name: 'x', callback_urls: [`${URL}?${'x'.repeat(2048)}`] }, ['callback_urls[0]']],
    ['a host in another spelling', { name: 'x', callback_urls: ['https:evil.example.com'] }, ['callback_urls[0]']],
    ['a wildcard', { name: 'x', callback_urls: ['https://*.example.com/'] }, ['callback_urls[0]']],
    ['a secret of its own', { name: 'x', callback_urls: [URL], client_secret: 'x' }, ['client_secret']],
    [
      'several faulty fields',
      { callback_urls: ['http://x.example.com/', ''], x: 1 },
      ['name', 'callback_urls[0]', 'callback_urls[1]', 'x'],
    ],
  ])('answers 400 for %s', async (_, json, paths) => {
    const before = await app.rows('SELECT id FROM connect_clients');

    const refusal = { status: 400, reason: 'invalid_parameters', paths };
    expectRefusal(await post(json), { ...refusal, userId: organization.userId });
    expect(await app.rows('SELECT id FROM connect_clients')).toEqual(before);
  });

  it.each(someMalformedBodies({ name: 'x', callback_urls: [URL] }, MEDIUM_BODY))(
    'answers 400, 413 or 415 for %s',
    async (_, request, refusal) => {
      const answer = await app.api.post('/connect/clients', { key: organization.managementKey, ...request });

      expectRefusal(answer, { ...refusal, userId: organization.userId });
    },
  );
});
