import { sharedApplication } from '../../support/application/shared-application.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { Directory, expectScimError, type ScimAnswer } from './directory.js';

const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** What Okta's runner sends with requests of any kind. */
const OKTA_HEADERS = { 'accept-charset': 'utf-8', 'content-type': 'application/json', accept: 'application/scim+json' };

const CREATION = {
  schemas: [USER],
  userName: 'Runscope.User@atko.example',
  name: { givenName: 'Runscope', familyName: 'Test' },
  emails: [{ primary: true, value: 'runscope.user@atko.example', type: 'work' }],
  displayName: 'Runscope Test',
  active: true,
};

/** Checks the fields that Okta demands of each user. */
function expectOktaUser(user: ScimAnswer['body']): void {
  const { id, name, userName, active, emails } = user;
  const required = [id, name['familyName'], name['givenName'], userName, emails[0]!.value];
  expect(required.every((value) => typeof value === 'string' && value !== '')).toBe(true);
  expect(active).toBe(true);
}

describe("Okta's SCIM 2.0 SPEC test", () => {
  const app = sharedApplication({ topic: 'suite' });
  const directory = filledBefore(beforeAll, () => Directory.make(app));
  const created = filledBefore(beforeAll, async () => {
    const answer = await directory.post('/Users', CREATION, OKTA_HEADERS);
    return { answer };
  });

  it('1: answers 200 to the first user, with every field that Okta demands', async () => {
    const { status, body } = await directory.get('/Users?count=1&startIndex=1', OKTA_HEADERS);

    expect([status, body.schemas]).toEqual([200, [LIST]]);
    expect([body.itemsPerPage, body.startIndex, typeof body.totalResults]).toEqual([1, 1, 'number']);
    expectOktaUser(body.Resources[0]!);
  });

  it('2: answers 200 to that user by its id', async () => {
    const [first] = (await directory.get('/Users?count=1&startIndex=1')).body.Resources;
    const { status, body } = await directory.get(`/Users/${first!.id}`, OKTA_HEADERS);

    expect([status, body]).toEqual([200, first]);
  });

  it.each([
    ['3', 'userName eq "abcdefgh@atko.com"'],
    ['5', 'userName eq "8d5a2f0e1c@atko.com"'],
  ])('%s: answers 200 with an empty list to %s', async (_, filter) => {
    const { status, body } = await directory.find('Users', filter);

    expect([status, body]).toEqual([
      200,
      { schemas: [LIST], totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] },
    ]);
  });

  it.each([
    ['4', '010101001010101011001010101011'],
    ['12', '00919288221112222'],
  ])('%s: answers 404 to the user %s', async (_, id) => {
    expectScimError(await directory.get(`/Users/${id}`, OKTA_HEADERS), 404);
  });

  it('6: answers 201 to a new user, as it was sent', () => {
    const { status, body, headers, type } = created.answer;

    expect([status, type]).toEqual([201, 'application/scim+json; charset=utf-8']);
    expect(body).toMatchObject({ ...CREATION, id: expect.any(String) as string });
    expect(body.schemas).toContain(USER);
    expect(headers.get('location')).toBe(`${directory.base}/Users/${body.id}`);
    expect(headers.get('etag')).toBe(body.meta.version);
  });

  it('7: answers 200 with the names as they were sent', async () => {
    const { status, body } = await directory.get(`/Users/${created.answer.body.id}`, OKTA_HEADERS);

    expect([status, body.userName, body.name]).toEqual([200, CREATION.userName, CREATION.name]);
  });

  it('8: answers 409 to the same user again', async () => {
    expectScimError(await directory.post('/Users', CREATION, OKTA_HEADERS), 409, 'uniqueness');
  });

  it('9: answers 200 with the user to its name in capitals', async () => {
    const { status, body } = await directory.find('Users', `userName eq "${CREATION.userName.toUpperCase()}"`);

    expect([status, body.Resources.map(({ id }) => id)]).toEqual([200, [created.answer.body.id]]);
  });

  it('10: answers 200 with a list of groups', async () => {
    const { status, body } = await directory.get('/Groups', OKTA_HEADERS);

    expect([status, Array.isArray(body.Resources)]).toEqual([200, true]);
  });

  it('11: answers 401 to a header without a scheme', async () => {
    const answer = await directory.raw('GET', '/Users', ['Authorization', 'non-token']);

    expect([answer.status, answer.body]).toEqual([
      401,
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '401',
        detail: expect.stringMatching(/./) as string,
      },
    ]);
  });
});

