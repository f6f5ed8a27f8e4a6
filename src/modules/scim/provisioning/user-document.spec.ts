import { patchOperationsOf } from './patch-path.js';
import { ENTERPRISE_SCHEMA } from './scim-path.js';
import { patchedUser, readUserDocument, type UserDocument } from './user-document.js';

const BEFORE: UserDocument = {
  userName: 'ada@example.com',
  externalId: '7',
  active: true,
  attributes: {
    displayName: 'Ada',
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [
      { value: 'ada@example.com', type: 'work', primary: true },
      { value: 'a@home.example', type: 'home' },
    ],
    [ENTERPRISE_SCHEMA]: { department: 'R&D', manager: { value: 'm1', displayName: 'Boss' } },
  },
};

function patch(...operations: readonly object[]): UserDocument {
  return patchedUser(BEFORE, patchOperationsOf({ Operations: operations }, 200), 'user_1');
}

describe('readUserDocument', () => {
  it('keeps what the schema knows as it was sent, and neither a password, groups nor anything else', () => {
    const body: unknown = JSON.parse(`{
      "schemas": ["urn:x"], "id": "mine", "userName": "Ada@Example.com", "password": "1mz050nq", "groups": [{"value": "g"}], "roles": [],
      "ACTIVE": "False", "name": {"givenName": "Ada", "middleName": "", "familyName": "Lovelace", "x": 1}, "title": null,
      "emails": [null, {"value": "a@b", "primary": "True", "type": "work", "x": {}}], "phoneNumbers": null,
      "__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}, "toString": "x",
      "${ENTERPRISE_SCHEMA}": {"department": "R", "__proto__": {"polluted": true}, "manager": "m"},
      "${ENTERPRISE_SCHEMA}:employeeNumber": "9"}`);

    const document = readUserDocument(body as object);

    expect(document).toEqual({
      userName: 'Ada@Example.com',
      externalId: null,
      active: false,
      attributes: {
        name: { givenName: 'Ada', familyName: 'Lovelace' },
        emails: [{ value: 'a@b', primary: true, type: 'work' }],
        [ENTERPRISE_SCHEMA]: { department: 'R', manager: { value: 'm' }, employeeNumber: '9' },
      },
    });
    expect(JSON.stringify(document)).not.toContain('1mz050nq');
    expect(({} as { polluted?: true }).polluted).toBeUndefined();
  });

  it.each([
    ['no user name', {}],
    ['an empty user name', { userName: '' }],
    ['a number as user name', { userName: 7 }],
    ['a text of 1,025 characters', { userName: 'x'.repeat(1_025) }],
    ['another flag', { userName: 'x', active: 'perhaps' }],
    ['a text as name', { userName: 'x', name: 'Ada' }],
    ['21 addresses', { userName: 'x', emails: Array.from({ length: 21 }, (_, index) => ({ value: `${index}@x` })) }],
    [
      'more than 16 KiB',
      { userName: 'x', ...Object.fromEntries(['emails', 'phoneNumbers', 'roles'].map((name) => [name, many()])) },
    ],
  ])('refuses %s', (_, body) => {
    expect(() => readUserDocument(body)).toThrow('scim_invalid_value');
  });

  it('refuses another id than that of the user', () => {
    expect(() => readUserDocument({ id: 'user_2', userName: 'x' }, 'user_1')).toThrow('scim_mutability');
    expect(readUserDocument({ id: 'user_1', userName: 'x' }, 'user_1').userName).toBe('x');
  });
});

/** As many values as there may be, each as long as it may be. */
function many(): object[] {
  return Array.from({ length: 20 }, (_, index) => ({ value: `${index}${'x'.repeat(1_000)}` }));
}

