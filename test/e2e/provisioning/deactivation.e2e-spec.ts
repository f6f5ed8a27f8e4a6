import { replicaOfSuite, sharedApplication } from '../../support/application/shared-application.js';
import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { MembersService } from '../../../src/modules/organizations/members/members.service.js';
import { MassDeactivationService } from '../../../src/modules/scim/provisioning/mass-deactivation.service.js';
import { Statements } from '../../../src/persistence/statements.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { Directory, expectScimError } from './directory.js';

describe('a directory that deactivates a user', () => {
  const app = sharedApplication({ topic: 'suite' });
  const replica = replicaOfSuite(app);
  const directory = filledBefore(beforeAll, () => Directory.make(app));
  let count = 0;

  const newUser = (): Promise<string> => directory.user(`leaver-${++count}@example.com`);
  const keyOf = async (userId: string): Promise<{ plaintext: string; hash: string }> =>
    app.factory.key(directory.organization, { userId });
  const statusOf = async (key: string, { api } = app): Promise<[number, string | undefined]> => {
    const { status, body } = await api.get<{ error?: { metadata: { reason: string } } }>('/key', { key });
    return [status, body.error?.metadata.reason];
  };
  const setActive = async (userId: string, active: boolean): Promise<void> => {
    const { status, body } = await directory.patch(`/Users/${userId}`, [{ op: 'replace', value: { active } }]);
    expect([status, body.active]).toEqual([200, active]);
  };

  it('answers 200, from when on every replica answers 401 to all keys, until the user is active again', async () => {
    const userId = await newUser();
    const [key, disabled] = [await keyOf(userId), await keyOf(userId)];
    await app.rows('UPDATE api_keys SET disabled = true WHERE hash = $1', [Buffer.from(disabled.hash, 'hex')]);
    expect(await statusOf(key.plaintext)).toEqual([200, undefined]);

    await setActive(userId, false);
    for (const one of [app, replica]) expect(await statusOf(key.plaintext, one)).toEqual([401, 'member_deactivated']);
    expect((await directory.find('Users', `id eq "${userId}"`)).body.Resources[0]!.active).toBe(false);

    await setActive(userId, true);
    for (const one of [app, replica]) expect(await statusOf(key.plaintext, one)).toEqual([200, undefined]);
    expect((await statusOf(disabled.plaintext))[0]).toBe(401);
  });

  it('answers 204 to a deletion, after which keys are refused for good, what they spent stays, and the name is free', async () => {
    const userName = 'reused@example.com';
    const userId = await directory.user(userName, { externalId: 'reused' });
    const key = await keyOf(userId);
    const groupId = await directory.group('Of leavers', [userId]);

    expect((await directory.delete(`/Users/${userId}`)).status).toBe(204);
    expectScimError(await directory.delete(`/Users/${userId}`), 404);
    expectScimError(await directory.get(`/Users/${userId}`), 404);
    expect((await directory.find('Users', `userName eq "${userName}"`)).body.totalResults).toBe(0);
    expect((await directory.get(`/Groups/${groupId}`)).body.members).toEqual([]);
    const again = await directory.user(userName, { externalId: 'reused' });

    expect(again).not.toBe(userId);
    expect((await statusOf(key.plaintext))[0]).toBe(401);
    const kept = await app.rows('SELECT 1 FROM api_keys WHERE user_id = $1', [userId]);
    expect(kept).toHaveLength(1);
    const events = await app.rows<{ action: string; actor_kind: string }>(
      'SELECT action, actor_kind FROM audit_events WHERE organization_id = $1 AND target_id = $2 ORDER BY created_at, id',
      [directory.organization.organizationId, userId],
    );
    expect(events).toEqual([
      { action: 'member.create', actor_kind: 'provisioning_token' },
      { action: 'member.delete', actor_kind: 'provisioning_token' },
    ]);
  });

  it('answers 201 to the name of a user whom an administrator has ended', async () => {
    const { organizationId } = directory.organization;
    const body = { userName: 'ended@example.com', externalId: 'ended' };
    const { id } = (await directory.post('/Users', body)).body;
    const change = { organizationId, userIds: [id], by: 'administrator' } as const;
    const members = app.application.get(MembersService);
    await app.application.get(Statements).transaction((tx) => members.end(tx, COMMAND_LINE, change));

    const again = await directory.post('/Users', body);
    expect([again.status, again.body.id === id]).toEqual([201, false]);
    expect(await app.rows('SELECT 1 FROM scim_users WHERE user_id = $1', [id])).toEqual([]);
  });

  it('answers 404 for a service account, whose keys go on, and 200 for whom an administrator has deactivated, who stays so', async () => {
    const { organizationId } = directory.organization;
    const [members, statements] = [app.application.get(MembersService), app.application.get(Statements)];
    const service = { name: 'CI', email: 'ci@example.com', role: 'member', kind: 'service' } as const;
    const [serviceId] = await statements.transaction((tx) => members.add(tx, COMMAND_LINE, organizationId, [service]));
    const key = await keyOf(serviceId!);

    expectScimError(await directory.patch(`/Users/${serviceId}`, [{ op: 'replace', value: { active: false } }]), 404);
    expectScimError(await directory.delete(`/Users/${serviceId}`), 404);
    expect(await statusOf(key.plaintext)).toEqual([200, undefined]);

    const userId = await newUser();
    const change = { organizationId, userIds: [userId], by: 'administrator' } as const;
    await statements.transaction((tx) => members.deactivate(tx, COMMAND_LINE, change));
    const answer = await directory.patch(`/Users/${userId}`, [{ op: 'replace', value: { active: true } }]);
    expect([answer.status, answer.body.active]).toEqual([200, false]);
  });

  it('answers 200 while keys are created and rotated at the same time, and no key of the user is accepted afterwards', async () => {
    const { managementKey: key } = directory.organization;
    for (let round = 0; round < 5; round += 1) {
      const userId = await newUser();
      const before = await keyOf(userId);
      const create = () =>
        app.api.post<{ key?: string }>('/keys', { key, json: { name: 'Race', creator_user_id: userId } });
      const rotate = () =>
        app.api.post<{ key?: string }>(`/keys/${before.hash}/rotate`, { key, json: { grace_seconds: 600 } });

      const [, ...answers] = await Promise.all([setActive(userId, false), create(), rotate(), create()]);

      const keys = [before.plaintext, ...answers.flatMap(({ body }) => (body.key === undefined ? [] : [body.key]))];
      for (const plaintext of keys) expect((await statusOf(plaintext))[0]).toBe(401);
      await setActive(userId, true);
      await directory.delete(`/Users/${userId}`);
    }
  });

  it('answers 200 or 409 to the same name at once, and makes one user', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => directory.post('/Users', { userName: 'At.Once@example.com' })),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });
});

