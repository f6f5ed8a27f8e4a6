import { OPERATIONS } from '../../operations/operations.js';
import { pathWith } from '../../operations/operation-row.js';
import { sampleOrganization } from '../../operations/sample-organization.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';

/** `"<27 characters of base64url>"` */
const STRONG_TAG = /^"[\w-]{27}"$/;

const OTHER = '"cgA3tkXNpRSMAjVqUUZfPV3qwtI"';

/** How an object is read, changed and deleted; where it is made by a POST, how. */
interface TaggedObject {
  readonly read: string;
  readonly create?: string;
  readonly update?: string;
  readonly delete?: string;
  /** What stands behind the `?` of its deletion. */
  readonly deletion?: string;
  /** A body that changes it. */
  readonly change?: object;
  /** What a created object is known by in paths. */
  readonly id?: (body: { data: Record<string, string> }) => string;
}

/** Every single object whose settings can be changed, or that can be deleted. */
const OBJECTS: Readonly<Record<string, TaggedObject>> = {
  'an alert': {
    read: 'getAlert',
    create: 'createAlert',
    update: 'updateAlert',
    delete: 'deleteAlert',
    change: { name: 'N' },
  },
  'a provider key': {
    read: 'getBYOKKey',
    create: 'createBYOKKey',
    update: 'updateBYOKKey',
    delete: 'deleteBYOKKey',
    change: { name: 'N' },
  },
  'a Connect client': { read: 'getConnectClient', create: 'createConnectClient', delete: 'deleteConnectClient' },
  'a destination': {
    read: 'getObservabilityDestination',
    create: 'createObservabilityDestination',
    update: 'updateObservabilityDestination',
    delete: 'deleteObservabilityDestination',
    change: { name: 'N' },
  },
  'an external user': {
    read: 'getExternalUser',
    create: 'createExternalUser',
    update: 'updateExternalUser',
    change: { is_active: false },
    id: ({ data }) => data['user']!,
  },
  'a guardrail': {
    read: 'getGuardrail',
    create: 'createGuardrail',
    update: 'updateGuardrail',
    delete: 'deleteGuardrail',
    change: { name: 'N' },
  },
  'a key': {
    read: 'getKey',
    create: 'createKeys',
    update: 'updateKeys',
    delete: 'deleteKeys',
    change: { name: 'N' },
    id: ({ data }) => data['hash']!,
  },
  'an identity provider': {
    read: 'getSignInConnection',
    create: 'createSignInConnection',
    update: 'updateSignInConnection',
    delete: 'deleteSignInConnection',
    change: { name: 'N' },
  },
  'an issuer': {
    read: 'getFederationIssuer',
    create: 'createFederationIssuer',
    update: 'updateFederationIssuer',
    delete: 'deleteFederationIssuer',
    change: { name: 'N' },
  },
  'a management key': {
    read: 'getManagementKey',
    create: 'createManagementKey',
    update: 'updateManagementKey',
    delete: 'deleteManagementKey',
    change: { name: 'N' },
    id: ({ data }) => data['hash']!,
  },
  'a member': {
    read: 'getOrganizationMember',
    create: 'createOrganizationMember',
    update: 'updateOrganizationMember',
    change: { name: 'N' },
  },
  'a policy': {
    read: 'getFederationPolicy',
    create: 'createFederationPolicy',
    update: 'updateFederationPolicy',
    delete: 'deleteFederationPolicy',
    change: { name: 'N' },
  },
  'a private endpoint': {
    read: 'getPrivateEndpoint',
    create: 'createPrivateEndpoint',
    update: 'updatePrivateEndpoint',
    delete: 'deletePrivateEndpoint',
    change: { declared_region: 'us' },
  },
  'a private provider': {
    read: 'getPrivateProvider',
    create: 'createPrivateProvider',
    update: 'updatePrivateProvider',
    delete: 'deletePrivateProvider',
    change: { display_name: 'N' },
    id: ({ data }) => data['slug']!,
  },
  'a mapping': {
    read: 'getScimGroupMapping',
    create: 'createScimGroupMapping',
    update: 'updateScimGroupMapping',
    delete: 'deleteScimGroupMapping',
    change: { role: 'admin' },
    deletion: 'keep_members=true',
  },
  'a workspace': {
    read: 'getWorkspace',
    create: 'createWorkspace',
    update: 'updateWorkspace',
    delete: 'deleteWorkspace',
    change: { name: 'N' },
  },
};

