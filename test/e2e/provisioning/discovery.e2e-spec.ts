import { sharedApplication } from '../../support/application/shared-application.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { Directory, expectScimError } from './directory.js';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

interface Attribute {
  readonly name: string;
  readonly canonicalValues?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
}

/** The names of attributes as Entra's test of the gallery flattens them, in lower case. */
function flattened(prefix: string, attributes: readonly Attribute[]): string[] {
  return attributes.flatMap(({ name, subAttributes = [] }) => {
    const types = subAttributes.find((sub) => sub.name === 'type')?.canonicalValues ?? [];
    return [
      `${prefix}${name}`,
      ...subAttributes.flatMap((sub) => [
        `${prefix}${name}.${sub.name}`,
        ...types.map((type) => `${prefix}${name}[type eq "${type}"].${sub.name}`),
      ]),
    ].map((text) => text.toLowerCase());
  });
}

describe('the interface for directories', () => {
  const app = sharedApplication({ topic: 'suite' });
  const directory = filledBefore(beforeAll, () => Directory.make(app));

  it('answers 200 with what it can do, in the media type of SCIM and under its own address', async () => {
    const answer = await directory.get('/ServiceProviderConfig');

    expect([answer.status, answer.type]).toEqual([200, 'application/scim+json; charset=utf-8']);
    expect(answer.body).toMatchObject({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: 200 },
      sort: { supported: false },
      etag: { supported: true },
      meta: { location: `${directory.base}/ServiceProviderConfig` },
    });
  });

  it('answers 200 with users and groups as the types of resources, together and by name', async () => {
    const { status, body } = await directory.get('/ResourceTypes?aadOptscim062020');

    expect([status, body.totalResults, body.itemsPerPage]).toEqual([200, 2, 2]);
    expect(body.Resources.map(({ id, endpoint, schema }) => [id, endpoint, schema])).toEqual([
      ['User', '/Users', USER],
      ['Group', '/Groups', GROUP],
    ]);
    expect(body.Resources[0]!['schemaExtensions']).toEqual([{ schema: ENTERPRISE, required: false }]);
    expect((await directory.get('/ResourceTypes/User')).body).toEqual(body.Resources[0]);
  });

  it('answers 200 with every attribute that Entra maps by default, without a null', async () => {
    const { status, body, text } = await directory.get('/Schemas');

    expect(status).toBe(200);
    expect(text).not.toContain('null');
    expect(body.Resources.map(({ id }) => id)).toEqual([USER, GROUP, ENTERPRISE]);
    const [user, , enterprise] = body.Resources.map((schema) => schema['attributes'] as Attribute[]);
    const names = [...flattened('', user!), ...flattened(`${ENTERPRISE}:`, enterprise!)];
    expect(names).toEqual(
      expect.arrayContaining(
        [
          'userName',
          'active',
          'displayName',
          'title',
          'emails[type eq "work"].value',
          'preferredLanguage',
          'name.givenName',
          'name.familyName',
          'name.formatted',
          'addresses[type eq "work"].formatted',
          'addresses[type eq "work"].streetAddress',
          'addresses[type eq "work"].postalCode',
          'phoneNumbers[type eq "work"].value',
          'phoneNumbers[type eq "mobile"].value',
          'phoneNumbers[type eq "fax"].value',
          'externalId',
          `${ENTERPRISE}:employeeNumber`,
          `${ENTERPRISE}:department`,
          `${ENTERPRISE}:manager`,
        ].map((name) => name.toLowerCase()),
      ),
    );
    expect((await directory.get(`/Schemas/${GROUP}`)).body).toEqual(body.Resources[1]);
  });

  it.each(['/Schemas', '/ResourceTypes', '/ServiceProviderConfig', `/Schemas/${GROUP}`, '/ResourceTypes/User'])(
    'answers 403 to GET %s with a filter, and 200 with all other parameters of lists',
    async (path) => {
      for (const filter of ['id eq "User"', 'not a filter', '']) {
        expectScimError(await directory.get(`${path}?filter=${encodeURIComponent(filter)}`), 403);
      }
      const all = await directory.get(path);
      const query = 'attributes=id&excludedAttributes=meta&sortBy=id&startIndex=2&count=1&aadOptscim062020';
      const asked = await directory.get(`${path}?${query}`);
      expect([asked.status, asked.body]).toEqual([200, all.body]);
    },
  );

  it.each([
    [404, 'GET', '/Nothing'],
    [404, 'GET', ''],
    [404, 'GET', '/'],
    [404, 'POST', '/Schemas'],
    [404, 'GET', '/Schemas/urn:x'],
    [404, 'GET', '/ResourceTypes/Robot'],
    [501, 'POST', '/Bulk'],
    [501, 'GET', '/Me'],
  ])('answers %i to %s %s in the form of SCIM', async (status, method, path) => {
    expectScimError(await directory.send(method, path, method === 'POST' ? {} : undefined), status);
  });

  it.each([
    ['without a credential', []],
    ['with a word without a scheme, as Okta sends it', ['Authorization', 'non-token']],
    ['with another scheme', ['Authorization', 'Basic eDp5']],
    ['with an unknown token', ['Authorization', 'Bearer abcdefgh']],
  ])('answers 401 in the form of SCIM %s', async (_, headers) => {
    const answer = await directory.raw('GET', '/ServiceProviderConfig', headers);

    expect(answer.status).toBe(401);
    expect(answer.headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '401',
      detail: expect.stringMatching(/^\[\w+_credential\] ./) as string,
    });
  });

  it('answers 403 in the form of SCIM to a management key and to an API key', async () => {
    const key = await app.factory.key(directory.organization);
    for (const other of [directory.organization.managementKey, key.plaintext]) {
      const answer = await directory.send('GET', '/Schemas', undefined, {}, other);

      expectScimError(answer, 403);
      expect(answer.body.detail).toContain('Only provisioning tokens');
    }
  });
});

