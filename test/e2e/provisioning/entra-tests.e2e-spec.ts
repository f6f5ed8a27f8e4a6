import { sharedApplication } from '../../support/application/shared-application.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { Directory, expectScimError, type ScimBody } from './directory.js';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** A user as Entra creates it by default, with its nulls and stray attributes. */
function creationOf(userName: string): object {
  return {
    schemas: [USER, ENTERPRISE],
    externalId: `external-${userName}`,
    userName,
    active: true,
    addresses: null,
    displayName: 'Joy Young',
    emails: [{ type: 'work', value: userName, primary: true }],
    meta: { resourceType: 'User' },
    name: { formatted: 'Joy Young', familyName: 'Young', givenName: 'Joy' },
    phoneNumbers: null,
    preferredLanguage: null,
    title: null,
    department: null,
    manager: null,
    roles: [],
  };
}

/** A group as Entra creates it: without members, and with a schema that is not of SCIM. */
function groupCreationOf(displayName: string): object {
  return {
    schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
    externalId: `external-${displayName}`,
    displayName,
    meta: { resourceType: 'Group' },
  };
}

describe("Entra's validation of a gallery application", () => {
  const app = sharedApplication({ topic: 'suite' });
  const directory = filledBefore(beforeAll, () => Directory.make(app));
  let count = 0;

  const names = (): string => `u${++count}@contoso.example`;
  const created = async (): Promise<ScimBody> => {
    const { status, body, text } = await directory.post('/Users', creationOf(names()));
    expect(status).toBe(201);
    expect(text).not.toContain('null');
    return body;
  };
  const createdGroup = async (): Promise<ScimBody> => {
    const { status, body } = await directory.post('/Groups', groupCreationOf(`Group ${++count}`));
    expect(status).toBe(201);
    return body;
  };
  const patched = async (id: string, ...operations: object[]): Promise<ScimBody> => {
    const { status, body } = await directory.patch(`/Users/${id}`, operations);
    expect(status).toBe(200);
    expect((await directory.get(`/Users/${id}`)).body).toEqual(body);
    return body;
  };
  const managerOf = (user: ScimBody): unknown =>
    (user[ENTERPRISE] as { manager?: { value: string } } | undefined)?.manager?.value;

  describe('of users', () => {
    it('create: answers 200 to the search before, 201, and 200 to the search behind', async () => {
      const userName = names();
      const search = (): Promise<{ status: number; body: ScimBody }> =>
        directory.find('Users', `userName eq "${userName}"`);
      expect((await search()).body.totalResults).toBe(0);
      const { status, body } = await directory.post('/Users', creationOf(userName));

      expect([status, body.userName, body.active]).toEqual([201, userName, true]);
      expect((await search()).body.Resources).toEqual([body]);
    });

    it('update: answers 200 to what a cycle changes', async () => {
      const { id } = await created();
      const body = await patched(
        id,
        { op: 'Replace', path: 'displayName', value: 'Changed' },
        { op: 'Replace', path: 'name.givenName', value: 'J.' },
        { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+49 1' },
        { op: 'Add', path: `${ENTERPRISE}:department`, value: 'R&D' },
      );

      expect(body).toMatchObject({
        displayName: 'Changed',
        name: { formatted: 'Joy Young', familyName: 'Young', givenName: 'J.' },
        phoneNumbers: [{ type: 'mobile', value: '+49 1' }],
        [ENTERPRISE]: { department: 'R&D' },
      });
    });

    it('disable: answers 200, and 200 to the search, which shows the user as inactive', async () => {
      const { id, userName } = await created();

      expect((await patched(id, { op: 'Replace', path: 'active', value: 'False' })).active).toBe(false);
      expect((await directory.find('Users', `userName eq "${userName}"`)).body.Resources[0]!.active).toBe(false);
    });

    it('delete: answers 204, 404 afterwards, and 200 with none to the search', async () => {
      const { id, userName } = await created();

      expect((await directory.delete(`/Users/${id}`)).status).toBe(204);
      expectScimError(await directory.get(`/Users/${id}`), 404);
      expectScimError(await directory.delete(`/Users/${id}`), 404);
      expect((await directory.find('Users', `userName eq "${userName}"`)).body.totalResults).toBe(0);
      expect((await directory.post('/Users', creationOf(userName))).status).toBe(201);
    });

    it('manager: answers 200 to set, change and removal', async () => {
      const [user, one, other] = [await created(), await created(), await created()];
      const set = await patched(user.id, {
        op: 'Add',
        path: 'manager',
        value: [{ $ref: `../Users/${one.id}`, value: one.id }],
      });
      const changed = await patched(user.id, { op: 'Replace', path: `${ENTERPRISE}:manager`, value: other.id });
      const removed = await patched(user.id, { op: 'Remove', path: `${ENTERPRISE}:manager` });

      expect([set, changed, removed].map(managerOf)).toEqual([one.id, other.id, undefined]);
    });

    it('restore: answers 200 when an assignment is taken away and given back, with id and attributes as before', async () => {
      const before = await created();
      await patched(before.id, { op: 'Replace', path: 'active', value: 'False' });
      const after = await patched(before.id, { op: 'Replace', path: 'active', value: 'True' });

      expect({ ...after, meta: undefined }).toEqual({ ...before, meta: undefined });
    });

    it('provision on demand: answers 200 to the search by external id, 201, and 409 to the same again', async () => {
      const creation = creationOf(names()) as { externalId: string };
      expect((await directory.find('Users', `externalId eq "${creation.externalId}"`)).body.totalResults).toBe(0);
      expect((await directory.post('/Users', creation)).status).toBe(201);
      expectScimError(await directory.post('/Users', creation), 409, 'uniqueness');
      expect((await directory.find('Users', `externalId eq "${creation.externalId}"`)).body.totalResults).toBe(1);
    });
  });

  describe('of groups', () => {
    const members = async (id: string): Promise<string[]> =>
      (await directory.get(`/Groups/${id}`)).body.members!.map(({ value }) => value);

    it('create: answers 200 to the search without members, and 201', async () => {
      const displayName = `Group ${++count}`;
      const path = `/Groups?excludedAttributes=members&filter=${encodeURIComponent(`displayName eq "${displayName.toUpperCase()}"`)}`;
      expect((await directory.get(path)).body.totalResults).toBe(0);
      const { status, body } = await directory.post('/Groups', groupCreationOf(displayName));

      expect([status, body.schemas, body.members]).toEqual([201, [GROUP], []]);
      const [found] = (await directory.get(path)).body.Resources;
      expect([found!.id, found!.members]).toEqual([body.id, undefined]);
    });

    it('update: answers 204 to another name, and 409 to one that is taken', async () => {
      const [group, other] = [await createdGroup(), await createdGroup()];
      const rename = (value: unknown) =>
        directory.patch(`/Groups/${group.id}`, [{ op: 'Replace', path: 'displayName', value }]);

      expect((await rename('Renamed by Entra')).status).toBe(204);
      expect((await directory.get(`/Groups/${group.id}`)).body.displayName).toBe('Renamed by Entra');
      expectScimError(await rename(other.displayName), 409, 'uniqueness');
    });

    it('delete: answers 204, and 404 afterwards', async () => {
      const { id } = await createdGroup();

      expect((await directory.delete(`/Groups/${id}`)).status).toBe(204);
      expectScimError(await directory.get(`/Groups/${id}`), 404);
      expectScimError(await directory.delete(`/Groups/${id}`), 404);
    });

    it('add and remove a member: answers 204, and 200 to the test of a reference', async () => {
      const [group, user, other] = [await createdGroup(), await created(), await created()];
      const send = (op: string, ...ids: string[]) =>
        directory.patch(`/Groups/${group.id}`, [
          { op, path: 'members', value: ids.map((value) => ({ $ref: null, value })) },
        ]);
      const isMember = async (id: string): Promise<number> =>
        (await directory.find('Groups', `id eq "${group.id}" and members eq "${id}"`)).body.totalResults;

      expect((await send('Add', user.id, other.id)).status).toBe(204);
      expect([await isMember(user.id), await isMember(other.id), await isMember('user_x')]).toEqual([1, 1, 0]);
      expect((await send('Remove', user.id)).status).toBe(204);
      expect([await isMember(user.id), await members(group.id)]).toEqual([0, [other.id]]);
      const [shown] = (await directory.get(`/Users/${other.id}`)).body['groups'] as {
        value: string;
        display: string;
      }[];
      expect([shown!.value, shown!.display]).toEqual([group.id, group.displayName]);
    });

    it('restore and provision on demand: answers 201 to a name that was deleted', async () => {
      const { id, displayName } = await createdGroup();
      await directory.delete(`/Groups/${id}`);
      const { status, body } = await directory.post('/Groups', groupCreationOf(displayName!));

      expect([status, body.id === id]).toEqual([201, false]);
      expectScimError(await directory.post('/Groups', groupCreationOf(displayName!)), 409, 'uniqueness');
    });
  });

  describe('directly', () => {
    it('null update: answers 200 to an empty text and to null on optional attributes, which read back absent', async () => {
      const { id } = await created();
      for (const path of ['title', 'displayName', 'preferredLanguage', 'name.givenName', `${ENTERPRISE}:department`]) {
        await patched(id, { op: 'Replace', path, value: 'x' });
        await patched(id, { op: 'Replace', path, value: '' });
        await patched(id, { op: 'Replace', path, value: 'y' });
        const body = await patched(id, { op: 'Replace', path, value: null });
        expect(JSON.stringify(body)).not.toMatch(/"[xy]"|null/);
      }
    });

    it('user update and group update: answer 200 and 204 to generated values, which read back as they are', async () => {
      const user = await created();
      const value = 'G\u00e9n\u00e9r\u00e9 \u{1F600} \u202e & + # % \' " \\';
      const body = await patched(
        user.id,
        { op: 'Replace', path: 'displayName', value },
        { op: 'Add', path: 'title', value },
      );
      expect([body.displayName, body['title']]).toEqual([value, value]);
      const group = await createdGroup();
      await directory.patch(`/Groups/${group.id}`, [{ op: 'Replace', path: 'externalId', value }]);
      expect((await directory.get(`/Groups/${group.id}`)).body.externalId).toBe(value);
    });

    it('pagination: answers 200 with each user and each group once, and startIndex as it was sent', async () => {
      while (count < 40) {
        await created();
        await createdGroup();
      }
      for (const type of ['Users', 'Groups']) {
        const { totalResults } = (await directory.get(`/${type}?count=0`)).body;
        const ids = new Set<string>();
        for (let page = 0; page * 5 < totalResults; page += 1) {
          const { body } = await directory.get(`/${type}?count=5&startIndex=${page * 5 + 1}`);
          expect(body.startIndex).toBe(page * 5 + 1);
          for (const { id } of body.Resources) ids.add(id);
        }
        expect([totalResults > 10, ids.size]).toEqual([true, totalResults]);
      }
    });

    it('manager by PATCH: answers 200 to Add, Replace and Replace with an empty text', async () => {
      const { id } = await created();
      const path = `${ENTERPRISE}:manager`;

      expect(managerOf(await patched(id, { op: 'Add', path, value: 'm1' }))).toBe('m1');
      expect(managerOf(await patched(id, { op: 'Replace', path, value: { value: 'm2' } }))).toBe('m2');
      expect(managerOf(await patched(id, { op: 'Replace', path, value: '' }))).toBeUndefined();
    });
  });
});
