import { sharedApplication } from '../../support/application/shared-application.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { Directory, expectScimError, type ScimBody } from './directory.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** A user as each row finds it. */
const BEFORE = {
  externalId: 'before',
  displayName: 'Ada',
  title: 'Countess',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  [ENTERPRISE]: { department: 'R&D' },
};

/** What a row is about: its number, its sender, its operations, and what the user has afterwards. */
type UserRow = readonly [number: string, sender: string, operations: readonly object[], after: Partial<ScimBody>];

const manager = (value: string): Partial<ScimBody> => ({ [ENTERPRISE]: { department: 'R&D', manager: { value } } });

const USER_ROWS: readonly UserRow[] = [
  ['1', 'Entra by default', [{ op: 'Replace', path: 'active', value: 'False' }], { active: false }],
  ['2', 'Entra with its flag', [{ op: 'replace', path: 'active', value: false }], { active: false }],
  ['3', 'Okta', [{ op: 'replace', value: { active: false } }], { active: false }],
  [
    '4',
    'Okta and Entra',
    [
      { op: 'replace', value: { active: false } },
      { op: 'Replace', path: 'active', value: 'True' },
    ],
    { active: true },
  ],
  [
    '5',
    'Entra',
    [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'n@x.example' }],
    { emails: [{ type: 'work', value: 'n@x.example' }] },
  ],
  [
    '6',
    'Entra',
    [{ op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1' }],
    { phoneNumbers: [{ type: 'mobile', value: '+1' }] },
  ],
  [
    '7',
    'Entra',
    [
      { op: 'Replace', path: 'name.familyName', value: 'X' },
      { op: 'Replace', path: 'externalId', value: 'row-7' },
      { op: 'Replace', path: 'displayName', value: 'D' },
    ],
    { name: { givenName: 'Ada', familyName: 'X' }, externalId: 'row-7', displayName: 'D' },
  ],
  [
    '8',
    'Entra',
    [{ op: 'Replace', path: `${ENTERPRISE}:department`, value: 'Sales' }],
    { [ENTERPRISE]: { department: 'Sales' } },
  ],
  [
    '9',
    'Entra with its flag',
    [{ op: 'replace', value: { displayName: 'B', 'name.givenName': 'K', [`${ENTERPRISE}:employeeNumber`]: '9' } }],
    {
      displayName: 'B',
      name: { givenName: 'K', familyName: 'Lovelace' },
      [ENTERPRISE]: { department: 'R&D', employeeNumber: '9' },
    },
  ],
  ['10 (a list)', 'Entra', [{ op: 'Add', path: 'manager', value: [{ value: 'm' }] }], manager('m')],
  ['10 (a text)', 'Entra', [{ op: 'Add', path: `${ENTERPRISE}:manager`, value: 'm' }], manager('m')],
  ['10 (an object)', 'Entra', [{ op: 'Replace', path: `${ENTERPRISE}:manager`, value: { value: 'm' } }], manager('m')],
  [
    '11 (a manager)',
    "Entra's validator",
    [
      { op: 'Add', path: 'manager', value: 'm' },
      { op: 'Replace', path: 'manager', value: '' },
    ],
    { [ENTERPRISE]: { department: 'R&D' } },
  ],
  ['11 (empty)', "Entra's validator", [{ op: 'Replace', path: 'title', value: '' }], { title: undefined }],
  ['11 (null)', "Entra's validator", [{ op: 'Replace', path: 'title', value: null }], { title: undefined }],
  ['12', 'any', [{ op: 'remove', path: 'title' }], { title: undefined }],
  ['a flag in a list', 'Entra', [{ op: 'Replace', path: 'active', value: [{ value: 'False' }] }], { active: false }],
  [
    'a flag in a list without a path',
    'Entra',
    [{ op: 'Replace', value: { active: [{ value: 'False' }] } }],
    { active: false },
  ],
  [
    'a text in a list',
    'Entra',
    [{ op: 'Replace', path: 'title', value: [{ $ref: null, value: 'Lady' }] }],
    { title: 'Lady' },
  ],
  ['a removed flag', 'any', [{ op: 'remove', path: 'active' }], { active: true }],
  [
    'a flag that is removed after it was set',
    'any',
    [
      { op: 'replace', path: 'active', value: false },
      { op: 'remove', path: 'active' },
    ],
    { active: false },
  ],
  [
    'a flag that is emptied after it was set',
    'any',
    [
      { op: 'replace', path: 'active', value: false },
      { op: 'replace', path: 'active', value: null },
    ],
    { active: false },
  ],
  [
    'read-only attributes in a value',
    'any',
    [
      {
        op: 'replace',
        value: { title: 'Lady', groups: [{ value: 'g' }], meta: { lastModified: '2000-01-01T00:00:00Z' } },
      },
    ],
    { title: 'Lady', groups: undefined },
  ],
];

/** Operations that would change what only the service writes. */
const READ_ONLY: readonly object[] = [
  ...['groups', 'groups.value', 'groups[value eq "g"]', 'urn:ietf:params:scim:schemas:core:2.0:User:groups'].flatMap(
    (path) => [
      { op: 'add', path, value: [{ value: 'g' }] },
      { op: 'replace', path, value: [{ value: 'g' }] },
      { op: 'remove', path },
    ],
  ),
  ...['meta', 'meta.created', 'meta.lastModified', 'meta.location', 'META.version', 'meta.resourceType'].flatMap(
    (path) => [
      { op: 'Replace', path, value: 'x' },
      { op: 'Remove', path },
    ],
  ),
  { op: 'remove', path: 'id' },
  { op: 'replace', path: 'id', value: 'other' },
];

describe('a PATCH of a user', () => {
  const app = sharedApplication({ topic: 'suite' });
  const directory = filledBefore(beforeAll, () => Directory.make(app));
  let count = 0;

  it.each(USER_ROWS)('answers 200 to form %s, as %s sends it', async (_, __, operations, after) => {
    const userName = `row-${++count}@example.com`;
    const before = { ...BEFORE, externalId: `before-${count}` };
    const id = await directory.user(userName, before);

    const { status, body } = await directory.patch(`/Users/${id}`, operations);

    expect(status).toBe(200);
    const expected = { userName, active: true, ...before, ...after };
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, body[name]]))).toEqual(expected);
    expect((await directory.get(`/Users/${id}`)).body).toEqual(body);
  });

  it('answers 200 to form 7 with a user name, and 409 where it is taken in any case', async () => {
    await directory.user('taken@example.com');
    const id = await directory.user('renamed@example.com');

    const renamed = await directory.patch(`/Users/${id}`, [
      { op: 'Replace', path: 'userName', value: 'New@Example.com' },
    ]);
    expect([renamed.status, renamed.body.userName]).toEqual([200, 'New@Example.com']);
    const taken = await directory.patch(`/Users/${id}`, [
      { op: 'Replace', path: 'userName', value: 'TAKEN@example.com' },
    ]);
    expectScimError(taken, 409, 'uniqueness');
  });

  it('answers 400 to form 12 without a path', async () => {
    const id = await directory.user('no-target@example.com');

    expectScimError(await directory.patch(`/Users/${id}`, [{ op: 'remove' }]), 400, 'noTarget');
  });

  it('answers 400 and changes nothing where a later operation cannot be done', async () => {
    const id = await directory.user('atomic@example.com');
    const before = (await directory.get(`/Users/${id}`)).body;

    const answer = await directory.patch(`/Users/${id}`, [
      { op: 'replace', path: 'active', value: false },
      { op: 'replace', path: 'active', value: 'perhaps' },
    ]);

    expectScimError(answer, 400, 'invalidValue');
    expect((await directory.get(`/Users/${id}`)).body).toEqual(before);
  });

  it.each(READ_ONLY)('answers 400 to %j, and does nothing else of the request', async (operation) => {
    const id = await directory.user(`read-only-${++count}@example.com`, { title: 'Countess' });

    const answer = await directory.patch(`/Users/${id}`, [{ op: 'replace', path: 'title', value: 'Lady' }, operation]);

    expectScimError(answer, 400, 'mutability');
    expect((await directory.get(`/Users/${id}`)).body['title']).toBe('Countess');
  });

  it('answers 200 to a removal of active and to null, which bring no user back who has left', async () => {
    const id = await directory.user('left@example.com', { active: false });

    for (const operation of [
      { op: 'remove', path: 'active' },
      { op: 'replace', path: 'active', value: null },
      { op: 'replace', value: { active: [] } },
    ]) {
      const { status, body } = await directory.patch(`/Users/${id}`, [operation]);
      expect([status, body.active]).toEqual([200, false]);
    }
  });

  it.each<[value: readonly unknown[]]>([
    [[{ value: 'False' }, { value: 'True' }]],
    [[{}]],
    [['perhaps']],
    [[['False']]],
  ])('answers 400 to the flag %j', async (value) => {
    const id = await directory.user(`flag-${++count}@example.com`);

    const answer = await directory.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value }]);

    expectScimError(answer, 400, 'invalidValue');
    expect((await directory.get(`/Users/${id}`)).body.active).toBe(true);
  });

  it('answers 201 to a creation and 200 to a replacement with a flag in a list, as older galleries of Entra send it', async () => {
    const userName = 'gallery@example.com';
    const created = await directory.post('/Users', { userName, active: [{ value: 'False' }] });
    expect([created.status, created.body.active]).toEqual([201, false]);

    const path = `/Users/${created.body.id}`;
    for (const [value, active] of [
      ['True', true],
      [false, false],
    ]) {
      const { status, body } = await directory.put(path, { userName, active: [{ $ref: null, value }] });
      expect([status, body.active]).toEqual([200, active]);
    }
    expect((await directory.put(path, { userName, active: ['true'] })).body.active).toBe(true);
  });

  it('answers 200 to a replacement that repeats what was read, with all that only the service writes', async () => {
    const id = await directory.user('repeated@example.com', { title: 'Countess' });
    await directory.group('Of the repeated', [id]);
    const { body: read } = await directory.get(`/Users/${id}`);

    const { status, body } = await directory.put(`/Users/${id}`, {
      ...read,
      title: 'Lady',
      groups: [{ value: 'another' }],
      meta: { ...read.meta, lastModified: '2000-01-01T00:00:00Z' },
    });

    expect([status, body['title'], body['groups']]).toEqual([200, 'Lady', read['groups']]);
  });

  it('answers 400 to no operations, of users and of groups', async () => {
    const [userId, groupId] = [await directory.user('none@example.com'), await directory.group('None')];

    for (const path of [`/Users/${userId}`, `/Groups/${groupId}`]) {
      expectScimError(await directory.patch(path, []), 400, 'invalidSyntax');
      expectScimError(await directory.send('PATCH', path, {}), 400, 'invalidSyntax');
    }
  });

  it('answers 200 and writes nothing where nothing changes, as Entra repeats it', async () => {
    const id = await directory.user('again@example.com', { displayName: 'Again' });
    const rows = (): Promise<unknown[]> =>
      app.rows(
        `SELECT (SELECT count(*) FROM audit_events WHERE organization_id = $1) AS events, updated_at FROM scim_users
          WHERE organization_id = $1 AND user_id = $2`,
        [directory.organization.organizationId, id],
      );
    const before = await rows();

    const { status } = await directory.patch(`/Users/${id}`, [
      { op: 'Replace', path: 'displayName', value: 'Again' },
      { op: 'Replace', path: 'active', value: 'True' },
    ]);

    expect([status, await rows()]).toEqual([200, before]);
  });
});