describe('groups of a directory', () => {
  const app = sharedApplication({ topic: 'suite' });

  it('answers 204, and who joins or leaves a mapped group is a member of its workspace, with keys there suspended and back', async () => {
    const directory = await Directory.make(app);
    const { organization } = directory;
    const workspaceId = await app.factory.workspace(organization);
    const userId = await directory.user('mapped@example.com');
    const groupId = await directory.group('Mapped');
    await app.factory.scimMapping(organization, groupId, workspaceId);
    const isMember = async (): Promise<boolean> =>
      (
        await app.rows('SELECT 1 FROM workspace_members WHERE workspace_id = $1 AND user_id = $2', [
          workspaceId,
          userId,
        ])
      ).length === 1;

    await directory.patch(`/Groups/${groupId}`, [{ op: 'add', path: 'members', value: [{ value: userId }] }]);
    expect(await isMember()).toBe(true);
    const { plaintext: key } = await app.factory.key(organization, { userId, workspaceId });
    await directory.patch(`/Groups/${groupId}`, [{ op: 'remove', path: `members[value eq "${userId}"]` }]);
    expect([await isMember(), (await app.api.get('/key', { key })).status]).toEqual([false, 401]);
    await directory.put(`/Groups/${groupId}`, { displayName: 'Mapped', members: [{ value: userId }] });
    expect([await isMember(), (await app.api.get('/key', { key })).status]).toEqual([true, 200]);
    expect((await directory.delete(`/Groups/${groupId}`)).status).toBe(204);
    expect(await isMember()).toBe(false);
  });
});

describe('a directory that deactivates many users', () => {
  const app = sharedApplication({ topic: 'suite' });

  it('answers 200, is recorded once, and is taken back by one command', async () => {
    const directory = await Directory.make(app);
    const { organizationId } = directory.organization;
    const userIds: string[] = [];
    for (let index = 0; index < 9; index += 1) userIds.push(await directory.user(`many-${index}@example.com`));
    const since = new Date();
    const events = (action: string): Promise<{ changes: unknown }[]> =>
      app.rows('SELECT changes FROM audit_events WHERE organization_id = $1 AND action = $2', [organizationId, action]);

    const recorded: number[] = [];
    for (const userId of userIds.slice(0, 4)) {
      expect((await directory.patch(`/Users/${userId}`, [{ op: 'replace', value: { active: false } }])).status).toBe(
        200,
      );
      recorded.push((await events('organization.mass_deactivation')).length);
    }

    // More than a fifth of ten members, of whom one was made by hand.
    expect(recorded).toEqual([0, 0, 1, 1]);
    expect((await events('organization.mass_deactivation'))[0]!.changes).toMatchObject({
      deactivated_members: { after: 3 },
      active_members: { after: 7 },
    });
    const service = app.application.get(MassDeactivationService);
    expect([...(await service.reactivate(COMMAND_LINE, organizationId, since, null))].sort()).toEqual(
      userIds.slice(0, 4).sort(),
    );
    expect(await events('member.reactivate')).toHaveLength(4);
    expect((await directory.find('Users', 'active eq false')).body.totalResults).toBe(0);
  });
});

describe('a directory with many users', () => {
  const app = sharedApplication({ topic: 'suite' });

  it('answers 204 to one PATCH that adds 10,000 members to a mapped group', async () => {
    const directory = await Directory.make(app);
    const { organization } = directory;
    await app.rows(
      `WITH made AS (INSERT INTO users (id, name, email, created_at)
          SELECT 'user_' || md5($1 || n), 'User', n || '@example.com', now() FROM generate_series(1, 10000) AS n RETURNING id)
        INSERT INTO organization_members (id, organization_id, user_id, role, created_at)
          SELECT gen_random_uuid(), $1, id, 'member', now() FROM made`,
      [organization.organizationId],
    );
    // As autovacuum does: plans that were made for a few rows are made anew.
    await app.rows('ANALYZE users, organization_members, scim_users, scim_group_members, api_keys, workspace_members');
    const rows = await app.rows<{ user_id: string }>(
      'SELECT user_id FROM organization_members WHERE organization_id = $1',
      [organization.organizationId],
    );
    const groupId = await directory.group('Everybody');
    await app.factory.scimMapping(organization, groupId, await app.factory.workspace(organization));

    const value = rows.map(({ user_id: userId }) => ({ value: userId }));
    const { status } = await directory.patch(`/Groups/${groupId}`, [{ op: 'add', path: 'members', value }]);

    expect(status).toBe(204);
    expect((await directory.get(`/Groups/${groupId}`)).body.members).toHaveLength(rows.length);
  });
});
