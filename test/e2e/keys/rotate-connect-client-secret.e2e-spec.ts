import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { IssuedConnectClientResponse } from '../../../src/modules/keys/dto/connect-client.dto.js';
import type { Answer } from '../../support/api-client.js';
import { eventsOf } from '../../support/audit-events.js';
import { newCode } from '../../support/authorization-code.js';
import { isSecretTaken, newClient } from '../../support/connect-clients.js';
import { expectRefusal } from '../../support/refusal.js';
import { storedText } from '../../support/stored-text.js';
import { TestApplication } from '../../support/test-application.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';
import { UNKNOWN_UUID } from '../../support/wire-forms.js';

describe('POST /connect/clients/{id}/rotate-secret', () => {
  let app: TestApplication;
  let replica: TestApplication;
  let organization: NewOrganization;
  let key: string;

  beforeAll(async () => {
    app = await TestApplication.start();
    replica = await TestApplication.start({ database: app.database });
    organization = await app.factory.organization();
    key = organization.managementKey;
  });

  afterAll(async () => {
    await replica.stop();
    await app.stop();
  });

  const rotate = (id: string, json?: object): Promise<Answer<IssuedConnectClientResponse>> =>
    app.api.post(`/connect/clients/${id}/rotate-secret`, { key, ...(json && { json }) });

  const rotated = async (id: string, json?: object): Promise<IssuedConnectClientResponse> => {
    const answer = await rotate(id, json);
    expect(answer.status).toBe(201);
    return answer.body;
  };

  /** Which of some secrets each replica takes. */
  const taken = async (...secrets: string[]): Promise<boolean[]> => {
    const [here, there] = await Promise.all(
      [app, replica].map((server) => Promise.all(secrets.map((secret) => isSecretTaken(server, secret)))),
    );
    expect(here).toEqual(there);
    return here!;
  };

  it.each([undefined, {}, { grace_seconds: 0 }])('gives the client another secret at once, told %j', async (json) => {
    const before = await newClient(app, key, 'at-once');

    const after = await rotated(before.data.id, json);

    expect(after).toEqual({
      data: before.data,
      client_secret: expect.stringMatching(/^cs-gate-v1-[0-9a-f]{72}$/) as unknown,
    });
    expect(await taken(before.client_secret, after.client_secret)).toEqual([false, true]);
  });

  it('beside the old one until the grace ends, of two secrets at most', async () => {
    const first = await newClient(app, key, 'with-grace');
    const { id } = first.data;

    const second = await rotated(id, { grace_seconds: 600 });
    expect(await taken(first.client_secret, second.client_secret)).toEqual([true, true]);
    const third = await rotated(id, { grace_seconds: 604_800 });
    expect(await taken(first.client_secret, second.client_secret, third.client_secret)).toEqual([false, true, true]);
    await app.rows('UPDATE connect_clients SET previous_secret_expires_at = now() WHERE id = $1', [id]);
    expect(await taken(second.client_secret, third.client_secret)).toEqual([false, true]);
  });

  it('leaves the client its keys and its codes, for both secrets', async () => {
    const before = await newClient(app, key, 'keeps');
    const made = await app.factory.key(organization, { connectClientId: before.data.id });
    const code = await newCode(app, key, { callback_url: before.data.callback_urls[0] });

    const after = await rotated(before.data.id, { grace_seconds: 60 });

    const exchange = await app.api.post('/auth/keys', { key: before.client_secret, json: { code } });
    expect(exchange.status).toBe(200);
    expect((await app.api.delete(`/keys/${made.hash}`, { key: after.client_secret })).status).toBe(200);
  });

  it('is recorded, and keeps no secret anywhere', async () => {
    const before = await newClient(app, key, 'recorded');
    const after = await rotated(before.data.id, { grace_seconds: 60 });

    expect((await eventsOf(app, before.data.id)).slice(1)).toEqual([
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
  ])('refuses %s', async (_, json, path) => {
    const { data, client_secret: secret } = await newClient(app, key, 'refused');
    const refusal = { status: 400, reason: 'invalid_parameters', paths: [path] };

    expectRefusal(await rotate(data.id, json), { ...refusal, userId: organization.userId });
    expect(await taken(secret)).toEqual([true]);
  });

  it("does not find another organization's client, as if there were none", async () => {
    const other = await app.factory.organization();
    const foreign = await newClient(app, other.managementKey, 'foreign');

    for (const id of [foreign.data.id, UNKNOWN_UUID, 'x']) {
      const refusal = { status: 404, reason: 'connect_client_not_found' };
      expectRefusal(await rotate(id), { ...refusal, userId: organization.userId });
    }
    expect(await taken(foreign.client_secret)).toEqual([true]);
  });

  describeWhoMayCall(['management_key'], async () => ({
    app,
    organization,
    operationId: 'rotateConnectClientSecret',
    method: 'POST',
    path: `/connect/clients/${(await app.factory.client(organization)).id}/rotate-secret`,
    json: { grace_seconds: 60 },
  }));
});
