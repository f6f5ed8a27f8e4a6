import { withIncluded } from '../../../src/auth/permissions.js';
import type { ManagementPrincipal } from '../../../src/auth/principal.js';
import { PermissionMissing } from '../../../src/http/errors/request.errors.js';
import { MemberAdministrationService } from '../../../src/modules/organizations/members/member-administration.service.js';
import type { OrganizationMemberResponse } from '../../../src/modules/organizations/members/member.dto.js';
import { MembersService } from '../../../src/modules/organizations/members/members.service.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { newKey, statusOfCurrentKey } from '../../support/resources/keys.js';
import { MemberStates } from '../../support/resources/members.js';

const ADA = { name: 'Ada Lovelace', email: 'Ada@example.com', role: 'org:member' };

describe('the operations on members', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);
  const states = new MemberStates(app, () => organization.organizationId);

  const create = (json: object, key = organization.managementKey) =>
    app.api.post<OrganizationMemberResponse>('/organization/members', { key, json });

  const update = (id: string, json: object, key = organization.managementKey) =>
    app.api.patch<OrganizationMemberResponse>(`/organization/members/${id}`, { key, json });

  const get = (id: string) =>
    app.api.get<OrganizationMemberResponse>(`/organization/members/${id}`, { key: organization.managementKey });

  /** A caller who may change members, and nothing else. */
  const restricted = (): ManagementPrincipal => ({
    kind: 'management_key',
    origin: null,
    organizationId: organization.organizationId,
    userId: organization.userId,
    credentialId: organization.managementKeyId,
    permissions: withIncluded(['organization_members_write']),
    onlyOwn: false,
  });

  describe('createOrganizationMember', () => {
    it('answers 201 with the member, of whom the trail has neither name nor address', async () => {
      const { status, body } = await create(ADA);

      expect(status).toBe(201);
      expect(body.data).toEqual({
        id: expect.stringMatching(/^user_[0-9a-f]{32}$/),
        name: 'Ada Lovelace',
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: 'Ada@example.com',
        role: 'org:member',
        status: 'active',
        kind: 'person',
        scim_managed: false,
      });
      expect((await get(body.data.id)).body).toEqual(body);
      const events = await auditEventsOf(app, body.data.id);
      expect(events).toMatchObject([
        { action: 'member.create', changes: { role: { after: 'member' }, kind: { after: 'person' } } },
      ]);
      expect(JSON.stringify(events)).not.toMatch(/lovelace|example\.com/i);
    });

    it('answers 201 for services without an address, however many there are', async () => {
      for (const name of ['Build', 'Deploy']) {
        const { status, body } = await create({ name, role: 'org:member', kind: 'service' });
        expect([status, body.data]).toMatchObject([201, { kind: 'service', email: '' }]);
      }
    });

    it('answers 409 for an address that another member has, in any case, and 201 once that one has ended', async () => {
      const { body } = await create(ADA);
      for (const email of ['ada@EXAMPLE.com', 'Ada@example.com']) {
        expectRefusal(await create({ ...ADA, email }), {
          status: 409,
          reason: 'member_email_taken',
          userId: organization.userId,
        });
      }
      await states.deactivate([body.data.id]);
      expect((await create(ADA)).status).toBe(409);
      await states.end([body.data.id], 'administrator');
      const again = await create(ADA);
      expect(again.status).toBe(201);
      expect(again.body.data.id).not.toBe(body.data.id);
    });

    it('answers 201 for one of several requests with the same address at once, and 409 for the others', async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => create(ADA)));

      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    });

    it('answers 201 for an address that a member of another organization has', async () => {
      await create(ADA);
      const other = await app.factory.organization();
      expect((await create(ADA, other.managementKey)).status).toBe(201);
    });

    it.each([
      ['no name', { name: undefined }, ['name']],
      ['an empty name', { name: '' }, ['name', 'name']],
      ['a name of spaces', { name: ' \u3000 ' }, ['name']],
      ['a line break in the name', { name: 'Ada\nLovelace' }, ['name']],
      ['a NUL in the name', { name: 'Ada\u0000' }, ['name', 'name']],
      ['a turned direction in the name', { name: 'Ada \u202eecalevoL' }, ['name']],
      ['a very long name', { name: 'a'.repeat(257) }, ['name']],
      ['no address of a person', { email: undefined }, ['email']],
      ['an address without an at sign', { email: 'ada.example.com' }, ['email']],
      ['an address with a line break', { email: 'ada@example.com\r\nBcc: x@example.com' }, ['email']],
      ['an unknown role', { role: 'owner' }, ['role']],
      ['an unknown kind', { kind: 'robot' }, ['kind']],
      ['a status', { status: 'active' }, ['status']],
    ])('answers 400 for %s', async (_, fields, paths) => {
      expectRefusal(await create({ ...ADA, ...fields }), {
        status: 400,
        reason: 'invalid_parameters',
        paths,
        userId: organization.userId,
      });
    });
  });

  describe('updateOrganizationMember', () => {
    it('answers 200 with another name, which the trail does not have', async () => {
      const { body } = await create(ADA);
      const { id } = body.data;

      const renamed = await update(id, { name: 'Grace Brewster Hopper' });

      expect([renamed.status, renamed.body.data]).toMatchObject([
        200,
        { first_name: 'Grace', last_name: 'Brewster Hopper' },
      ]);
      const events = await auditEventsOf(app, id);
      expect(events[1]).toMatchObject({ action: 'member.update', changes: { is_renamed: { after: true } } });
      expect(JSON.stringify(events)).not.toMatch(/grace|hopper/i);
    });

    it('answers 200 with another role and status, and refuses keys (401) from then on', async () => {
      const user = await app.factory.member(organization.organizationId);
      const { key } = await newKey(app, organization.managementKey, { creator_user_id: user });

      const changed = await update(user, { role: 'org:admin', status: 'deactivated' });

      expect([changed.status, changed.body.data]).toMatchObject([200, { role: 'org:admin', status: 'deactivated' }]);
      expect(await statusOfCurrentKey(app, key)).toBe(401);
      expect((await update(user, { status: 'active' })).body.data.status).toBe('active');
      expect(await statusOfCurrentKey(app, key)).toBe(200);
      expect((await auditEventsOf(app, user)).map(({ action }) => action)).toEqual([
        'member.update',
        'member.deactivate',
        'member.reactivate',
      ]);
    });

    it('answers 200 without an event for what is so already', async () => {
      const user = await app.factory.member(organization.organizationId);
      for (const json of [{}, { role: 'org:member' }, { status: 'active' }]) {
        expect((await update(user, json)).status).toBe(200);
      }
      expect(await auditEventsOf(app, user)).toEqual([]);
    });

    it('answers 409 for a member who has ended', async () => {
      const user = await app.factory.member(organization.organizationId);
      await states.end([user]);

      expectRefusal(await update(user, { status: 'active' }), {
        status: 409,
        reason: 'member_ended',
        userId: organization.userId,
      });
      expect((await get(user)).body.data.status).toBe('ended');
    });

    it('refuses (403) a caller who is restricted to make an administrator, or to reactivate one', async () => {
      const service = app.application.get(MemberAdministrationService);
      const [member, admin] = [
        await app.factory.member(organization.organizationId),
        await app.factory.member(organization.organizationId, 'admin'),
      ];
      await states.deactivate([admin]);

      await expect(service.create(restricted(), { ...ADA, role: 'org:admin' })).rejects.toThrow(PermissionMissing);
      await expect(service.update(restricted(), { id: member, role: 'org:admin' })).rejects.toThrow(PermissionMissing);
      await expect(service.update(restricted(), { id: admin, status: 'active' })).rejects.toThrow(PermissionMissing);

      expect((await service.create(restricted(), { ...ADA, role: 'org:member' })).data.role).toBe('org:member');
      const demoted = await service.update(restricted(), { id: admin, role: 'org:member', status: 'active' });
      expect(demoted.data).toMatchObject({ role: 'org:member', status: 'active' });
    });
  });

  it('find an address that was there from the start (409)', async () => {
    const { email } = (await get(organization.userId)).body.data;
    expect((await create({ ...ADA, email: email.toUpperCase() })).status).toBe(409);
    expect(await app.application.get(MembersService).all(organization.organizationId)).toHaveLength(1);
  });
});