/** Those that can be changed by a PATCH. */
const CHANGEABLE = Object.keys(OBJECTS).filter((name) => OBJECTS[name]!.update !== undefined);

/** Those that can be deleted. */
const DELETABLE = Object.keys(OBJECTS).filter((name) => OBJECTS[name]!.delete !== undefined);

describe('the entity tag of single objects', () => {
  const app = sharedApplication();
  const sample = filledBefore(beforeAll, () => sampleOrganization(app));

  /** Makes an object by its operation. */
  const made = async (object: TaggedObject): Promise<{ path: string; tag: string }> => {
    const { managementKey: key } = sample;
    const row = OPERATIONS[object.create!]!;
    const parts = await row.request(sample);
    const answer = await app.api.send<{ data: Record<string, string> }>(row.method, pathWith(row, parts), {
      key,
      json: parts.json,
    });
    expect(answer.status).toBe(row.success);
    const id = (object.id ?? (({ data }) => data['id']!))(answer.body);
    const read = OPERATIONS[object.read]!.path;
    return { path: read.replace(/\{\w+\}/, id), tag: answer.headers.get('etag')! };
  };

  const send = <Body = ErrorBody>(
    method: string,
    path: string,
    ifMatch?: string,
    json?: object,
  ): Promise<Answer<Body>> =>
    app.api.send<Body>(method, path, {
      key: sample.managementKey,
      ...(json && { json }),
      ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
    });

  const tagOf = async (path: string): Promise<string | null> => (await send('GET', path)).headers.get('etag');

  const events = async (): Promise<number> => {
    const sql = 'SELECT count(*)::int AS count FROM audit_events WHERE organization_id = $1';
    return (await app.rows<{ count: number }>(sql, [sample.organizationId]))[0]!.count;
  };

  it.each(Object.keys(OBJECTS))(
    'of %s that is new is the same in the 201 and in the 200 of a GET, and strong',
    async (name) => {
      const { path, tag } = await made(OBJECTS[name]!);

      expect(tag).toMatch(STRONG_TAG);
      expect(await tagOf(path)).toBe(tag);
    },
  );

  it.each(CHANGEABLE)(
    'of %s that was changed is another one, as the 200 says, and stays when nothing changes',
    async (name) => {
      const { change } = OBJECTS[name]!;
      const { path, tag } = await made(OBJECTS[name]!);

      const changed = await send('PATCH', path, tag, change);
      const again = await send('PATCH', path, changed.headers.get('etag')!, change);

      expect([changed.status, again.status]).toEqual([200, 200]);
      expect(changed.headers.get('etag')).toMatch(STRONG_TAG);
      expect(changed.headers.get('etag')).not.toBe(tag);
      expect(again.headers.get('etag')).toBe(changed.headers.get('etag'));
      expect(await tagOf(path)).toBe(changed.headers.get('etag'));
    },
  );

  it.each(CHANGEABLE)('that is no longer that of %s refuses a PATCH with 412, and changes nothing', async (name) => {
    const { change } = OBJECTS[name]!;
    const { path, tag } = await made(OBJECTS[name]!);
    const before = [await events(), (await send('GET', path)).text];

    for (const ifMatch of [OTHER, `W/${tag}`, `W/"*", ${OTHER}`]) {
      const { status, headers, body } = await send('PATCH', path, ifMatch, change);
      expect([status, body.error.metadata]).toEqual([412, { reason: 'precondition_failed', etag: tag }]);
      expect(headers.get('etag')).toBe(tag);
    }

    expect([await events(), (await send('GET', path)).text]).toEqual(before);
  });

  it.each(DELETABLE)(
    'refuses to delete %s that was changed since with 412, and deletes it with its tag: 200, then 404',
    async (name) => {
      const { path: place, tag } = await made(OBJECTS[name]!);
      const path = `${place}?${OBJECTS[name]!.deletion ?? ''}`;

      const refused = await send('DELETE', path, OTHER);
      expect([refused.status, refused.headers.get('etag'), await tagOf(place)]).toEqual([412, tag, tag]);
      const deleted = await send('DELETE', path, `${OTHER}, ${tag}`);
      expect([deleted.status, deleted.headers.get('etag')]).toEqual([200, null]);
      // What is not there is not found, whatever its tag would be.
      const missing = await send('DELETE', path, OTHER);
      expect([missing.status, missing.headers.get('etag')]).toEqual([404, null]);
    },
  );

  it.each(DELETABLE)('of %s of another organization is answered like that of none: 404', async (name) => {
    const { path } = await made(OBJECTS[name]!);
    const { managementKey: key } = await app.factory.organization();
    const headers = { 'if-match': OTHER, 'x-request-id': 'the-same' };
    const missing = path.replace(
      /[^/]+$/,
      name.endsWith('key') && name !== 'a provider key' ? '0'.repeat(64) : UNKNOWN_UUID,
    );

    // An organization without SCIM has no mappings at all.
    const [theirs, none] = [
      await app.api.delete(`${path}?${OBJECTS[name]!.deletion ?? ''}`, { key, headers }),
      await app.api.delete(`${missing}?${OBJECTS[name]!.deletion ?? ''}`, { key, headers }),
    ];

    expect([theirs.status, theirs.text]).toEqual([404, none.text]);
    expect(theirs.headers.get('etag')).toBeNull();
  });

  it.each([
    ['no tag', ''],
    ['only a comma', ','],
    ['a tag without quotation marks', 'cgA3tkXNpRSMAjVqUUZfPV3qwtI'],
    ['a tag that does not end', '"cgA3'],
    ['tags without a comma', `${OTHER} ${OTHER}`],
    ['a star in a list', `*, ${OTHER}`],
    ['a weak mark in lower case', `w/${OTHER}`],
    ['a space in a tag', '"a b"'],
    ['a thousand commas and a letter', `${','.repeat(1_000)}a`],
  ])('is a 400 with %s in If-Match, and changes nothing', async (_, ifMatch) => {
    const { path, tag } = await made(OBJECTS['a workspace']!);

    const { status, body } = await send('PATCH', path, ifMatch, { name: 'Changed' });

    expect([status, body.error.metadata.reason]).toEqual([400, 'malformed_if_match']);
    expect(body.error.metadata.issues?.map((issue) => issue.path)).toEqual(['If-Match']);
    expect(await tagOf(path)).toBe(tag);
  });

  it('matches * and any tag of a list, with 200', async () => {
    const { path, tag } = await made(OBJECTS['a workspace']!);

    const answers = [
      await send('PATCH', path, '*', { name: 'Workspace' }),
      await send('PATCH', path, ` * `, { name: 'Workspace' }),
      await send('PATCH', path, `,, ${OTHER} ,W/"x",\t${(await tagOf(path))!} ,`, { name: 'Changed' }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(tag).toMatch(STRONG_TAG);
  });

  it('of a preset changes with each version, and GET says it with 200', async () => {
    const path = '/presets/tagged';
    const addVersion = (): Promise<Answer<ErrorBody>> =>
      send('POST', `${path}/chat/completions`, undefined, {
        model: 'openai/gpt-5.4',
        messages: [{ role: 'user', content: 'Hello' }],
      });

    const [first, second] = [await addVersion(), await addVersion()];

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.headers.get('etag')).not.toBe(second.headers.get('etag'));
    expect(await tagOf(path)).toBe(second.headers.get('etag'));
  });

  it('of a default guardrail is the same before and after it is stored, and guards its first change: 412, 200', async () => {
    const workspace = await send<{ data: { default_guardrail_id: string } }>(
      'GET',
      `/workspaces/${sample.workspaceId}`,
    );
    const path = `/guardrails/${workspace.body.data.default_guardrail_id}`;
    const tag = (await tagOf(path))!;

    const refused = await send('PATCH', path, OTHER, { description: 'Guarded' });
    const changed = await send('PATCH', path, tag, { description: 'Guarded' });
    const back = await send('PATCH', path, changed.headers.get('etag')!, { description: null });

    expect([refused.status, changed.status, back.status]).toEqual([412, 200, 200]);
    expect(back.headers.get('etag')).toBe(tag);
  });

  it('of a provisioning token changes with its rotation, and guards its revocation: 201, 412, 200', async () => {
    const { managementKey: key } = await app.factory.organization();
    const made = await app.api.post<{ data: { id: string } }>('/scim/tokens', { key, json: { name: 'Directory' } });
    const path = `/scim/tokens/${made.body.data.id}`;

    const rotated = await app.api.post(`${path}/rotate`, { key });
    const [before, after] = [made, rotated].map(({ headers }) => headers.get('etag')!);
    const stale = await app.api.delete<ErrorBody>(path, { key, headers: { 'if-match': before! } });
    const revoked = await app.api.delete(path, { key, headers: { 'if-match': after! } });

    expect([made.status, rotated.status, stale.status, revoked.status]).toEqual([201, 201, 412, 200]);
    expect(before).toMatch(STRONG_TAG);
    expect(stale.body.error.metadata).toEqual({ reason: 'precondition_failed', etag: after });
  });

  it('of a key changes with its rotation, and not with what it spends: 200', async () => {
    const { path, tag } = await made(OBJECTS['a key']!);
    await app.rows(
      `INSERT INTO key_spend (organization_id, key_id, day, amount_usd, byok_amount_usd)
       SELECT organization_id, id, now(), 5, 0 FROM api_keys WHERE hash = decode($1, 'hex')`,
      [path.split('/').at(-1)],
    );
    const spent = await send<{ data: { usage: number } }>('GET', path);
    expect(spent.body.data.usage).toBe(5);

    expect(await tagOf(path)).toBe(tag);
    const rotated = await send<{ data: { hash: string } }>('POST', `${path}/rotate`, undefined, {});
    expect([rotated.status, rotated.headers.get('etag')]).not.toEqual([200, tag]);
    expect(await tagOf(`/keys/${rotated.body.data.hash}`)).toBe(rotated.headers.get('etag'));
  });

  describe('a budget', () => {
    const organization = organizationPerTest(app);
    const sendBudget = (method: string, ifMatch?: string, json?: object): Promise<Answer<ErrorBody>> =>
      app.api.send(method, `/workspaces/${organization.workspaceId}/budgets/monthly`, {
        key: organization.managementKey,
        ...(json && { json }),
        ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
      });

    it('is only changed and deleted with its tag: 412 for another one, and for one that there is not', async () => {
      const none = await sendBudget('PUT', '*', { limit_usd: 100 });
      const made = await sendBudget('PUT', undefined, { limit_usd: 100 });
      const tag = made.headers.get('etag')!;
      const refused = [await sendBudget('PUT', OTHER, { limit_usd: 200 }), await sendBudget('DELETE', OTHER)];
      const read = await sendBudget('GET');
      const changed = await sendBudget('PUT', tag, { limit_usd: 200 });
      const byok = await sendBudget('PUT', changed.headers.get('etag')!, {
        limit_usd: 200,
        include_byok_in_budgets: true,
      });
      const stale = await sendBudget('DELETE', changed.headers.get('etag')!);
      const deleted = await sendBudget('DELETE', byok.headers.get('etag')!);
      const gone = await sendBudget('DELETE', '*');

      expect([none.status, none.headers.get('etag'), none.body.error.metadata]).toEqual([
        412,
        null,
        { reason: 'precondition_failed', etag: null },
      ]);
      expect([made.status, ...refused.map(({ status }) => status)]).toEqual([200, 412, 412]);
      expect([read.headers.get('etag'), refused[0]!.headers.get('etag')]).toEqual([tag, tag]);
      expect([changed.status, byok.status, stale.status, deleted.status, gone.status]).toEqual([
        200, 200, 412, 200, 412,
      ]);
      expect(new Set([tag, changed.headers.get('etag'), byok.headers.get('etag')]).size).toBe(3);
    });
  });

  it('lets one of two changes through that know the same state: 200 and 412', async () => {
    const { path, tag } = await made(OBJECTS['a guardrail']!);
    const release = await lockRows(app, 'SELECT FROM guardrails WHERE id = $1 FOR UPDATE', [path.split('/').at(-1)]);

    const both = ['One', 'Other'].map((name) => send('PATCH', path, tag, { name }));
    await untilWaitingForLock(app, 2);
    await release();

    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 412]);
  });

  it('is repeated with the 200 of a request with an Idempotency-Key, although it has changed since', async () => {
    const { path, tag } = await made(OBJECTS['a workspace']!);
    const options = {
      key: sample.managementKey,
      json: { name: 'Once' },
      headers: { 'if-match': tag, 'idempotency-key': 'a-key-for-a-conditional-change' },
    };

    const first = await app.api.patch(path, options);
    await send('PATCH', path, undefined, { name: 'Since' });
    const second = await app.api.patch(path, options);

    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
  });
});
