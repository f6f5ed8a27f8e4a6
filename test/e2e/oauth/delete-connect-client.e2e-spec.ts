import { replicaOfSuite, sharedApplication } from '../../support/application/shared-application.js';
import type { ExchangeAuthCodeResponse } from '../../../src/modules/oauth/codes/authorization-code.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { newCode, sha256 } from '../../support/resources/authorization-codes.js';
import { isSecretAccepted, newClient } from '../../support/resources/connect-clients.js';
import { newKey, statusOfCurrentKey } from '../../support/resources/keys.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const NOT_FOUND = { status: 404, reason: 'connect_client_not_found' };

describe('deleteConnectClient', () => {
  const app = sharedApplication({ topic: 'suite' });
  const replica = replicaOfSuite(app);
  const organization = sharedOrganization(app);

  const remove = (id: string): Promise<Answer> =>
    app.api.delete(`/connect/clients/${id}`, { key: organization.managementKey });

  const exchange = (secret: string, code: string): Promise<Answer<ExchangeAuthCodeResponse>> =>
    app.api.post('/auth/keys', { key: secret, json: { code } });

  const codesOf = (id: string): Promise<unknown[]> =>
    app.rows('SELECT id FROM authorization_codes WHERE connect_client_id = $1', [id]);

  it('answers 200 and deletes the client, its keys (401 from then on) and its codes (403), and nothing else', async () => {
    const url = 'https://deleted.example.com/callback';
    const { data, client_secret: secret } = await newClient(app, organization.managementKey, 'deleted', [url]);
    const other = await newClient(app, organization.managementKey, 'other');
    const made = (await exchange(secret, await newCode(app, organization.managementKey, { callback_url: url }))).body
      .key;
    const openCode = await newCode(app, organization.managementKey, { callback_url: url });
    const others = [
      (await newKey(app, organization.managementKey)).key,
      (await app.factory.key(organization, { connectClientId: other.data.id })).plaintext,
    ];
    expect(await codesOf(data.id)).toHaveLength(2);

    const answer = await remove(data.id);

    expect([answer.status, answer.body]).toEqual([200, { deleted: true }]);
    expect(await app.rows('SELECT id FROM connect_clients WHERE id = $1', [data.id])).toEqual([]);
    expect(await codesOf(data.id)).toEqual([]);
    for (const server of [app, replica]) {
      expect(await isSecretAccepted(server, secret)).toBe(false);
      expect(await isSecretAccepted(server, other.client_secret)).toBe(true);
      expect(await statusOfCurrentKey(server, made)).toBe(401);
      for (const kept of others) expect(await statusOfCurrentKey(server, kept)).toBe(200);
    }
    expect(
      (await app.api.post('/auth/keys', { key: organization.managementKey, json: { code: openCode } })).status,
    ).toBe(403);
    expect((await auditEventsOf(app, data.id)).slice(1)).toEqual([
      {
        action: 'connect_client.delete',
        target_type: 'connect_client',
        target_id: data.id,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: {
          name: { before: 'deleted' },
          callback_urls: { before: [url] },
          deleted_keys: { before: [sha256(made)] },
          deleted_codes: { before: 2 },
        },
      },
    ]);
  });

  it('answers 200 once, and 404 afterwards', async () => {
    const { data } = await newClient(app, organization.managementKey, 'once');

    expect((await remove(data.id)).status).toBe(200);
    expectRefusal(await remove(data.id), { ...NOT_FOUND, userId: organization.userId });
    expect((await auditEventsOf(app, data.id)).map(({ action }) => action)).toEqual([
      'connect_client.create',
      'connect_client.delete',
    ]);
  });

  it("answers 404 for another organization's client, and deletes nothing: its secret is still answered 200", async () => {
    const other = await app.factory.organization();
    const foreign = await newClient(app, other.managementKey, 'foreign');
    const code = await newCode(app, other.managementKey, { callback_url: foreign.data.callback_urls[0] });

    for (const id of [foreign.data.id, UNKNOWN_UUID, 'x']) {
      expectRefusal(await remove(id), { ...NOT_FOUND, userId: organization.userId });
    }

    expect((await exchange(foreign.client_secret, code)).status).toBe(200);
  });

  it('answers 200 and leaves no key (401) of an exchange at the same time', async () => {
    const url = 'https://racing.example.com/callback';
    const { data, client_secret: secret } = await newClient(app, organization.managementKey, 'racing', [url]);
    const code = await newCode(app, organization.managementKey, { callback_url: url });
    const release = await lockRows(app, 'SELECT id FROM connect_clients WHERE id = $1 FOR UPDATE', [data.id]);
    const exchanging = exchange(secret, code);
    await untilWaitingForLock(app, 1);
    const removing = remove(data.id);
    await untilWaitingForLock(app, 2);
    await release();

    const [exchanged, removed] = await Promise.all([exchanging, removing]);

    expect([exchanged.status, removed.status]).toEqual([200, 200]);
    expect(await statusOfCurrentKey(replica, exchanged.body.key)).toBe(401);
    expect(await app.rows('SELECT id FROM api_keys WHERE connect_client_id = $1', [data.id])).toEqual([]);
  });

  it('answers 200 without a deadlock with an exchange at the same time, which is answered 403', async () => {
    const url = 'https://crossing.example.com/callback';
    const { data, client_secret: secret } = await newClient(app, organization.managementKey, 'crossing', [url]);
    const made = await app.factory.key(organization, { connectClientId: data.id });
    const code = await newCode(app, organization.managementKey, { callback_url: url });
    // Holds the deletion up where it has the client already.
    const release = await lockRows(app, 'SELECT id FROM api_keys WHERE id = $1 FOR UPDATE', [made.id]);
    const removing = remove(data.id);
    await untilWaitingForLock(app, 1);
    const exchanging = exchange(secret, code);
    await untilWaitingForLock(app, 2);
    await release();

    const [removed, exchanged] = await Promise.all([removing, exchanging]);

    expect(removed.status).toBe(200);
    expectRefusal(exchanged, { status: 403, reason: 'invalid_authorization_code' });
  });

  it('lets the creation of a code answer 409 when its client is deleted (200) meanwhile, and 200 without a client at the next attempt', async () => {
    const url = 'https://overtaken-code.example.com/callback';
    const { data } = await newClient(app, organization.managementKey, 'overtaken-code', [url]);
    // A new application is numbered under a lock of its organization, ahead of the code.
    const release = await lockRows(app, 'SELECT id FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [
      organization.organizationId,
    ]);
    const making = app.api.post('/auth/keys/code', { key: organization.managementKey, json: { callback_url: url } });
    await untilWaitingForLock(app, 1);
    expect((await remove(data.id)).status).toBe(200);
    await release();

    const refusal = { status: 409, reason: 'connect_client_deleted', userId: organization.userId };
    expectRefusal(await making, refusal);
    const code = await newCode(app, organization.managementKey, { callback_url: url });
    expect((await app.api.post('/auth/keys', { key: organization.managementKey, json: { code } })).status).toBe(200);
  });

  it('lets an exchange answer 401 when its client is deleted (200) meanwhile', async () => {
    const { data, client_secret: secret } = await newClient(app, organization.managementKey, 'overtaken');
    // A code of no client: its row outlives the client.
    const code = await newCode(app, organization.managementKey);
    const release = await lockRows(
      app,
      `SELECT id FROM authorization_codes WHERE code_hash = decode($1, 'hex') FOR UPDATE`,
      [sha256(code)],
    );
    const exchanging = exchange(secret, code);
    await untilWaitingForLock(app, 1);
    expect((await remove(data.id)).status).toBe(200);
    await release();

    expectRefusal(await exchanging, { status: 401, reason: 'invalid_credential' });
    expect((await app.api.post('/auth/keys', { key: organization.managementKey, json: { code } })).status).toBe(200);
  });

  it.each(['connect_clients', 'api_keys', 'authorization_codes'])(
    'answers 500 and deletes nothing when %s cannot be changed',
    async (table) => {
      const url = `https://${table.replaceAll('_', '-')}.example.com/`;
      const { data, client_secret: secret } = await newClient(app, organization.managementKey, table, [url]);
      await exchange(secret, await newCode(app, organization.managementKey, { callback_url: url }));
      await app.rows(
        `CREATE FUNCTION refuse_${table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`,
      );
      await app.rows(`CREATE TRIGGER refuse BEFORE DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_${table}()`);
      const rows = async (): Promise<unknown> => [
        await app.rows('SELECT * FROM connect_clients ORDER BY id'),
        await app.rows('SELECT * FROM api_keys ORDER BY id'),
        await app.rows('SELECT * FROM authorization_codes ORDER BY id'),
        await app.rows('SELECT count(*) FROM audit_events'),
      ];
      const before = await rows();

      expect((await remove(data.id)).status).toBe(500);

      expect(await rows()).toEqual(before);
      await app.rows(`DROP TRIGGER refuse ON ${table}`);
      expect((await remove(data.id)).status).toBe(200);
    },
  );
});