describe('transferKey', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);
  const states = new MemberStates(app, () => organization.organizationId);

  const transfer = (hash: string, user: string) =>
    app.api.post<{ data: { creator_user_id: string; suspension_causes: string[] } }>(`/keys/${hash}/transfer`, {
      key: organization.managementKey,
      json: { user_id: user },
    });

  it('answers 200, and the key of a deactivated member is accepted (200) with its secret', async () => {
    const { organizationId, managementKey } = organization;
    const [leaver, next] = [await app.factory.member(organizationId), await app.factory.member(organizationId)];
    const issued = await newKey(app, managementKey, { creator_user_id: leaver });
    await states.deactivate([leaver]);
    expect(await statusOfCurrentKey(app, issued.key)).toBe(401);

    const { status, body } = await transfer(issued.data.hash, next);

    expect([status, body.data]).toMatchObject([200, { creator_user_id: next, suspension_causes: [] }]);
    expect(await statusOfCurrentKey(app, issued.key)).toBe(200);
    expect((await auditEventsOf(app, issued.data.hash)).at(-1)).toMatchObject({
      action: 'key.transfer',
      changes: {
        creator_user_id: { before: leaver, after: next },
        suspension_causes: { before: ['member_deactivated'], after: [] },
      },
    });
    await states.deactivate([next]);
    expect(await statusOfCurrentKey(app, issued.key)).toBe(401);
    await states.reactivate([leaver]);
    expect(await statusOfCurrentKey(app, issued.key)).toBe(401);
  });

  it('answers 400 for a new owner who is deactivated, 403 for a management key, and 409 for a key of an ended member', async () => {
    const { organizationId, managementKey, userId } = organization;
    const [gone, ended] = [await app.factory.member(organizationId), await app.factory.member(organizationId)];
    const [key, ofEnded] = [
      await newKey(app, managementKey),
      await newKey(app, managementKey, { creator_user_id: ended }),
    ];
    const management = await app.factory.key(organization, { kind: 'management_key' });
    await states.deactivate([gone]);
    await states.end([ended]);

    expectRefusal(await transfer(key.data.hash, gone), {
      status: 400,
      reason: 'user_not_found',
      paths: ['user_id'],
      userId,
    });
    expectRefusal(await transfer(management.hash, userId), {
      status: 403,
      reason: 'management_key_not_transferable',
      userId,
    });
    expectRefusal(await transfer(ofEnded.data.hash, userId), { status: 409, reason: 'member_ended', userId });
    expect(await statusOfCurrentKey(app, ofEnded.key)).toBe(401);
  });

  it('leaves no key that is accepted (401) when both owners are deactivated at the same time', async () => {
    const { organizationId, managementKey } = organization;
    for (let round = 0; round < 20; round += 1) {
      const [from, to] = [await app.factory.member(organizationId), await app.factory.member(organizationId)];
      const issued = await newKey(app, managementKey, { creator_user_id: from });
      await Promise.all([
        transfer(issued.data.hash, to),
        states.deactivate(round % 2 === 0 ? [from, to] : [to, from], 'directory'),
      ]);
      expect(await statusOfCurrentKey(app, issued.key)).toBe(401);
    }
  });
});

