import { sharedApplication } from '../../support/application/shared-application.js';
import type {
  ExternalUserResponse,
  ListExternalUsersResponse,
} from '../../../src/modules/external-users/dto/external-user.dto.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import type { Answer } from '../../support/network/api-client.js';
import { newExternalUser } from '../../support/resources/external-users.js';

describe('external users', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);

  const pathOf = (user: string): string => `/external-users/${encodeURIComponent(user)}`;

  const list = async (query = ''): Promise<unknown[]> => {
    const { managementKey: key } = organization;
    const { status, body } = await app.api.get<ListExternalUsersResponse>(`/external-users${query}`, { key });
    expect(status).toBe(200);
    return [body.total_count, ...body.data.map(({ user }) => user)];
  };

  const patch = (user: string, json: object): Promise<Answer<ExternalUserResponse>> =>
    app.api.patch(pathOf(user), { key: organization.managementKey, json });

  it('are registered with 201 under any name, read with 200, and known with 409 after that, also by two at once', async () => {
    const { managementKey: key } = organization;
    const names = ['a/b?c#d', 'Ünïcode ☎', ' ', '😀'.repeat(512), 'customer-4711'];
    for (const user of names) {
      const created = await app.api.post<ExternalUserResponse>('/external-users', { key, json: { user } });
      expect([created.status, created.body.data]).toEqual([
        201,
        { user, is_active: true, created_at: expect.any(String), updated_at: created.body.data.created_at },
      ]);
      const read = await app.api.get<ExternalUserResponse>(pathOf(user), { key });
      expect([read.status, read.body]).toEqual([200, created.body]);
      expectRefusal(await app.api.post('/external-users', { key, json: { user } }), {
        status: 409,
        reason: 'external_user_exists',
        userId: organization.userId,
      });
    }
    expect(await list()).toEqual([5, ...names]);

    const json = { user: 'at once' };
    const both = await Promise.all([1, 2, 3].map(() => app.api.post('/external-users', { key, json })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it('are refused with 400 without a name, with one that is too long, and with what cannot be changed', async () => {
    const { managementKey: key } = organization;
    const user = await newExternalUser(app, organization, 'customer');
    for (const json of [{}, { user: '' }, { user: 'x'.repeat(513) }, { user: 4711 }, { user: 'a\u0000b' }]) {
      expect([json, (await app.api.post('/external-users', { key, json })).status]).toEqual([json, 400]);
    }
    expect((await patch(user, { is_active: null })).status).toBe(400);
    expect((await patch(user, { is_active: 'false' })).status).toBe(400);
    expect((await patch(user, { is_active: false, user: 'other' })).status).toBe(400);
    expect(await list()).toEqual([1, 'customer']);
  });

  it('are deactivated with 204 as often as asked for, recorded once, and activated again with 200: 404 for none, 409 for one that is known', async () => {
    const { managementKey: key } = organization;
    const user = await newExternalUser(app, organization, 'customer who leaves');
    const remove = (): Promise<Answer> => app.api.delete(pathOf(user), { key });

    for (const answer of [await remove(), await remove()]) expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await app.api.get<ExternalUserResponse>(pathOf(user), { key })).body.data.is_active).toBe(false);
    expect((await patch(user, {})).body.data.is_active).toBe(false);
    const active = await patch(user, { is_active: true });
    expect([active.status, active.body.data]).toMatchObject([200, { user, is_active: true }]);

    const events = await auditEventsOf(app, user);
    expect(events.map(({ action, changes }) => [action, changes])).toEqual([
      ['external_user.create', { is_active: { after: true } }],
      ['external_user.delete', { is_active: { before: true, after: false } }],
      ['external_user.update', { is_active: { before: false, after: true } }],
    ]);
    expect((await app.api.delete(pathOf('nobody'), { key })).status).toBe(404);
    expect((await app.api.post('/external-users', { key, json: { user } })).status).toBe(409);
  });

  it('are listed with 200: the active ones or all, page by page, and one by its name', async () => {
    for (const user of ['one', 'two', 'three', 'four']) await newExternalUser(app, organization, user);
    await patch('two', { is_active: false });

    expect(await list()).toEqual([3, 'one', 'three', 'four']);
    expect(await list('?include_inactive=true&offset=1&limit=2')).toEqual([4, 'two', 'three']);
    expect(await list('?offset=9')).toEqual([3]);
    expect(await list('?user=three')).toEqual([1, 'three']);
    expect(await list('?user=three&offset=1')).toEqual([1]);
    expect(await list('?user=two')).toEqual([0]);
    expect(await list('?user=two&include_inactive=true')).toEqual([1, 'two']);
    expect(await list('?user=thr')).toEqual([0]);
  });

  it('are deactivated once with an Idempotency-Key: 204, and the same 204 after they are active again', async () => {
    const { managementKey: key } = organization;
    const user = await newExternalUser(app, organization, 'customer');
    const headers = { 'idempotency-key': 'deactivate-the-customer' };
    expect((await app.api.delete(pathOf(user), { key, headers })).status).toBe(204);
    await patch(user, { is_active: true });

    const again = await app.api.delete(pathOf(user), { key, headers });

    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([204, '', 'true']);
    expect(await list()).toEqual([1, 'customer']);
  });

  it('block no request of inference, which is answered with 200, and are not registered by one', async () => {
    await app.factory.starterCatalog();
    const user = await newExternalUser(app, organization, 'customer');
    await patch(user, { is_active: false });
    const { plaintext: key } = await app.factory.key(organization);
    for (const name of [user, 'stranger']) {
      const json = { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hello' }], user: name };
      expect((await app.api.post('/chat/completions', { key, json })).status).toBe(200);
    }
    expect(await list('?include_inactive=true')).toEqual([1, user]);
  });
});