/** A row about members of a group: its number, its sender, what the group has before, the operations, and what it has afterwards. */
type GroupRow = readonly [
  number: string,
  sender: string,
  before: readonly string[],
  operations: (ids: Readonly<Record<string, string>>) => readonly object[],
  after: readonly string[],
];

const GROUP_ROWS: readonly GroupRow[] = [
  [
    '13',
    'Entra',
    ['a'],
    ({ a, b }) => [
      {
        op: 'Add',
        path: 'members',
        value: [
          { $ref: null, value: a },
          { $ref: null, value: b },
        ],
      },
    ],
    ['a', 'b'],
  ],
  [
    '14',
    'Entra by default',
    ['a', 'b'],
    ({ a }) => [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: a }] }],
    ['b'],
  ],
  [
    '15',
    'Okta',
    ['a', 'b', 'c'],
    ({ a, b }) => [
      { op: 'remove', path: `members[value eq "${a}"]` },
      { op: 'remove', path: `members[value eq "${b}"]` },
      { op: 'remove', path: 'members[value eq "user_nobody"]' },
    ],
    ['c'],
  ],
  [
    '16',
    'Okta',
    ['a', 'b'],
    ({ b, c }) => [{ op: 'replace', path: 'members', value: [{ value: b }, { value: c }] }],
    ['b', 'c'],
  ],
  ['17', 'Postman', ['a', 'b'], () => [{ op: 'remove', path: 'members' }], []],
  ['19', 'WSO2', ['a'], ({ b }) => [{ op: 'add', value: { members: [{ value: b }] } }], ['a', 'b']],
  ['20', 'an old Postman', ['a'], ({ b }) => [{ op: 'add', path: 'members', value: b }], ['a', 'b']],
  [
    'mixed',
    'several operations',
    ['a', 'b'],
    ({ a, b, c }) => [
      { op: 'remove', path: 'members' },
      { op: 'add', path: 'members', value: [{ value: a }, { value: b }, { value: b }] },
      { op: 'remove', path: 'members', value: [{ value: a }] },
      { op: 'add', path: 'members', value: [{ value: c, display: 'x' }] },
    ],
    ['b', 'c'],
  ],
  ['by name', 'any', ['a', 'b', 'c'], () => [{ op: 'remove', path: 'members[display sw "A@"]' }], ['b', 'c']],
  ['by type', 'any', ['a', 'b'], () => [{ op: 'remove', path: 'members[type eq "user"]' }], []],
  ['by type of none', 'any', ['a', 'b'], () => [{ op: 'remove', path: 'members[type eq "Group"]' }], ['a', 'b']],
  [
    'by id and type',
    'any',
    ['a', 'b'],
    ({ a }) => [{ op: 'remove', path: `members[value eq "${a}" and type eq "User"]` }],
    ['b'],
  ],
  [
    'by what it is not',
    'any',
    ['a', 'b', 'c'],
    ({ a }) => [{ op: 'remove', path: `members[not (value eq "${a}")]` }],
    ['a'],
  ],
  [
    'by name, among those who join in the request and without those who have left',
    'any',
    ['a', 'b'],
    ({ b, c }) => [
      { op: 'add', path: 'members', value: [{ value: c }] },
      { op: 'remove', path: `members[value eq "${b}"]` },
      { op: 'remove', path: 'members[display ew "@example.com" and display ne "a@example.com"]' },
      { op: 'add', path: 'members', value: b },
    ],
    ['a', 'b'],
  ],
  [
    'by name, after all were removed',
    'any',
    ['a', 'b'],
    ({ c }) => [
      { op: 'replace', path: 'members', value: [{ value: c }] },
      { op: 'remove', path: 'members[display eq "b@example.com"]' },
    ],
    ['c'],
  ],
  [
    'replace by name',
    'any',
    ['a', 'b'],
    ({ c }) => [{ op: 'replace', path: 'members[display eq "B@example.com"]', value: { value: c } }],
    ['a', 'c'],
  ],
  [
    'replace by id',
    'any',
    ['a', 'b'],
    ({ a, c }) => [{ op: 'replace', path: `members[value eq "${a}"]`, value: [{ value: c }] }],
    ['b', 'c'],
  ],
];

