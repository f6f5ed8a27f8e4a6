import { applicationOfSuite } from '../../support/application/application-of-suite.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { Directory, expectScimError, type ScimBody } from './directory.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

describe('a list of users', () => {
  const app = applicationOfSuite();
  const directory = filledBefore(beforeAll, () => Directory.make(app));
  const ids: string[] = [];

  beforeAll(async () => {
    for (let index = 0; index < 12; index += 1) {
      ids.push(
        await directory.user(`User.${index}@Example.com`, {
          externalId: `Ext-${index}`,
          displayName: index % 2 === 0 ? `Even "${index}" \\ %_ é` : `Odd ${index}`,
          active: index !== 3,
          emails: [
            { value: `w${index}@example.com`, type: 'work', primary: true },
            { value: `h@example.com`, type: index === 0 ? 'home' : 'other' },
          ],
          [ENTERPRISE]: { department: `D${index}` },
        }),
      );
    }
  });
  const found = async (filter: string): Promise<number[]> => {
    const { status, body } = await directory.find('Users', filter);
    expect([status, body.detail]).toEqual([200, undefined]);
    return body.Resources.map(({ id }) => ids.indexOf(id));
  };

  it.each<[filter: string, indexes: number[]]>([
    ['userName eq "user.1@example.com"', [1]],
    ['USERNAME EQ "USER.1@EXAMPLE.COM"', [1]],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "user.1@example.com"', [1]],
    ['externalId eq "Ext-2"', [2]],
    ['externalId eq "ext-2"', []],
    ['userName eq "user.3@example.com" and active eq true', []],
    ['userName eq "user.3@example.com" and active eq "False"', [3]],
    ['active eq false', [3]],
    ['emails[type eq "work"].value eq "W4@example.com"', [4]],
    ['emails[type eq "home"].value eq "w0@example.com"', []],
    ['emails[type eq "home" and value eq "h@example.com"]', [0]],
    ['emails.value eq "w5@example.com"', [5]],
    ['emails eq "w5@example.com"', [5]],
    ['displayName eq "even \\"6\\" \\\\ %_ é"', [6]],
    ['displayName sw "Odd"', [1, 3, 5, 7, 9, 11]],
    ['displayName ew "_ é" and not (displayName co "\\"1")', [0, 2, 4, 6, 8]],
    ['displayName co "%"', [0, 2, 4, 6, 8, 10]],
    [`${ENTERPRISE}:department eq "d7"`, [7]],
    [`${ENTERPRISE}:department ge "D9"`, [9]],
    ['externalId eq "Ext-8" or externalId eq "Ext-9"', [8, 9]],
    ['externalId pr and externalId ne "Ext-0" and displayName sw "Even"', [2, 4, 6, 8, 10]],
    ['title pr', []],
    ['meta.created lt "2000-01-01T00:00:00Z"', []],
    ['userName eq "x\' OR 1=1 --"', []],
  ])('answers 200 to the filter %s', async (filter, indexes) => {
    expect(await found(filter)).toEqual(indexes);
  });

  it.each([
    'userName eq',
    'userName eq x',
    'password eq "x"',
    'shoeSize eq 44',
    'userName eq 7',
    'active gt true',
    'active eq "perhaps"',
    'meta.created gt "yesterday"',
    'userName[type eq "x"]',
    'emails[shoe eq "x"]',
    'a.b.c eq "x"',
    '__proto__ eq "x"',
    'userName eq "\\u0000"',
    `userName eq "${'x'.repeat(2_048)}"`,
    Array.from({ length: 21 }, () => 'id eq "x"').join(' or '),
    `${'('.repeat(11)}id eq "x"${')'.repeat(11)}`,
  ])('answers 400 to the filter %p, and never with an empty list', async (filter) => {
    expectScimError(await directory.find('Users', filter), 400, 'invalidFilter');
  });

  it('answers 400 to a NUL character wherever it stands', async () => {
    expectScimError(await directory.get('/Users?filter=userName+eq+%22%00%22'), 400, 'invalidValue');
    expectScimError(await directory.get('/Users/%00'), 400, 'invalidValue');
    expectScimError(await directory.post('/Users', { userName: 'a\u0000b' }), 400, 'invalidValue');
    expectScimError(await directory.post('/Users', '{"userName": "\\ud800"}'), 400, 'invalidValue');
  });

  it('answers 200 with each user once, page by page, in the order in which they were made', async () => {
    const seen: ScimBody[] = [];
    for (let page = 0; ; page += 1) {
      const { status, body } = await directory.get(`/Users?count=5&startIndex=${page * 5 + 1}`);
      expect([status, body.startIndex, body.totalResults]).toEqual([200, page * 5 + 1, 13]);
      expect(body.itemsPerPage).toBe(body.Resources.length);
      seen.push(...body.Resources);
      if (body.Resources.length < 5) break;
    }

    expect(seen.map(({ id }) => id)).toEqual([directory.organization.userId, ...ids]);
  });

  it.each([
    ['count=0', [1, 0, 13]],
    ['count=-1', [1, 0, 13]],
    ['startIndex=0&count=1', [1, 1, 13]],
    ['startIndex=-5&count=1', [1, 1, 13]],
    ['startIndex=14', [14, 0, 13]],
    ['count=1000', [1, 13, 13]],
    ['count=', [1, 13, 13]],
    ['sortBy=userName&shoe=1', [1, 13, 13]],
  ])('answers 200 to ?%s', async (query, expected) => {
    const { status, body } = await directory.get(`/Users?${query}`);

    expect([status, body.startIndex, body.itemsPerPage, body.totalResults]).toEqual([200, ...expected]);
  });

  it('answers 400 to a number that is none', async () => {
    expectScimError(await directory.get('/Users?count=many'), 400, 'invalidValue');
  });

  it('answers 200 with the attributes that are asked for, and id, schemas and meta in any case', async () => {
    const path = `/Users/${ids[0]}`;
    const keys = async (query: string): Promise<string[]> =>
      Object.keys((await directory.get(`${path}?${query}`)).body).sort();
    const always = ['id', 'meta', 'schemas'];

    expect(await keys('attributes=userName,NAME.familyName')).toEqual([...always, 'userName'].sort());
    expect(await keys(`attributes=${ENTERPRISE}:department`)).toEqual([...always, ENTERPRISE].sort());
    expect(await keys('excludedAttributes=emails,id,groups,displayName')).toEqual(
      [...always, 'active', 'externalId', ENTERPRISE, 'userName'].sort(),
    );
    const { body } = await directory.get(`${path}?attributes=emails.value`);
    expect(body.emails).toEqual([{ value: 'w0@example.com' }, { value: 'h@example.com' }]);
    expect((await directory.get(`${path}?attributes=${encodeURIComponent('emails[type eq "work"]')}`)).status).toBe(
      200,
    );
  });

  it('answers 200 to a search by POST, and to a collection with a slash behind it', async () => {
    const search = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: 'externalId eq "Ext-1"',
      attributes: ['userName'],
      startIndex: 1,
      count: 10,
    };
    const { status, body } = await directory.post('/Users/.search', search);

    expect([status, body.totalResults, body.Resources[0]!.id]).toEqual([200, 1, ids[1]]);
    expect(Object.keys(body.Resources[0]!).sort()).toEqual(['id', 'meta', 'schemas', 'userName']);
    expect((await directory.get('/Users/?count=1')).status).toBe(200);
    expect((await directory.post('/Groups/', { displayName: 'With a slash' })).status).toBe(201);
  });

  it.each([
    'application/scim+json',
    'application/json',
    'Application/SCIM+JSON; Charset=UTF-8',
    'application/json;charset="utf-8"',
  ])('answers 201 to a body of the type %s, and 204 to the deletion', async (type) => {
    const userName = `${Buffer.from(type).toString('hex')}@example.org`;
    const answer = await directory.post('/Users', { userName }, { 'content-type': type });

    expect([answer.status, answer.type]).toEqual([201, 'application/scim+json; charset=utf-8']);
    expect((await directory.delete(`/Users/${answer.body.id}`)).status).toBe(204);
  });

  it('answers 400 to a body of another type, that is no JSON, or that is no object', async () => {
    expectScimError(
      await directory.post('/Users', 'userName=x', { 'content-type': 'text/plain' }),
      400,
      'invalidSyntax',
    );
    expectScimError(await directory.post('/Users', '{"userName":'), 400, 'invalidSyntax');
    expectScimError(await directory.post('/Users', '[]'), 400, 'invalidValue');
    expectScimError(await directory.post('/Users', {}), 400, 'invalidValue');
  });

  it('answers 200 with a version, 304 to a client that has it, and 412 to a change of another one', async () => {
    const path = `/Users/${ids[6]}`;
    const { version } = (await directory.get(path)).body.meta;
    const change = [{ op: 'replace', path: 'title', value: 'Changed' }];

    const same = await directory.get(path, { 'if-none-match': version });
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', version]);
    expect((await directory.patch(path, change, { 'if-match': version })).status).toBe(200);
    expectScimError(await directory.patch(path, [{ op: 'remove', path: 'title' }], { 'if-match': version }), 412);
    expect((await directory.get(path)).body['title']).toBe('Changed');
  });
});

