import { sharedApplication } from '../../support/application/shared-application.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { Directory, expectScimError, type ScimAnswer, type ScimBody } from './directory.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

describe('a list of users', () => {
  const app = sharedApplication({ topic: 'suite' });
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
          [ENTERPRISE]: { department: `D${index}`, ...(index === 5 && { manager: { displayName: 'Boss' } }) },
        }),
      );
    }
    await directory.group('Team', [ids[1]!, ids[2]!]);
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
    ['emails[primary eq true].value eq "w4@example.com"', [4]],
    ['emails[display sw "x"]', []],
    ['groups[display eq "team"]', [1, 2]],
    ['groups[display co "ea" and type eq "direct"]', [1, 2]],
    ['groups.display eq "Team"', [1, 2]],
    [`${ENTERPRISE}:manager.displayName eq "boss"`, [5]],
    ['meta.resourceType eq "User" and externalId eq "Ext-7"', [7]],
    ['meta.resourceType eq "Group"', []],
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

describe('a list of groups', () => {
  const app = sharedApplication({ topic: 'suite' });
  const directory = filledBefore(beforeAll, () => Directory.make(app));
  const users: Record<string, string> = filledBefore(beforeAll, async () => ({
    ada: await directory.user('ada@example.com'),
    bob: await directory.user('Bob@example.com'),
  }));
  const groups: Record<string, string> = filledBefore(beforeAll, async () => ({
    both: await directory.group('Both', [users['ada']!, users['bob']!]),
    one: await directory.group('One', [users['bob']!]),
    none: await directory.group('None'),
  }));

  /** Of each group of a list its members; undefined where they are not shown. */
  const membersIn = ({ status, body }: ScimAnswer): unknown[] => {
    expect([status, body.detail]).toEqual([200, undefined]);
    return body.Resources.map(({ members }) => members?.map(({ value }) => value).sort());
  };

  it.each([
    'attributes=members',
    'attributes=displayName,MEMBERS',
    'attributes=members.value',
    'attributes=members.value,members.display',
    'attributes=urn:ietf:params:scim:schemas:core:2.0:Group:members',
  ])('answers 200 with the members of each to ?%s', async (query) => {
    expect(membersIn(await directory.get(`/Groups?${query}`))).toEqual([
      [users['ada'], users['bob']].sort(),
      [users['bob']],
      [],
    ]);
  });

  it('answers 200 with members as one group has them, and with the parts of them that are asked for', async () => {
    const [listed] = (await directory.get('/Groups?attributes=members,displayName')).body.Resources;
    const single = (await directory.get(`/Groups/${groups['both']}`)).body;
    expect([listed!.displayName, listed!.members]).toEqual([single.displayName, single.members]);

    const [parts] = (await directory.get('/Groups?attributes=members.display')).body.Resources;
    expect(parts!.members).toEqual(
      expect.arrayContaining([{ display: 'ada@example.com' }, { display: 'Bob@example.com' }]),
    );
    expect(parts!.displayName).toBeUndefined();
  });

  it.each(['', 'attributes=displayName', 'excludedAttributes=members', 'excludedAttributes=displayName'])(
    'answers 200 without members, which are not asked for, to ?%s',
    async (query) => {
      expect(membersIn(await directory.get(`/Groups?${query}`))).toEqual([undefined, undefined, undefined]);
    },
  );

  it('answers 200 with members to a search by POST that asks for them, and to a page of none', async () => {
    const search = { attributes: ['members'], filter: 'displayName eq "one"' };
    expect(membersIn(await directory.post('/Groups/.search', search))).toEqual([[users['bob']]]);
    const excluding = { excludedAttributes: ['members'], filter: 'displayName eq "one"' };
    expect(membersIn(await directory.post('/Groups/.search', excluding))).toEqual([undefined]);
    expect(membersIn(await directory.get('/Groups?attributes=members&count=0'))).toEqual([]);
  });

  it.each<[filter: string, names: string[]]>([
    ['members[display sw "ADA"]', ['both']],
    ['members[display eq "bob@example.com"]', ['both', 'one']],
    ['members.display co "example"', ['both', 'one']],
    ['members[type eq "User"]', ['both', 'one']],
    ['members[type eq "Group"]', []],
    ['members.type ne "User"', ['none']],
    ['members[type eq "User" and display ew "a@example.com"]', ['both']],
    ['not (members pr)', ['none']],
    ['meta.resourceType eq "Group" and displayName eq "None"', ['none']],
  ])('answers 200 to the filter %s', async (filter, names) => {
    const { status, body } = await directory.find('Groups', filter);

    expect([status, body.Resources.map(({ id }) => id)]).toEqual([200, names.map((name) => groups[name])]);
  });

  it.each(['members[shoe eq "x"]', 'members[display gt 7]', 'members[members eq "x"]', 'members.value.x eq "x"'])(
    'answers 400 to the filter %s, and never with an empty list',
    async (filter) => {
      expectScimError(await directory.find('Groups', filter), 400, 'invalidFilter');
    },
  );
});

describe('a list of groups of many members', () => {
  const app = sharedApplication({ topic: 'suite' });
  const directory = filledBefore(beforeAll, () => Directory.make(app));
  const sizes = [6_000, 4_001, 5_000, 10_001, 1];
  const ids: string[] = [];

  beforeAll(async () => {
    const { organizationId } = directory.organization;
    const most = Math.max(...sizes);
    const prefix = `user_of_many_${organizationId}`;
    for (let first = 1; first <= most; first += 2_500) {
      const part = [prefix, first, Math.min(first + 2_499, most)];
      await app.rows(
        `INSERT INTO users (id, name, email, created_at)
          SELECT $1::text || '_' || n, 'User', 'user@example.com', now() FROM generate_series($2::integer, $3::integer) AS n`,
        part,
      );
      await app.rows(
        `INSERT INTO organization_members (id, organization_id, user_id, role, created_at)
          SELECT gen_random_uuid(), $4, $1::text || '_' || n, 'member', now() FROM generate_series($2::integer, $3::integer) AS n`,
        [...part, organizationId],
      );
    }
    for (const size of sizes) {
      const id = await directory.group(`Of ${size}`);
      ids.push(id);
      await app.rows(
        `INSERT INTO scim_group_members (organization_id, scim_group_id, user_id, created_at)
          SELECT $1, $2, $3::text || '_' || n, now() FROM generate_series(1, $4::integer) AS n`,
        [organizationId, id, prefix, size],
      );
    }
  });

  it('answers 200 with pages that end before they have more than 10,000 members, each group once and whole', async () => {
    const pages: number[][] = [];
    for (let startIndex = 1; startIndex <= sizes.length;) {
      const { status, body } = await directory.get(`/Groups?attributes=members.value&startIndex=${startIndex}`);
      expect([status, body.startIndex, body.totalResults]).toEqual([200, startIndex, sizes.length]);
      expect(body.itemsPerPage).toBe(body.Resources.length);
      expect(body.Resources.map(({ id }) => id)).toEqual(ids.slice(startIndex - 1, startIndex - 1 + body.itemsPerPage));
      for (const { members } of body.Resources)
        expect(new Set(members!.map(({ value }) => value)).size).toBe(members!.length);
      pages.push(body.Resources.map(({ members }) => members!.length));
      startIndex += body.itemsPerPage;
    }

    expect(pages).toEqual([[6_000], [4_001, 5_000], [10_001], [1]]);
    expect((await directory.get('/Groups')).body.itemsPerPage).toBe(sizes.length);
  });
});

describe('a directory', () => {
  const app = sharedApplication({ topic: 'suite' });

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
