import { DESTINATION_SETTINGS } from '../../../src/modules/observability/destination-settings.js';
import { DESTINATION_TYPES } from '../../../src/modules/observability/destination-type.js';
import type {
  ObservabilityDestination,
  UpdateObservabilityDestinationResponse,
} from '../../../src/modules/observability/dto/destination.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { DESTINATION_SAMPLES, SECRET_MARK } from '../../support/resources/destination-samples.js';
import {
  destinationState,
  EVERY_DESTINATION_OPTION,
  expectNoCredentialStored,
  newDestination,
  resolveHostsTo,
  storedConfig,
} from '../../support/resources/destinations.js';
import { FORBIDDEN_ADDRESSES, HOST_ADDRESSES } from './forbidden-addresses.js';
import { malformedBodies, MEDIUM_BODY } from '../../support/requests/malformed-bodies.js';
import { expectRefusal, type Refusal } from '../../support/expectations/error-envelope.js';
import { TIMESTAMP, UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

const HEADERS = { Authorization: `Bearer ${SECRET_MARK} token`, 'x-short': '12345678' };
const MASKED_HEADERS = { Authorization: 'Bear...oken', 'x-short': '****' };

/** A setting of each kind that decides where credentials are sent, with another value. */
const ORIGINS = [
  ['langfuse', 'baseUrl', 'https://public.example.com'],
  ['langfuse', 'baseUrl', 'https://us.cloud.langfuse.com:8443'],
  ['clickhouse', 'host', 'public.example.com'],
  ['datadog', 'url', 'https://public.example.com'],
  ['newrelic', 'region', 'us'],
  ['otel-collector', 'endpoint', 'https://public.example.com/v1/traces'],
  ['s3', 'endpoint', 'https://public.example.com'],
  ['s3', 'region', 'us-east-1'],
  ['s3', 'bucketName', 'another-bucket'],
  ['sentry', 'otlpEndpoint', 'https://public.example.com/otlp'],
  ['sentry', 'dsn', 'https://0123456789@public.example.com/1'],
  ['snowflake', 'account', 'another-account'],
  ['webhook', 'url', 'https://public.example.com/hook'],
] as const;

describe('updateObservabilityDestination', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);

  beforeAll(() => resolveHostsTo(app, HOST_ADDRESSES));

  const patch = (id: string, json: unknown): Promise<Answer<UpdateObservabilityDestinationResponse>> =>
    app.api.patch(`/observability/destinations/${id}`, { key: organization.managementKey, json });

  const update = async (id: string, json: unknown): Promise<ObservabilityDestination> => {
    const answer = await patch(id, json);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: answer.text });
    expectToFitContract('updateObservabilityDestination', 200, answer.body);
    return answer.body.data;
  };

  /** Refused, and nothing changed or recorded. */
  const expectRefused = async (id: string, json: unknown, refusal: Refusal): Promise<Answer> => {
    const before = await destinationState(app);
    const answer = await patch(id, json);
    expectRefusal(answer, { userId: organization.userId, ...refusal });
    expectToFitContract('updateObservabilityDestination', answer.status, answer.body);
    expect(await destinationState(app)).toEqual(before);
    return answer;
  };

  const invalid = (...paths: string[]): Refusal => ({ status: 400, reason: 'invalid_parameters', paths });
  const masked = (...paths: string[]): Refusal => ({ status: 400, reason: 'masked_credential', paths });

  /** Changes nothing: not the row, not even when it was changed, and no event says so. */
  const expectUnchanged = async (made: ObservabilityDestination, json: unknown): Promise<void> => {
    const before = await destinationState(app);
    expect(await update(made.id, json)).toEqual(made);
    expect(await destinationState(app)).toEqual(before);
  };

  describe('with credentials', () => {
    it.each(DESTINATION_TYPES)(
      'answers 200 and keeps those of the type %s for the body of its answer',
      async (type) => {
        const config = { ...DESTINATION_SAMPLES[type].config, headers: HEADERS };
        const made = await newDestination(app, organization, type, { ...EVERY_DESTINATION_OPTION, config });
        const { id, workspace_id, type: _type, created_at, updated_at, ...changeable } = made;

        await expectUnchanged(made, changeable);
        await expectUnchanged(made, { config: made.config });
        for (const [name, value] of Object.entries(made.config))
          await expectUnchanged(made, { config: { [name]: value } });
        expect(await storedConfig(app, id)).toEqual(config);
        expect([workspace_id, created_at, updated_at]).not.toContain(undefined);
      },
    );

    it.each(DESTINATION_TYPES)(
      'answers 200 and replaces each new one of the type %s, keeping the others',
      async (type) => {
        const made = await newDestination(app, organization, type);
        const settings = Object.entries(DESTINATION_SETTINGS[type]).filter(([, { credential }]) => credential);
        let stored = await storedConfig(app, made.id);

        for (const [name, { address }] of settings) {
          const isDsn = address === 'dsn';
          const value = isDsn ? `https://NEW${SECRET_MARK}@o1.ingest.sentry.io/1` : `NEW-${SECRET_MARK}-${name}-wxyz`;
          const answer = await update(made.id, { config: { ...made.config, [name]: value } });
          stored = { ...stored, [name]: value };
          expect(await storedConfig(app, made.id)).toEqual(stored);
          expect(answer.config[name]).toBe(isDsn ? 'http...io/1' : 'NEW-...wxyz');
          made.config = answer.config;
        }
      },
    );

    it.each(DESTINATION_TYPES)('answers 400 for another mask of the type %s', async (type) => {
      const { id } = await newDestination(app, organization, type);
      const credentials = Object.keys(DESTINATION_SAMPLES[type].masked).filter(
        (name) => DESTINATION_SETTINGS[type][name]!.credential,
      );

      for (const name of credentials) {
        await expectRefused(id, { config: { [name]: 'zyxw...dcba' } }, masked(`config.${name}`));
      }
      const config = { headers: { 'x-new': '****' } };
      await expectRefused(id, { config }, masked('config.headers.x-new'));
    });

    it('answers 400 for the mask of another credential', async () => {
      const config = { publicKey: 'pk-lf-0123456789', secretKey: 'sk-lf-0123456789' };
      const { id } = await newDestination(app, organization, 'langfuse', { config });
      const swapped = { publicKey: 'sk-l...6789', secretKey: 'pk-l...6789' };

      await expectRefused(id, { config: swapped }, masked('config.publicKey', 'config.secretKey'));
    });

    it('answers 200 and matches headers by name in any case, replacing all of them together', async () => {
      const url = 'https://public.example.com/';
      const { id } = await newDestination(app, organization, 'webhook', { config: { url, headers: HEADERS } });
      const rest = { url, method: 'POST' };

      await update(id, { config: { headers: { AUTHORIZATION: 'Bear...oken', 'x-new': `n${SECRET_MARK}w` } } });
      expect(await storedConfig(app, id)).toEqual({
        ...rest,
        headers: { AUTHORIZATION: HEADERS.Authorization, 'x-new': `n${SECRET_MARK}w` },
      });
      // It is away, and so is what its mask stood for.
      await expectRefused(id, { config: { headers: MASKED_HEADERS } }, masked('config.headers.x-short'));
      await update(id, { config: { headers: {} } });
      expect(await storedConfig(app, id)).toEqual({ ...rest, headers: {} });
      await update(id, { config: { headers: null } });
      expect(await storedConfig(app, id)).toEqual(rest);
    });

    it('answers 200 and keeps one whose mask is unchanged after a concurrent change, or answers 400', async () => {
      const { id } = await newDestination(app, organization, 'opik');
      const mask = DESTINATION_SAMPLES.opik.masked['apiKey'];
      const fresh = `fresh-${SECRET_MARK}-key`;

      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => patch(id, { config: { apiKey: index === 5 ? fresh : mask } })),
      );

      for (const { status, body } of answers.filter((_, index) => index !== 5)) {
        expect(status === 200 || status === 400).toBe(true);
        if (status === 400) expect(body).toMatchObject({ error: { metadata: { reason: 'masked_credential' } } });
      }
      expect(answers[5]!.status).toBe(200);
      expect((await storedConfig(app, id))['apiKey']).toBe(fresh);
    });

    it('answers 200 and records the change of one with the same mask, without either value', async () => {
      const { id, config, updated_at: before } = await newDestination(app, organization, 'opik');

      const answer = await update(id, { config: { apiKey: `abcd-OTHER-${SECRET_MARK}-wxyz` } });

      expect(answer.config).toEqual(config);
      expect(answer.updated_at > before).toBe(true);
      expect((await auditEventsOf(app, id)).slice(1)).toEqual([
        {
          action: 'observability_destination.update',
          target_type: 'observability_destination',
          target_id: id,
          actor_kind: 'management_key',
          actor_id: organization.userId,
          changes: { config: { before: config, after: config } },
        },
      ]);
    });

    it('answers 200 or 400 and leaves none in database, audit trail and log', async () => {
      for (const type of DESTINATION_TYPES) {
        const { id, config } = await newDestination(app, organization, type);
        await update(id, { name: 'Renamed', config: { ...config, headers: HEADERS } });
        expect((await patch(id, { config: { surprise: SECRET_MARK, headers: { 'a b': SECRET_MARK } } })).status).toBe(
          400,
        );
      }

      await expectNoCredentialStored(app);
    });

    it.each(ORIGINS)('answers 400 when %s gets another %s without its credentials', async (type, name, value) => {
      const config = { ...DESTINATION_SAMPLES[type].config, headers: HEADERS };
      const made = await newDestination(app, organization, type, { config });
      const credentials = Object.keys(DESTINATION_SETTINGS[type]).filter(
        (setting) => setting !== name && DESTINATION_SETTINGS[type][setting]!.credential,
      );
      const headers = Object.keys(HEADERS).map((header) => `headers.${header}`);
      const needed = (...names: string[]): Refusal => ({
        status: 400,
        reason: 'credentials_required_for_new_origin',
        paths: names.map((path) => `config.${path}`),
      });

      await expectRefused(made.id, { config: { [name]: value } }, needed(...credentials, ...headers));
      await expectRefused(made.id, { config: { ...made.config, [name]: value } }, needed(...credentials, ...headers));
      const fresh = Object.fromEntries(credentials.map((setting) => [setting, config[setting as keyof typeof config]]));
      await expectRefused(made.id, { config: { ...fresh, [name]: value } }, needed(...headers));
      for (const missing of credentials) {
        const given = { ...fresh, headers: HEADERS, [missing]: made.config[missing] };
        await expectRefused(made.id, { config: { ...given, [name]: value } }, needed(missing));
      }

      await update(made.id, { config: { ...fresh, headers: HEADERS, [name]: value } });

      expect(await storedConfig(app, made.id)).toEqual({ ...config, [name]: value });
    });

    it('answers 200 to another path of the same origin, and to another origin once there are no credentials', async () => {
      const { baseUrl } = DESTINATION_SAMPLES.langfuse.config;
      const made = await newDestination(app, organization, 'langfuse');

      await update(made.id, { config: { baseUrl: `${baseUrl!.replace('https', 'HTTPS')}:443/base` } });
      expect((await storedConfig(app, made.id))['secretKey']).toBe(DESTINATION_SAMPLES.langfuse.config['secretKey']);

      const url = 'https://public.example.com/elsewhere';
      const hook = await newDestination(app, organization, 'webhook', {
        config: { url: 'https://hooks.example.com/x', headers: HEADERS },
      });
      await update(hook.id, { config: { url, headers: null } });
      expect(await storedConfig(app, hook.id)).toEqual({ url, method: 'POST' });
    });

    it('answers 200 and records both addresses of a change of origin', async () => {
      const made = await newDestination(app, organization, 'langfuse');
      const baseUrl = 'https://public.example.com/langfuse';

      const answer = await update(made.id, { config: { ...DESTINATION_SAMPLES.langfuse.config, baseUrl } });

      const config = { ...made.config, baseUrl };
      expect(answer.config).toEqual(config);
      expect((await auditEventsOf(app, made.id)).at(-1)!.changes).toEqual({
        config: { before: made.config, after: config },
      });
    });

    it('answers 200 for the mask with an ellipsis (U+2026), or 400 for one that does not fit', async () => {
      const made = await newDestination(app, organization, 'langfuse');

      await expectUnchanged(made, { config: { secretKey: 'abcd\u2026wxyz' } });
      await expectRefused(made.id, { config: { secretKey: 'zyxw\u2026dcba' } }, masked('config.secretKey'));
    });

    it('answers 400 to the mask of an address that is not the stored one', async () => {
      const { id } = await newDestination(app, organization, 'webhook');

      for (const url of ['https://public.example.com/****', 'https://hooks.example.com/x?****', '****']) {
        await expectRefused(id, { config: { url } }, masked('config.url'));
      }
    });
  });

  describe('with settings that cannot be decrypted', () => {
    const unreadable = async (): Promise<string> => {
      const { id } = await newDestination(app, organization, 'langfuse');
      await app.rows(
        'UPDATE observability_destinations SET encrypted_config = sha512(encrypted_config) WHERE id = $1',
        [id],
      );
      return id;
    };

    it('answers 200 to new settings, and to changes of other fields', async () => {
      const id = await unreadable();
      const { config, masked: shown } = DESTINATION_SAMPLES.langfuse;

      expect(await update(id, { name: 'Renamed' })).toMatchObject({ name: 'Renamed', config: { secretKey: '****' } });
      await expectRefused(id, { config: { secretKey: 'x' } }, invalid('config.publicKey'));
      await expectRefused(
        id,
        { config: { publicKey: '****', secretKey: '****' } },
        masked('config.publicKey', 'config.secretKey'),
      );

      expect((await update(id, { config })).config).toEqual(shown);
      expect(await storedConfig(app, id)).toEqual(config);
    });

    it('lets deletion answer 200', async () => {
      const key = organization.managementKey;

      expect((await app.api.delete(`/observability/destinations/${await unreadable()}`, { key })).status).toBe(200);
    });
  });

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

  it.each(malformedBodies({ name: 'x' }, MEDIUM_BODY))(
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