describe('transferMemberKeys', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);
  const states = new MemberStates(app, () => organization.organizationId);

  const transfer = (from: string, to: string) =>
    app.api.post<{ data: { keys: number } }>(`/organization/members/${from}/transfer-keys`, {
      key: organization.managementKey,
      json: { user_id: to },
    });

  it('answers 200 with how many there were, and every API key of a leaver is accepted (200), but no management key (401)', async () => {
    const { organizationId, managementKey } = organization;
    const [leaver, next] = [await app.factory.member(organizationId), await app.factory.member(organizationId)];
    const issued = [
      await newKey(app, managementKey, { creator_user_id: leaver }),
      await newKey(app, managementKey, { creator_user_id: leaver }),
    ];
    const management = await app.factory.key({ ...organization, userId: leaver }, { kind: 'management_key' });
    await states.deactivate([leaver]);

    const { status, body } = await transfer(leaver, next);

    expect([status, body]).toEqual([200, { data: { keys: 2 } }]);
    expect(await Promise.all(issued.map(({ key }) => statusOfCurrentKey(app, key)))).toEqual([200, 200]);
    expect(await statusOfCurrentKey(app, management.plaintext)).toBe(401);
    expect((await transfer(leaver, next)).body).toEqual({ data: { keys: 0 } });
  });

  it('answers 400 for a new owner who is deactivated, 404 for no member, and 409 for a member who has ended', async () => {
    const { organizationId, userId } = organization;
    const [gone, ended] = [await app.factory.member(organizationId), await app.factory.member(organizationId)];
    await states.deactivate([gone]);
    await states.end([ended]);

    expectRefusal(await transfer(userId, gone), {
      status: 400,
      reason: 'user_not_found',
      paths: ['user_id'],
      userId,
    });
    expectRefusal(await transfer('user_none', userId), { status: 404, reason: 'member_not_found', userId });
    expectRefusal(await transfer(ended, userId), { status: 409, reason: 'member_ended', userId });
  });
});