/** Operations on a group that cannot be done, by why. */
const IMPOSSIBLE: readonly [scimType: string, operation: object][] = [
  ['mutability', { op: 'replace', path: 'meta.lastModified', value: '2000-01-01T00:00:00Z' }],
  ['mutability', { op: 'remove', path: 'meta' }],
  ['mutability', { op: 'remove', path: 'id' }],
  ['mutability', { op: 'replace', path: 'members[value eq "x"].display', value: 'x' }],
  ['mutability', { op: 'replace', path: 'members[type eq "User"].value', value: 'x' }],
  ['mutability', { op: 'remove', path: 'members.display' }],
  ['mutability', { op: 'remove', path: 'members[type eq "User"].type' }],
  ['invalidPath', { op: 'remove', path: 'members[shoe eq "x"]' }],
  ['invalidPath', { op: 'remove', path: 'members[display gt 7]' }],
  ['invalidPath', { op: 'add', path: 'members[type eq "User"]', value: [] }],
  ['noTarget', { op: 'replace', path: 'members[display eq "none"]', value: [] }],
];

describe('a PATCH of a group', () => {
  const app = sharedApplication({ topic: 'suite' });
  const directory = filledBefore(beforeAll, () => Directory.make(app));
  const ids: Record<string, string> = filledBefore(beforeAll, async () => ({
    a: await directory.user('a@example.com'),
    b: await directory.user('b@example.com'),
    c: await directory.user('c@example.com'),
  }));
  const idsOf = (names: readonly string[]): string[] => names.map((name) => ids[name]!);
  const membersOf = async (path: string): Promise<string[]> =>
    (await directory.get(path)).body.members!.map(({ value }) => value).sort();

  it.each(GROUP_ROWS)('answers 204 to form %s, as %s sends it', async (number, _, before, operations, after) => {
    const path = `/Groups/${await directory.group(`Group ${number}`, idsOf(before))}`;
    expect(await membersOf(path)).toEqual(idsOf(before).sort());

    const answer = await directory.patch(path, operations(ids));

    expect([answer.status, answer.text, answer.type]).toEqual([204, '', null]);
    expect(await membersOf(path)).toEqual(idsOf(after).sort());
  });

  it('answers 204 to form 18 with its own id, 400 with another one, and 409 where the name is taken', async () => {
    const id = await directory.group('Renamed');
    await directory.group('Taken');
    const patch = (value: object) => directory.patch(`/Groups/${id}`, [{ op: 'replace', value }]);

    expect((await patch({ id, displayName: 'N' })).status).toBe(204);
    expect((await directory.get(`/Groups/${id}`)).body.displayName).toBe('N');
    expectScimError(await patch({ id: 'other', displayName: 'M' }), 400, 'mutability');
    expectScimError(await patch({ id, displayName: 'tAKEN' }), 409, 'uniqueness');
  });

  it('answers 400 for a member who is unknown, and for a group in a group, and changes nothing', async () => {
    const path = `/Groups/${await directory.group('Bounded', idsOf(['a']))}`;
    const add = (value: unknown) => directory.patch(path, [{ op: 'add', path: 'members', value }]);

    const unknown = await add([{ value: ids['b'] }, { value: 'user_nobody' }]);
    expectScimError(unknown, 400, 'invalidValue');
    expect(unknown.body.detail).toContain('user_nobody');
    expectScimError(await add([{ value: ids['b'], type: 'Group' }]), 400, 'invalidValue');
    expect(await membersOf(path)).toEqual(idsOf(['a']));
  });

  it.each(IMPOSSIBLE)(
    'answers 400 with %s to %j, and does nothing else of the request',
    async (scimType, operation) => {
      const path = `/Groups/${await directory.group(`Impossible ${JSON.stringify(operation)}`, idsOf(['a', 'b']))}`;

      const answer = await directory.patch(path, [{ op: 'add', path: 'members', value: ids['c'] }, operation]);

      expectScimError(answer, 400, scimType);
      expect(await membersOf(path)).toEqual(idsOf(['a', 'b']).sort());
    },
  );

  it('answers 400 to a replacement of members who have left by the same request, and changes nothing', async () => {
    const path = `/Groups/${await directory.group('Left before', idsOf(['a', 'b']))}`;
    const replace = { op: 'replace', path: 'members[display eq "a@example.com"]', value: ids['c'] };

    for (const leaving of [
      { op: 'remove', path: 'members' },
      { op: 'remove', path: `members[value eq "${ids['a']}"]` },
    ]) {
      expectScimError(await directory.patch(path, [leaving, replace]), 400, 'noTarget');
    }
    expect(await membersOf(path)).toEqual(idsOf(['a', 'b']).sort());
  });

  it('answers 204 to ten searches among members, and 400 to eleven', async () => {
    const path = `/Groups/${await directory.group('Searched', idsOf(['a', 'b']))}`;
    const searches = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ op: 'remove', path: `members[display eq "${index}"]` }));
    const byIds = Array.from({ length: 20 }, () => ({ op: 'remove', path: 'members[value eq "user_none"]' }));

    expect((await directory.patch(path, [...searches(10), ...byIds])).status).toBe(204);
    expectScimError(await directory.patch(path, searches(11)), 400, 'invalidValue');
  });

  it('answers 200 with the group where attributes are asked for, and 204 where some are left out', async () => {
    const path = `/Groups/${await directory.group('Answered', idsOf(['a']))}`;
    const add = [{ op: 'add', path: 'members', value: ids['b'] }];

    const { status, body } = await directory.patch(`${path}?attributes=members.value`, add);

    expect([status, body.displayName]).toEqual([200, undefined]);
    expect(body.members).toEqual(expect.arrayContaining(idsOf(['a', 'b']).map((value) => ({ value }))));
    expect((await directory.patch(`${path}?excludedAttributes=members`, add)).status).toBe(204);
  });

  it('answers 204 and writes only what changes, in one event each', async () => {
    const id = await directory.group('Audited', idsOf(['a']));
    const events = (): Promise<unknown[]> =>
      app.rows(
        `SELECT action, actor_kind, changes FROM audit_events
          WHERE organization_id = $1 AND target_id = $2 ORDER BY created_at, id`,
        [directory.organization.organizationId, id],
      );
    const before = await events();
    const operation = { op: 'Add', path: 'members', value: idsOf(['a', 'b']).map((value) => ({ value })) };

    for (let round = 0; round < 2; round += 1) await directory.patch(`/Groups/${id}`, [operation]);

    expect((await events()).slice(before.length)).toEqual([
      {
        action: 'scim_group.add_members',
        actor_kind: 'provisioning_token',
        changes: { user_ids: { after: idsOf(['b']) } },
      },
    ]);
  });
});