describe('patchedUser', () => {
  it.each([
    [
      'the value of an address by its type',
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'n@x' },
      'n@x',
    ],
    [
      'the same with the type in capitals',
      { op: 'replace', path: 'EMAILS[TYPE EQ "WORK"].VALUE', value: 'n@x' },
      'n@x',
    ],
    [
      'the same with the URN',
      { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:emails[type eq "work"].value', value: 'n@x' },
      'n@x',
    ],
    ['the primary address', { op: 'replace', path: 'emails[primary eq true].value', value: 'n@x' }, 'n@x'],
    [
      'an address by a member whose name is a path',
      { op: 'replace', value: { 'emails[type eq "work"].value': 'n@x' } },
      'n@x',
    ],
  ])('changes %s', (_, operation, value) => {
    expect(patch(operation).attributes['emails']).toEqual([
      { value, type: 'work', primary: true },
      { value: 'a@home.example', type: 'home' },
    ]);
  });

  it('makes an address of a type that there is none of', () => {
    const emails = patch({ op: 'add', path: 'emails[type eq "other"].value', value: 'o@x' }).attributes['emails'];

    expect(emails).toHaveLength(3);
    expect(emails).toContainEqual({ type: 'other', value: 'o@x' });
  });

  it('makes no address of an empty value, where a filter finds none', () => {
    for (const value of ['', null]) {
      const after = patch({ op: 'add', path: 'emails[type eq "other"].value', value });
      expect(after).toEqual(BEFORE);
    }
  });

  it('leaves active as it is where it is removed', () => {
    const inactive = patchOperationsOf(
      {
        Operations: [
          { op: 'replace', path: 'active', value: false },
          { op: 'remove', path: 'active' },
        ],
      },
      200,
    );

    expect(patch({ op: 'remove', path: 'active' })).toEqual(BEFORE);
    expect(patchedUser(BEFORE, inactive, 'user_1').active).toBe(false);
  });

  it('removes only the addresses that a filter or a list means', () => {
    const left = [{ value: 'ada@example.com', type: 'work', primary: true }];

    expect(patch({ op: 'remove', path: 'emails[type eq "home"]' }).attributes['emails']).toEqual(left);
    expect(patch({ op: 'remove', path: 'emails', value: [{ value: 'a@home.example' }] }).attributes['emails']).toEqual(
      left,
    );
    expect(patch({ op: 'remove', path: 'emails[type eq "fax"]' }).attributes['emails']).toHaveLength(2);
    expect(patch({ op: 'remove', path: 'emails' }).attributes['emails']).toBeUndefined();
  });

  it('adds an address once, and leaves one primary', () => {
    const value = [
      { value: 'a@home.example', type: 'home' },
      { value: 'n@x', type: 'other', primary: true },
    ];
    const emails = patch({ op: 'add', path: 'emails', value }).attributes['emails'] as { primary?: boolean }[];

    expect(emails).toHaveLength(3);
    expect(emails.filter(({ primary }) => primary === true)).toEqual([{ value: 'n@x', type: 'other', primary: true }]);
  });

  it('ignores attributes that it does not know, beside one that it does', () => {
    const after = patch(
      { op: 'replace', path: 'shoeSize', value: 44 },
      { op: 'add', path: 'urn:acme:2.0:User:badge', value: 'x' },
      { op: 'replace', path: 'name.nickname', value: 'x' },
      { op: 'replace', path: 'active', value: 'False', name: 'x' },
    );

    expect(after).toEqual({ ...BEFORE, active: false });
  });

  it.each([
    ['scim_invalid_path', { op: 'replace', path: '__proto__.polluted', value: true }],
    ['scim_invalid_path', { op: 'replace', path: 'constructor.prototype.polluted', value: true }],
    ['scim_invalid_path', { op: 'replace', path: 'emails[', value: 'x' }],
    ['scim_invalid_path', { op: 'replace', path: 'emails[type eq "work"].value.x', value: 'x' }],
    ['scim_invalid_path', { op: 'replace', path: `emails[${'('.repeat(1_000)}]`, value: 'x' }],
    ['scim_invalid_path', { op: 'replace', path: 'x'.repeat(1_025), value: 'x' }],
    ['scim_invalid_path', { op: 'replace', path: 7, value: 'x' }],
    ['scim_invalid_syntax', { op: 'move', path: 'title', value: 'x' }],
    ['scim_invalid_syntax', { path: 'title', value: 'x' }],
    ['scim_invalid_syntax', { op: 'replace', value: 'x' }],
    ['scim_no_target', { op: 'remove' }],
    ['scim_mutability', { op: 'remove', path: 'userName' }],
    ['scim_mutability', { op: 'replace', path: 'id', value: 'user_2' }],
    ['scim_invalid_value', { op: 'replace', path: 'userName', value: '' }],
    ['scim_invalid_value', { op: 'replace', path: 'title', value: { a: 1 } }],
    ['scim_invalid_value', { op: 'replace', path: 'active', value: 'perhaps' }],
  ])('refuses with %s %j', (reason, operation) => {
    expect(() => patch(operation)).toThrow(reason);
    expect(({} as { polluted?: true }).polluted).toBeUndefined();
  });

  it('leaves names of prototypes alone, also where they are members of a value', () => {
    const value: unknown = JSON.parse(
      '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
    );

    expect(patch({ op: 'add', value }, { op: 'replace', path: 'name', value })).toEqual({
      ...BEFORE,
      attributes: { ...BEFORE.attributes },
    });
    expect(({} as { polluted?: true }).polluted).toBeUndefined();
  });
});