describe('a provisioning token', () => {
  const app = sharedApplication({ topic: 'suite' });
  const statusWith = async (directory: Directory, token: string): Promise<number> =>
    (await directory.send('GET', '/Schemas', undefined, {}, token)).status;

  it('is one of two at most that have not expired: another one is a 409', async () => {
    const directory = await Directory.make(app);
    const { organizationId, managementKey: key } = directory.organization;
    await app.factory.provisioningToken(organizationId);
    const create = () => app.api.post<{ token: string }>('/scim/tokens', { key, json: { name: 'Third' } });

    expect(await create()).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'too_many_provisioning_tokens' } } },
    });
    await app.rows(
      `UPDATE provisioning_tokens SET expires_at = now() - interval '1 second'
        WHERE organization_id = $1 AND name = (SELECT max(name) FROM provisioning_tokens WHERE organization_id = $1)`,
      [organizationId],
    );
    const { status, body } = await create();

    expect([status, await statusWith(directory, body.token)]).toEqual([201, 200]);
  });

  it('is one of two at most, also when eight are asked for at once: six get a 409', async () => {
    const { managementKey: key } = await app.factory.organization();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => app.api.post('/scim/tokens', { key, json: { name: 'At once' } })),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409, 409, 409]);
  });

  it('answers 401 after its rotation, and 200 in its grace period', async () => {
    const directory = await Directory.make(app);
    const { managementKey: key } = directory.organization;
    const { body: list } = await app.api.get<{ data: { id: string }[] }>('/scim/tokens', { key });
    const path = `/scim/tokens/${list.data[0]!.id}/rotate`;
    const first = (await app.api.post<{ token: string }>(path, { key, json: { grace_seconds: 600 } })).body.token;

    expect([await statusWith(directory, directory.token), await statusWith(directory, first)]).toEqual([200, 200]);
    const second = (await app.api.post<{ token: string }>(path, { key })).body.token;
    const statuses = [directory.token, first, second].map((token) => statusWith(directory, token));
    expect(await Promise.all(statuses)).toEqual([401, 401, 200]);
  });

  it('answers 200 and is noted when it is used, and 401 once it is revoked or has expired', async () => {
    const directory = await Directory.make(app);
    const { organizationId, managementKey: key } = directory.organization;
    await statusWith(directory, directory.token);
    const { body } = await app.api.get<{ data: { id: string; last_used_at: string | null }[] }>('/scim/tokens', {
      key,
    });
    const [{ id, last_used_at: lastUsed }] = body.data as [{ id: string; last_used_at: string | null }];

    expect(Date.parse(lastUsed!)).toBeGreaterThan(0);
    expect((await app.api.delete(`/scim/tokens/${id}`, { key })).status).toBe(200);
    expect(await statusWith(directory, directory.token)).toBe(401);
    const { plaintext } = await app.factory.provisioningToken(organizationId);
    await app.rows('UPDATE provisioning_tokens SET expires_at = now() WHERE organization_id = $1', [organizationId]);
    expect(await statusWith(directory, plaintext)).toBe(401);
  });

  it('answers 400 for one that would have expired before it exists', async () => {
    const { managementKey: key } = await app.factory.organization();
    const json = { name: 'Okta', expires_at: '2020-01-01T00:00:00Z' };

    expect((await app.api.post('/scim/tokens', { key, json })).status).toBe(400);
  });
});