describe('a directory', () => {
  const app = applicationOfSuite();

  it("answers 404 with the same bytes to ids of another organization and to ids that don't exist, and 201 to the name of theirs", async () => {
    const [ours, theirs] = [await Directory.make(app), await Directory.make(app)];
    const [userId, groupId] = [await theirs.user('theirs@example.com'), await theirs.group('Theirs')];
    const missing = {
      user: `${userId.slice(0, -1)}${userId.endsWith('0') ? '1' : '0'}`,
      group: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f63',
    };
    const before = [(await theirs.get(`/Users/${userId}`)).text, (await theirs.get(`/Groups/${groupId}`)).text];
    const requests: [method: string, body: unknown][] = [
      ['GET', undefined],
      ['PUT', { userName: 'x', displayName: 'x' }],
      ['PATCH', { Operations: [{ op: 'replace', path: 'active', value: false }] }],
      ['DELETE', undefined],
    ];

    for (const [method, body] of requests) {
      for (const [type, their, none] of [
        ['Users', userId, missing.user],
        ['Groups', groupId, missing.group],
      ]) {
        const answers = [
          await ours.send(method, `/${type}/${their}`, body),
          await ours.send(method, `/${type}/${none}`, body),
        ];
        for (const answer of answers) expectScimError(answer, 404);
        expect(answers[0]!.text).toBe(answers[1]!.text);
      }
    }
    const member = await ours.post('/Groups', { displayName: 'Ours', members: [{ value: userId }] });
    expectScimError(member, 400, 'invalidValue');
    expect((await ours.find('Users', `id eq "${userId}"`)).body.totalResults).toBe(0);
    expect((await ours.post('/Users', { userName: 'theirs@example.com' })).status).toBe(201);
    expect([(await theirs.get(`/Users/${userId}`)).text, (await theirs.get(`/Groups/${groupId}`)).text]).toEqual(
      before,
    );
  });

  it('answers 403 while SCIM is not enabled, and says what enables it', async () => {
    const directory = await Directory.make(app);
    await app.rows('UPDATE organizations SET scim_enabled = false WHERE id = $1', [
      directory.organization.organizationId,
    ]);

    for (const path of ['/Users', '/Users/x', '/Groups', '/Groups/x']) {
      const answer = await directory.get(path);
      expectScimError(answer, 403);
      expect(answer.body.detail).toContain('gatehouse scim enable');
    }
  });
});
