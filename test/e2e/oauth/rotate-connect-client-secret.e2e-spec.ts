import { replicaOfSuite, sharedApplication } from '../../support/application/shared-application.js';
import type { IssuedConnectClientResponse } from '../../../src/modules/oauth/clients/connect-client.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { newCode } from '../../support/resources/authorization-codes.js';
import { isSecretAccepted, newClient } from '../../support/resources/connect-clients.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { storedText } from '../../support/database/stored-text.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

describe('rotateConnectClientSecret', () => {
  const app = sharedApplication({ topic: 'suite' });
  const replica = replicaOfSuite(app);
  const organization = sharedOrganization(app);

  const rotate = (id: string, json?: object): Promise<Answer<IssuedConnectClientResponse>> =>
    app.api.post(`/connect/clients/${id}/rotate-secret`, { key: organization.managementKey, ...(json && { json }) });

  const rotated = async (id: string, json?: object): Promise<IssuedConnectClientResponse> => {
    const answer = await rotate(id, json);
    expect(answer.status).toBe(201);
    return answer.body;
  };

  /** Which of some secrets each replica takes. */
  const taken = async (...secrets: string[]): Promise<boolean[]> => {
    const [here, there] = await Promise.all(
      [app, replica].map((server) => Promise.all(secrets.map((secret) => isSecretAccepted(server, secret)))),
    );
    expect(here).toEqual(there);
    return here!;
  };

  it.each([undefined, {}, { grace_seconds: 0 }])(
    'answers 201 with another secret that replaces the old one at once for %j',
    async (json) => {
      const before = await newClient(app, organization.managementKey, 'at-once');

      const after = await rotated(before.data.id, json);

      expect(after).toEqual({
        data: before.data,
        client_secret: expect.stringMatching(/^cs-gate-v2-[0-9A-Za-z]{22}-[0-9a-f]{72}$/) as unknown,
      });
      expect(await taken(before.client_secret, after.client_secret)).toEqual([false, true]);
    },
  );

  it('answers 201 and accepts the old secret until the grace ends, at most two secrets at once', async () => {
    const first = await newClient(app, organization.managementKey, 'with-grace');
    const { id } = first.data;

    const second = await rotated(id, { grace_seconds: 600 });
    expect(await taken(first.client_secret, second.client_secret)).toEqual([true, true]);
    const third = await rotated(id, { grace_seconds: 604_800 });
    expect(await taken(first.client_secret, second.client_secret, third.client_secret)).toEqual([false, true, true]);
    await app.rows(
      `UPDATE connect_clients SET previous_secret_expires_at = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    expect(await taken(second.client_secret, third.client_secret)).toEqual([false, true]);
  });

  it('answers 201 without a grace after a rotation with one, and accepts no earlier secret', async () => {
    const first = await newClient(app, organization.managementKey, 'grace-ended');
    const second = await rotated(first.data.id, { grace_seconds: 600 });

    const third = await rotated(first.data.id, { grace_seconds: 0 });

    const secrets = [first, second, third].map((issued) => issued.client_secret);
    expect(await taken(...secrets)).toEqual([false, false, true]);
  });

  it('answers 201 and keeps keys and codes of the client, for both secrets (200)', async () => {
    const before = await newClient(app, organization.managementKey, 'keeps');
    const made = await app.factory.key(organization, { connectClientId: before.data.id });
    const code = await newCode(app, organization.managementKey, { callback_url: before.data.callback_urls[0] });

    const after = await rotated(before.data.id, { grace_seconds: 60 });

    const exchange = await app.api.post('/auth/keys', { key: before.client_secret, json: { code } });
    expect(exchange.status).toBe(200);
    expect((await app.api.delete(`/keys/${made.hash}`, { key: after.client_secret })).status).toBe(200);
  });

  it('answers 201 and records the rotation, without storing the secret', async () => {
    const before = await newClient(app, organization.managementKey, 'recorded');
    const after = await rotated(before.data.id, { grace_seconds: 60 });

    expect((await auditEventsOf(app, before.data.id)).slice(1)).toEqual([
      {
        action: 'connect_client.rotate_secret',
        target_type: 'connect_client',
        target_id: before.data.id,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: { grace_seconds: { after: 60 } },
      },
    ]);
    const texts = [...(await storedText(app)).values(), app.logLines.join('')].join('\n');
    for (const secret of [before.client_secret, after.client_secret]) expect(texts).not.toContain(secret.slice(11, 75));
  });

  it.each([
    ['a negative grace', { grace_seconds: -1 }, 'grace_seconds'],
    ['a grace above a week', { grace_seconds: 604_801 }, 'grace_seconds'],
    ['text', { grace_seconds: '60' }, 'grace_seconds'],
    ['another field', { client_secret: 'x' }, 'client_secret'],
  ])('answers 400 for %s', async (_, json, path) => {
    const { data, client_secret: secret } = await newClient(app, organization.managementKey, 'refused');
    const refusal = { status: 400, reason: 'invalid_parameters', paths: [path] };

    expectRefusal(await rotate(data.id, json), { ...refusal, userId: organization.userId });
    expect(await taken(secret)).toEqual([true]);
  });

  it("answers 404 for another organization's client, as for a missing one", async () => {
    const other = await app.factory.organization();
    const foreign = await newClient(app, other.managementKey, 'foreign');

    for (const id of [foreign.data.id, UNKNOWN_UUID, 'x']) {
      const refusal = { status: 404, reason: 'connect_client_not_found' };
      expectRefusal(await rotate(id), { ...refusal, userId: organization.userId });
    }
    expect(await taken(foreign.client_secret)).toEqual([true]);
  });
});
