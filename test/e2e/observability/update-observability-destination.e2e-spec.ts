import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { DESTINATION_SAMPLES } from '../../support/resources/destination-samples.js';
import { EVERY_DESTINATION_OPTION, newDestination, storedConfig } from '../../support/resources/destinations.js';
import { FORBIDDEN_ADDRESSES } from './forbidden-addresses.js';
import { someMalformedBodies, MEDIUM_BODY } from '../../support/requests/malformed-bodies.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TIMESTAMP, UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { destinationUpdate } from './destination-update.js';

describe('updateObservabilityDestination', () => {
  const { app, organization, patch, update, expectRefused, invalid, expectUnchanged } = destinationUpdate();

  it('answers 200 to a change of every field, and records each with its earlier value', async () => {
    const made = await newDestination(app, organization, 'webhook');
    const { hash } = await app.factory.key(organization);
    const fields = { ...EVERY_DESTINATION_OPTION, name: 'Renamed', api_key_hashes: [hash] };

    const data = await update(made.id.toUpperCase(), { ...fields, api_key_hashes: [hash, hash] });

    expect(data).toEqual({ ...made, ...fields, updated_at: expect.stringMatching(TIMESTAMP) as string });
    expect(data.updated_at > made.updated_at).toBe(true);
    expect(await app.rows('SELECT * FROM observability_destinations WHERE id = $1', [made.id])).toMatchObject([
      { ...fields, created_at: new Date(made.created_at), updated_at: new Date(data.updated_at) },
    ]);
    expect((await auditEventsOf(app, made.id)).at(-1)!.changes).toEqual(
      Object.fromEntries(
        Object.entries(fields).map(([name, after]) => [name, { before: made[name as keyof typeof fields], after }]),
      ),
    );
  });

  it.each(Object.entries({ ...EVERY_DESTINATION_OPTION, name: 'Renamed' }))(
    'answers 200 to a change of %s alone',
    async (name, value) => {
      const made = await newDestination(app, organization, 'webhook');

      const { updated_at: _, ...data } = await update(made.id, { [name]: value });

      expect(data).toEqual({
        ...Object.fromEntries(Object.entries(made).filter(([field]) => field in data)),
        [name]: value,
      });
      expect((await auditEventsOf(app, made.id)).slice(1).map(({ changes }) => Object.keys(changes!))).toEqual([
        [name],
      ]);
    },
  );

  it('answers 200 to other regions, each once and europe for eu, and writes nothing when they are the same', async () => {
    const made = await newDestination(app, organization, 'webhook');

    const changed = await update(made.id, { regions: ['eu', 'us', 'europe'] });

    expect(changed.regions).toEqual(['europe', 'us']);
    expect((await auditEventsOf(app, made.id)).at(-1)!.changes).toEqual({
      regions: { before: ['global'], after: ['europe', 'us'] },
    });
    await expectUnchanged(changed, { regions: ['europe', 'us', 'eu'] });
  });

  it('answers 200 to null, which resets settings to their defaults or removes them', async () => {
    const { hash } = await app.factory.key(organization);
    const { id } = await newDestination(app, organization, 's3', {
      ...EVERY_DESTINATION_OPTION,
      api_key_hashes: [hash],
    });
    const away = { region: null, endpoint: null, sessionToken: null, prefix: null, pathTemplate: null, headers: null };

    // Without its endpoint and region the data goes elsewhere.
    const { accessKeyId, secretAccessKey } = DESTINATION_SAMPLES.s3.config;
    const config = { ...away, accessKeyId, secretAccessKey };

    const data = await update(id, { api_key_hashes: null, filter_rules: null, config });

    expect(data).toMatchObject({ api_key_hashes: null, filter_rules: null });
    expect(await storedConfig(app, id)).toEqual({
      bucketName: 'gateway-traces',
      accessKeyId: DESTINATION_SAMPLES.s3.config['accessKeyId'],
      secretAccessKey: DESTINATION_SAMPLES.s3.config['secretAccessKey'],
      prefix: 'gateway-traces',
      pathTemplate: '{prefix}/{date}',
    });
    const required = { accessKeyId: null, bucketName: null };
    await expectRefused(id, { config: required }, invalid('config.accessKeyId', 'config.bucketName'));
  });

  it('answers 200 and changes nothing for an empty request', async () => {
    const made = await newDestination(app, organization, 'langfuse', EVERY_DESTINATION_OPTION);

    for (const json of [
      {},
      { config: {} },
      { config: { headers: null } },
      { name: made.name, enabled: made.enabled },
    ]) {
      await expectUnchanged(made, json);
    }
  });

  it('answers 200 to requests at the same time, one after another, without losing a change', async () => {
    const { id } = await newDestination(app, organization, 's3');
    const changes = [{ name: 'Renamed' }, { enabled: false }, { sampling_rate: 0.5 }, { privacy_mode: true }];
    const settings = [
      { prefix: 'p' },
      { pathTemplate: '{date}' },
      { sessionToken: 't'.repeat(20) },
      { secretAccessKey: 'k'.repeat(20) },
    ];

    const answers = await Promise.all([
      ...changes.map((json) => patch(id, json)),
      ...settings.map((config) => patch(id, { config })),
    ]);

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const [row] = await app.rows('SELECT * FROM observability_destinations WHERE id = $1', [id]);
    expect(row).toMatchObject(Object.assign({}, ...changes) as object);
    expect(await storedConfig(app, id)).toMatchObject(Object.assign({}, ...settings) as object);
    expect(await auditEventsOf(app, id)).toHaveLength(9);
  });

  it('answers 200 with the hash of a deleted key that it already has, and 400 for another unknown hash', async () => {
    const [toDelete, kept] = [await app.factory.key(organization), await app.factory.key(organization)];
    const foreign = await app.factory.key(await app.factory.organization());
    const hashes = [toDelete.hash, kept.hash];
    const made = await newDestination(app, organization, 'webhook', { api_key_hashes: hashes });
    await app.rows('DELETE FROM api_keys WHERE id = $1', [toDelete.id]);

    await expectUnchanged(made, { api_key_hashes: hashes });
    const unknown = { status: 400, reason: 'key_not_found', paths: ['api_key_hashes[1]'] };
    for (const hash of [foreign.hash, '0'.repeat(64), 'x', '']) {
      await expectRefused(made.id, { api_key_hashes: [toDelete.hash, hash] }, unknown);
    }
    await update(made.id, { api_key_hashes: [kept.hash] });
    await expectRefused(made.id, { api_key_hashes: hashes }, { ...unknown, paths: ['api_key_hashes[0]'] });
  });

  it.each(FORBIDDEN_ADDRESSES)('answers 400 for %j, because it %s', async (url, fault) => {
    const id = await app.factory.destination(organization, 'webhook', { url: 'https://public.example.com' });

    const answer = await expectRefused(
      id,
      { name: 'x', config: { url } },
      { status: 400, reason: 'address_not_allowed', paths: ['config.url'] },
    );

    expect(answer.body).toMatchObject({ error: { metadata: { issues: [{ message: fault }] } } });
  });

  it('answers 200 to other changes when the stored address is no longer allowed', async () => {
    const config = { url: 'http://10.0.0.1:4318/', method: 'POST' };
    const id = await app.factory.destination(organization, 'webhook', config);

    const { config: renamed } = await update(id, { name: 'Renamed', config: { ...config, method: 'PUT' } });

    expect(renamed).toEqual({ ...config, method: 'PUT' });
  });

  it.each([
    [{ name: null, enabled: null, sampling_rate: null, config: null }, ['name', 'enabled', 'sampling_rate', 'config']],
    [{ name: '' }, ['name']],
    [{ api_key_hashes: [] }, ['api_key_hashes']],
    [{ filter_rules: { groups: [{ rules: 'x' }] } }, ['filter_rules.groups[0].rules']],
    [{ regions: [] }, ['regions']],
    [{ regions: null }, ['regions']],
    [{ regions: ['moon'] }, ['regions[0]']],
    [{ config: 'x' }, ['config']],
    [{ config: [] }, ['config']],
    [{ config: { surprise: null, baseUrl: 7 } }, ['config.surprise', 'config.baseUrl']],
    [{ config: { apiKey: 'x', url: 'https://example.com' } }, ['config.apiKey', 'config.url']],
    [{ config: { publicKey: '', secretKey: null } }, ['config.publicKey', 'config.secretKey']],
    [{ config: { headers: { 'a b': 'x', c: null } } }, ['config.headers.a b', 'config.headers.c']],
    [{ config: { headers: 'x' } }, ['config.headers']],
    // What never changes, what only answers have, and what the columns are called.
    [
      {
        type: 'webhook',
        id: UNKNOWN_UUID,
        workspace_id: UNKNOWN_UUID,
        organization_id: 'org_x',
        created_at: '2026-01-01T00:00:00.000Z',
        updated_at: '2026-01-01T00:00:00.000Z',
        encrypted_config: 'x',
      },
      ['type', 'id', 'workspace_id', 'organization_id', 'created_at', 'updated_at', 'encrypted_config'],
    ],
  ])('answers 400 for %j, and names every issue', async (json, paths) => {
    const { id } = await newDestination(app, organization);

    await expectRefused(id, json, invalid(...paths));
  });

  it('answers 400 and names every issue of a configuration and of what it leads to at once', async () => {
    const { id } = await newDestination(app, organization);
    const config = { baseUrl: 'https://10.0.0.1', publicKey: 'zyxw...dcba', secretKey: '', surprise: 'x' };

    await expectRefused(
      id,
      { config, api_key_hashes: ['0'.repeat(64)] },
      invalid(...Object.keys(config).map((name) => `config.${name}`), 'api_key_hashes[0]'),
    );
  });

  it('answers 400 for a setting named __proto__', async () => {
    const { id } = await newDestination(app, organization);
    const key = organization.managementKey;

    for (const config of ['{"__proto__":{"secretKey":"x"}}', '{"__proto__":null}', '{"constructor":"x"}']) {
      const answer = await app.api.patch(`/observability/destinations/${id}`, { key, raw: `{"config":${config}}` });
      const path = config.includes('proto') ? 'config.__proto__' : 'config.constructor';
      expectRefusal(answer, { ...invalid(path), userId: organization.userId });
    }
    expect(await storedConfig(app, id)).toEqual(DESTINATION_SAMPLES.langfuse.config);
  });

  it("answers 404 with the same body for another organization's destination and for a missing one", async () => {
    const foreign = await newDestination(app, await app.factory.organization());
    const notFound = { status: 404, reason: 'destination_not_found' };
    const options = { key: organization.managementKey, headers: { 'x-request-id': 'same' }, json: { name: 'x' } };
    const texts: string[] = [];

    for (const id of [foreign.id, UNKNOWN_UUID, organization.workspaceId, 'x', `${foreign.id}0`]) {
      await expectRefused(id, { name: 'x', config: { surprise: 'x', baseUrl: 'https://10.0.0.1' } }, notFound);
      texts.push((await app.api.patch(`/observability/destinations/${id}`, options)).text);
    }
    expect(new Set(texts).size).toBe(1);
  });

  it('answers 404 for a destination that is deleted (200) while the request waits', async () => {
    const { id } = await newDestination(app, organization);
    const key = organization.managementKey;

    const [removed, ...patched] = await Promise.all([
      app.api.delete(`/observability/destinations/${id}`, { key }),
      ...Array.from({ length: 10 }, (_, index) => patch(id, { name: `Name ${index}` })),
    ]);

    expect(removed.status).toBe(200);
    const done = patched.filter(({ status }) => status === 200);
    for (const answer of patched.filter(({ status }) => status !== 200)) {
      expectRefusal(answer, { status: 404, reason: 'destination_not_found', userId: organization.userId });
    }
    expect(await auditEventsOf(app, id)).toHaveLength(2 + done.length);
  });

  it.each(someMalformedBodies({ name: 'x' }, MEDIUM_BODY))(
    'answers 400, 413 or 415 for %s',
    async (_name, request, refusal) => {
      const { id } = await newDestination(app, organization);
      const answer = await app.api.patch(`/observability/destinations/${id}`, {
        key: organization.managementKey,
        ...request,
      });
      expectRefusal(answer, { ...refusal, userId: organization.userId });
    },
  );
});