describe('updateOrganizationSettings', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);
  const states = new MemberStates(app, () => organization.organizationId);

  const set = (setting: string) =>
    app.api.patch('/organization/settings', {
      key: organization.managementKey,
      json: { keys_of_deactivated_members: setting },
    });

  it('answers 200, and keys of a member who is deactivated follow (200, 401), but none of a member who has ended', async () => {
    const { organizationId, managementKey } = organization;
    const [gone, ended] = [await app.factory.member(organizationId), await app.factory.member(organizationId)];
    const keys = [
      (await newKey(app, managementKey, { creator_user_id: gone })).key,
      (await newKey(app, managementKey, { creator_user_id: ended })).key,
      (await app.factory.key({ ...organization, userId: gone }, { kind: 'management_key' })).plaintext,
    ];
    const statuses = () => Promise.all(keys.map((key) => statusOfCurrentKey(app, key)));
    await states.deactivate([gone]);
    await states.end([ended]);
    expect(await statuses()).toEqual([401, 401, 401]);

    const kept = await set('keep_api_keys');
    expect([kept.status, kept.body]).toEqual([
      200,
      {
        data: {
          keys_of_deactivated_members: 'keep_api_keys',
          consent_by: 'members',
          consent_maximum_limit: null,
          id: organizationId,
          is_filtered_model_catalog_enabled: false,
        },
      },
    ]);
    expect((await app.api.get('/organization/settings', { key: managementKey })).body).toEqual(kept.body);
    expect(await statuses()).toEqual([200, 401, 401]);
    await set('keep_api_keys');
    await set('suspend');
    expect(await statuses()).toEqual([401, 401, 401]);

    const events = await auditEventsOf(app, organizationId);
    expect(events.filter(({ action }) => action === 'organization.update_settings')).toMatchObject([
      { changes: { keys_of_deactivated_members: { before: 'suspend', after: 'keep_api_keys' } } },
      { changes: { keys_of_deactivated_members: { before: 'keep_api_keys', after: 'suspend' } } },
    ]);
  });
});