describe("Okta's CRUD test", () => {
  const app = sharedApplication({ topic: 'suite' });
  const directory = filledBefore(beforeAll, () => Directory.make(app));
  const body = {
    schemas: [USER],
    userName: 't.user@okta.example',
    name: { givenName: 'Test', familyName: 'User' },
    emails: [{ primary: true, value: 't.user@okta.example', type: 'work' }],
    displayName: 'Test User',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  };

  it('answers 200 or 201 from the assignment of a user to its end, and keeps no password', async () => {
    const created = await directory.post('/Users', body);
    const { id } = created.body;
    expect(created.status).toBe(201);

    const [found] = (await directory.find('Users', 'userName eq "t.user@okta.example"')).body.Resources;
    expect(found).toMatchObject({
      id,
      name: body.name,
      emails: body.emails,
      externalId: body.externalId,
      active: true,
    });

    // Okta sends back what it has read, with its changes.
    const read = (await directory.get(`/Users/${id}`)).body;
    const renamed = { ...read, name: { ...read.name, givenName: 'Another', middleName: '' } };
    const replaced = await directory.put(`/Users/${id}`, renamed);
    expect([replaced.status, replaced.body.name]).toEqual([200, { givenName: 'Another', familyName: 'User' }]);

    for (const active of [false, true, false]) {
      const answer = await directory.patch(`/Users/${id}`, [{ op: 'replace', value: { active } }]);
      expect([answer.status, answer.body.active]).toEqual([200, active]);
      expect((await directory.get(`/Users/${id}`)).body.active).toBe(active);
    }
    const kept = (await directory.get(`/Users/${id}`)).body;
    expect([kept.id, kept.externalId, kept.name]).toEqual([id, body.externalId, replaced.body.name]);
    const rows = await app.rows<{ text: string }>(
      `SELECT to_jsonb(u)::text AS text FROM scim_users u WHERE organization_id = $1
       UNION ALL SELECT to_jsonb(e)::text FROM audit_events e WHERE organization_id = $1`,
      [directory.organization.organizationId],
    );
    expect(rows.filter(({ text }) => text.includes('1mz050nq'))).toEqual([]);
  });

  it('answers 200 with a member who was made by hand, who is linked by an update and not created twice', async () => {
    const { organizationId } = directory.organization;
    const userId = await app.factory.member(organizationId);
    const [{ email }] = (await app.rows('SELECT email FROM users WHERE id = $1', [userId])) as [{ email: string }];
    const [found] = (await directory.find('Users', `userName eq "${email.toUpperCase()}"`)).body.Resources;

    expect([found!.id, found!.userName, found!.active]).toEqual([userId, email, true]);
    expect(found!.name['familyName']).not.toBe('');
    const again = await directory.post('/Users', { userName: email, emails: [{ value: email }] });
    expectScimError(again, 409, 'uniqueness');
    expect(again.body.detail).toContain(userId);
    const linked = await directory.put(`/Users/${userId}`, { ...found, externalId: 'okta-1' });
    expect([linked.status, linked.body.id, linked.body.externalId]).toEqual([200, userId, 'okta-1']);
    const { body } = await app.api.get<{ data: { id: string; scim_managed: boolean }[] }>('/organization/members', {
      key: directory.organization.managementKey,
    });
    const managed = body.data.filter(({ scim_managed: isManaged }) => isManaged).map(({ id }) => id);
    expect(managed).toContain(userId);
    expect(managed).not.toContain(directory.organization.userId);
    const single = await app.api.get(`/organization/members/${userId}`, { key: directory.organization.managementKey });
    expect(single.body).toMatchObject({ data: { scim_managed: true } });
  });

  it('answers 201, 204 and 200 and keeps users when a group is pushed, linked, renamed, overwritten, emptied and deleted', async () => {
    const [ada, bob] = [await directory.user('g.ada@okta.example'), await directory.user('g.bob@okta.example')];
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:Group'];
    const { status, body: group } = await directory.post('/Groups', {
      schemas,
      displayName: 'Engineering',
      members: [],
    });
    const path = `/Groups/${group.id}`;
    expect([status, group.displayName, group.members]).toEqual([201, 'Engineering', []]);
    const memberIds = async (): Promise<string[]> =>
      (await directory.get(path)).body.members!.map(({ value }) => value).sort();

    const add = await directory.patch(path, [{ op: 'add', path: 'members', value: [{ value: ada, display: 'ada' }] }]);
    expect([add.status, add.text, await memberIds()]).toEqual([204, '', [ada]]);
    const rename = await directory.patch(path, [{ op: 'replace', value: { id: group.id, displayName: 'Engineers' } }]);
    expect([rename.status, (await directory.get(path)).body.displayName]).toEqual([204, 'Engineers']);
    await directory.patch(path, [{ op: 'replace', path: 'members', value: [{ value: bob }] }]);
    expect(await memberIds()).toEqual([bob]);
    const put = await directory.put(path, {
      schemas,
      displayName: 'Engineers',
      members: [{ value: ada }, { value: bob }],
    });
    expect([put.status, await memberIds()]).toEqual([200, [ada, bob].sort()]);
    await directory.patch(path, [{ op: 'remove', path: `members[value eq "${ada}"]` }]);
    expect(await memberIds()).toEqual([bob]);
    await directory.put(path, { schemas, displayName: 'Engineers', members: [] });
    expect(await memberIds()).toEqual([]);
    expect((await directory.delete(path)).status).toBe(204);
    expectScimError(await directory.get(path), 404);
    expect((await directory.get(`/Users/${bob}`)).body.active).toBe(true);
  });
});
