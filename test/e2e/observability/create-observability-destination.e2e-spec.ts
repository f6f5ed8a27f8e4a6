import { DESTINATION_SETTINGS } from '../../../src/modules/observability/destination-settings.js';
import { DESTINATION_TYPES } from '../../../src/modules/observability/destination-type.js';
import type {
  CreateObservabilityDestinationResponse,
  GetObservabilityDestinationResponse,
} from '../../../src/modules/observability/dto/destination.dto.js';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { DESTINATION_SAMPLES, SECRET_MARK } from '../../support/resources/destination-samples.js';
import {
  destinationState,
  EVERY_DESTINATION_OPTION,
  expectNoCredentialStored,
  newDestination,
  DESTINATION_DEFAULTS,
  resolveHostsTo,
  storedConfig,
} from '../../support/resources/destinations.js';
import { DnsServer } from '../../support/network/dns-server.js';
import { FORBIDDEN_ADDRESSES, HOST_ADDRESSES } from './forbidden-addresses.js';
import { malformedBodies, MEDIUM_BODY } from '../../support/requests/malformed-bodies.js';
import { expectRefusal, type Refusal } from '../../support/expectations/error-envelope.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import { TestApplication } from '../../support/application/test-application.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/expectations/formats.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

const PATH = '/observability/destinations';

const WEBHOOK = { type: 'webhook', name: 'Hook', config: { url: 'https://public.example.com/hook' } };

/** One code point, two UTF-16 code units. */
const ASTRAL = '\u{1f512}';

describe('createObservabilityDestination', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);

  beforeAll(() => resolveHostsTo(app, HOST_ADDRESSES));

  const post = (
    json: unknown,
    key = organization.managementKey,
    { api } = app,
  ): Promise<Answer<CreateObservabilityDestinationResponse>> => api.post(PATH, { key, json });

  /** Refused, and nothing stored or recorded. */
  const expectRefused = async (json: unknown, reason: string, ...paths: string[]): Promise<Answer> => {
    const before = await destinationState(app);
    const answer = await post(json);
    expectRefusal(answer, { status: 400, reason, paths, userId: organization.userId });
    expectToFitContract('createObservabilityDestination', 400, answer.body);
    expect(await destinationState(app)).toEqual(before);
    return answer;
  };

  const messagesOf = ({ body }: Answer): string[] =>
    (body as ErrorBody).error.metadata.issues!.map(({ message }) => message);

  it.each(DESTINATION_TYPES)(
    'answers 201 for the type %s, stores its settings and masks its credentials',
    async (type) => {
      const { config, masked } = DESTINATION_SAMPLES[type];
      const headers = { Authorization: `Bearer ${SECRET_MARK} token`, 'x-short': '12345678' };

      const answer = await post({ type, name: 'Traces', config: { ...config, headers } });

      expect(answer.status).toBe(201);
      expectToFitContract('createObservabilityDestination', 201, answer.body);
      const { data } = answer.body;
      expect(data).toEqual({
        id: expect.stringMatching(UUID_V7) as string,
        workspace_id: organization.workspaceId,
        name: 'Traces',
        type,
        ...DESTINATION_DEFAULTS,
        config: { ...masked, headers: { Authorization: 'Bear...oken', 'x-short': '****' } },
        created_at: expect.stringMatching(TIMESTAMP) as string,
        updated_at: data.created_at,
      });
      expect(answer.text).not.toContain(SECRET_MARK);
      expect(await storedConfig(app, data.id)).toEqual({ ...config, headers });
      const { body } = await app.api.get<GetObservabilityDestinationResponse>(`${PATH}/${data.id}`, {
        key: organization.managementKey,
      });
      expect(body).toEqual(answer.body);
    },
  );

  it.each(DESTINATION_TYPES)('answers 201 for the type %s with the defaults of absent settings', async (type) => {
    const settings = Object.entries(DESTINATION_SETTINGS[type]);
    const isRequired = ([name]: [string, unknown]): boolean =>
      settings.some(([known, { required }]) => known === name && required);
    const config = Object.fromEntries(Object.entries(DESTINATION_SAMPLES[type].config).filter(isRequired));
    const defaults = settings.flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]]));

    const { id } = await newDestination(app, organization, type, { config });

    expect(await storedConfig(app, id)).toEqual({ ...config, ...Object.fromEntries(defaults) });
  });

  it.each(DESTINATION_TYPES)(
    'answers 400 and names every missing setting of the type %s, or 201 for a type that needs none',
    async (type) => {
      const required = Object.entries(DESTINATION_SETTINGS[type]).filter(([, setting]) => setting.required);

      const paths = required.map(([name]) => `config.${name}`);
      if (paths.length > 0) await expectRefused({ type, name: 'x', config: {} }, 'invalid_parameters', ...paths);
      else expect((await post({ type, name: 'x', config: {} })).status).toBe(201);
    },
  );

  it.each(DESTINATION_TYPES)('answers 400 for a setting that the type %s does not have', async (type) => {
    const { config } = DESTINATION_SAMPLES[type];

    await expectRefused(
      { type, name: 'x', config: { ...config, surprise: 'x', APIKEY: 'x', constructor: 'x' } },
      'invalid_parameters',
      ...['config.surprise', 'config.APIKEY', 'config.constructor'],
    );
  });

  it('answers 201 or 400 and leaves no credential in database, audit trail and log', async () => {
    const headers = { 'x-tenant': `head-${SECRET_MARK}-tail` };
    for (const type of DESTINATION_TYPES) {
      const config = { ...DESTINATION_SAMPLES[type].config, headers };
      await newDestination(app, organization, type, { config });
      // Refused for another reason: a refused configuration must not be stored either.
      expect((await post({ type, name: '', config: { ...config, surprise: SECRET_MARK } })).status).toBe(400);
    }

    await expectNoCredentialStored(app);
    expect(app.logLines.join('')).toContain(PATH);
  });

  it('answers 400 without repeating a credential', async () => {
    const { config } = DESTINATION_SAMPLES.sentry;
    const dsn = `ftp://${SECRET_MARK}@o1.ingest.sentry.io/1`;
    const answers = [
      await post({ type: 'sentry', name: 'x', config: { ...config, dsn } }),
      await post({ type: 'sentry', name: 'x', config: { ...config, dsn: `https://${SECRET_MARK}@127.0.0.1/1` } }),
      await post({ type: 'webhook', name: 'x', config: { url: `https://user:${SECRET_MARK}@example.com` } }),
      await post({ type: 'webhook', name: 'x', config: { ...WEBHOOK.config, headers: { a: `\n${SECRET_MARK}` } } }),
    ];

    for (const { status, text } of answers) expect([status, text.includes(SECRET_MARK)]).toEqual([400, false]);
  });

  it('answers 201 and records the creation with masked credentials', async () => {
    const { id } = await newDestination(app, organization, 'posthog', {
      ...EVERY_DESTINATION_OPTION,
      name: 'Recorded',
    });

    expect(await auditEventsOf(app, id)).toEqual([
      {
        action: 'observability_destination.create',
        target_type: 'observability_destination',
        target_id: id,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: {
          workspace_id: { after: organization.workspaceId },
          name: { after: 'Recorded' },
          type: { after: 'posthog' },
          config: { after: DESTINATION_SAMPLES.posthog.masked },
          ...Object.fromEntries(
            Object.entries(EVERY_DESTINATION_OPTION).map(([name, value]) => [name, { after: value }]),
          ),
        },
      },
    ]);
  });

  it('answers 201 with every field of the request, and stores it', async () => {
    const workspaceId = await app.factory.workspace(organization);
    const { hash } = await app.factory.key(organization);
    const other = (await app.factory.key(organization)).hash;

    const made = await newDestination(app, organization, 'webhook', {
      ...EVERY_DESTINATION_OPTION,
      workspace_id: workspaceId.toUpperCase(),
      api_key_hashes: [other, hash, other],
    });

    expect(made).toMatchObject({
      ...EVERY_DESTINATION_OPTION,
      workspace_id: workspaceId,
      api_key_hashes: [other, hash],
    });
    const rows = await app.rows('SELECT * FROM observability_destinations WHERE id = $1', [made.id]);
    expect(rows).toMatchObject([
      { ...EVERY_DESTINATION_OPTION, workspace_id: workspaceId, organization_id: organization.organizationId },
    ]);
  });

  it('answers 201 with each region once, and with europe for eu', async () => {
    const regions = ['eu', 'us', 'europe', 'us', 'global', 'eu'];

    const made = await newDestination(app, organization, 'webhook', { regions });

    expect(made.regions).toEqual(['europe', 'us', 'global']);
    expect(await app.rows('SELECT regions FROM observability_destinations WHERE id = $1', [made.id])).toEqual([
      { regions: ['europe', 'us', 'global'] },
    ]);
  });

  it.each([
    [{ sampling_rate: 0 }],
    [{ api_key_hashes: null, filter_rules: null }],
    [{ filter_rules: { groups: [] } }],
    [{ filter_rules: { groups: [{ rules: [{ field: 'input', operator: 'equals', value: '' }] }] } }],
    [{ name: ASTRAL.repeat(200) }],
  ])('answers 201 for %j', async (fields) => {
    expect(await newDestination(app, organization, 'webhook', fields)).toMatchObject(fields);
  });

  it.each([
    [{}, ['type', 'name', 'config']],
    [{ type: null, name: null, config: null }, ['type', 'name', 'config']],
    [{ ...WEBHOOK, type: 'Webhook' }, ['type']],
    [{ ...WEBHOOK, type: 'slack', name: '' }, ['type', 'name']],
    [{ ...WEBHOOK, type: ['webhook'] }, ['type']],
    [{ ...WEBHOOK, type: '__proto__', config: [] }, ['type', 'config']],
    [{ ...WEBHOOK, name: ASTRAL.repeat(201) }, ['name']],
    [{ ...WEBHOOK, config: 'x' }, ['config']],
    [{ ...WEBHOOK, config: [] }, ['config']],
    [{ ...WEBHOOK, sampling_rate: 1.001 }, ['sampling_rate']],
    [{ ...WEBHOOK, sampling_rate: -0.001 }, ['sampling_rate']],
    [{ ...WEBHOOK, sampling_rate: '1', enabled: 1, privacy_mode: null }, ['sampling_rate', 'enabled', 'privacy_mode']],
    [{ ...WEBHOOK, api_key_hashes: [] }, ['api_key_hashes']],
    [{ ...WEBHOOK, api_key_hashes: Array.from({ length: 1_001 }, () => '0') }, ['api_key_hashes']],
    [{ ...WEBHOOK, api_key_hashes: [1, null] }, ['api_key_hashes[0]', 'api_key_hashes[1]']],
    [{ ...WEBHOOK, regions: [] }, ['regions']],
    [{ ...WEBHOOK, regions: null }, ['regions']],
    [{ ...WEBHOOK, regions: 'us' }, ['regions']],
    [{ ...WEBHOOK, regions: ['EU', 'asia', null] }, ['regions[0]', 'regions[1]', 'regions[2]']],
    [{ ...WEBHOOK, workspace_id: 'default' }, ['workspace_id']],
    [{ ...WEBHOOK, workspace_id: null }, ['workspace_id']],
    [{ ...WEBHOOK, filter_rules: {} }, ['filter_rules.groups']],
    [
      { ...WEBHOOK, filter_rules: { groups: [{ logic: 'xor', rules: [{ field: 'x', operator: '=', value: [] }] }] } },
      [
        'filter_rules.groups[0].logic',
        ...['field', 'operator', 'value'].map((name) => `filter_rules.groups[0].rules[0].${name}`),
      ],
    ],
    [
      { ...WEBHOOK, filter_rules: { groups: [{ rules: [{}], surprise: 1 }] } },
      [
        'filter_rules.groups[0].surprise',
        ...['field', 'operator'].map((name) => `filter_rules.groups[0].rules[0].${name}`),
      ],
    ],
    // What only answers have, and what the columns are called.
    [
      {
        ...WEBHOOK,
        id: UNKNOWN_UUID,
        organization_id: 'org_x',
        created_at: '2026-01-01T00:00:00.000Z',
        updated_at: '2026-01-01T00:00:00.000Z',
        encrypted_config: 'x',
      },
      ['id', 'organization_id', 'created_at', 'updated_at', 'encrypted_config'],
    ],
    // Faults of all kinds in one request.
    [
      {
        type: 'langfuse',
        name: '',
        enabled: 'yes',
        config: { publicKey: '', secretKey: 7, surprise: 'x', headers: { 'a b': 'x', c: 1 } },
        sampling_rate: 2,
      },
      [
        ...['name', 'enabled', 'sampling_rate', 'config.publicKey', 'config.secretKey', 'config.surprise'],
        ...['config.headers.a b', 'config.headers.c'],
      ],
    ],
  ])('answers 400 for %j, and names every issue', (json, paths) => expectRefused(json, 'invalid_parameters', ...paths));

  it.each([
    ['snowflake', { account: 'organization/account' }],
    ['snowflake', { account: 'evil.example.com#' }],
    ['snowflake', { account: 'a'.repeat(256) }],
    ['s3', { bucketName: 'evil.example.com/' }],
    ['s3', { region: 'eu@evil.example.com' }],
    ['newrelic', { region: 'EU' }],
    ['webhook', { method: 'DELETE' }],
    ['sentry', { dsn: 'https://o1.ingest.sentry.io/1' }],
    ['langsmith', { project: '' }],
    ['grafana', { instanceId: '' }],
  ] as const)('answers 400 for the type %s with the settings %j', async (type, settings) => {
    const config = { ...DESTINATION_SAMPLES[type].config, ...settings };

    await expectRefused(
      { type, name: 'x', config },
      'invalid_parameters',
      ...Object.keys(settings).map((name) => `config.${name}`),
    );
  });

  it.each([
    [{ headers: 'x' }, ['config.headers']],
    [{ headers: null }, ['config.headers']],
    [{ headers: [] }, ['config.headers']],
    [{ headers: { a: null, b: ['x'] } }, ['config.headers.a', 'config.headers.b']],
    [{ headers: { '': 'x' } }, ['config.headers.']],
    [{ headers: { 'a:': 'x' } }, ['config.headers.a:']],
    [{ headers: { 'a\r\nb': 'x' } }, ['config.headers.a\r\nb']],
    [{ headers: { a: 'x', A: 'y' } }, ['config.headers.A']],
    [{ headers: { a: 'x\r\nHost: evil' } }, ['config.headers.a']],
    [{ headers: { a: 'x\u007f' } }, ['config.headers.a']],
  ])('answers 400 for %j', (settings, paths) =>
    expectRefused({ ...WEBHOOK, config: { ...WEBHOOK.config, ...settings } }, 'invalid_parameters', ...paths),
  );

  it.each(DESTINATION_TYPES)('answers 400 for a mask as credential of the type %s', async (type) => {
    const { masked, config: whole } = DESTINATION_SAMPLES[type];
    const credentials = Object.keys(masked).filter((name) => masked[name] !== whole[name]);
    const config = { ...masked, headers: { 'x-key': '****' } };
    const paths = [...credentials, 'headers.x-key'].map((name) => `config.${name}`);

    await expectRefused({ type, name: 'x', config }, 'masked_credential', ...paths);
  });

  describe('with addresses', () => {
    it.each(FORBIDDEN_ADDRESSES)('answers 400 for %j, because it %s', async (url, fault) => {
      const answer = await expectRefused({ ...WEBHOOK, config: { url } }, 'address_not_allowed', 'config.url');

      expect(messagesOf(answer)).toEqual([fault]);
    });

    const addressSettings = DESTINATION_TYPES.flatMap((type) =>
      Object.entries(DESTINATION_SETTINGS[type]).flatMap(([name, { address }]) =>
        address === undefined ? [] : [[type, name, address] as const],
      ),
    );

    it.each(addressSettings)('answers 400 for a private address of the type %s as %s', async (type, name, form) => {
      const refuses = (address: string): Promise<Answer> => {
        const config = { ...DESTINATION_SAMPLES[type].config, [name]: address };
        return expectRefused({ type, name: 'x', config }, 'address_not_allowed', `config.${name}`);
      };
      const key = form === 'dsn' ? 'key@' : '';

      for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', '0x7f000001', 'localhost', 'loopback.example.com']) {
        await refuses(`https://${key}${host}/1`);
      }
      if (form === 'host') {
        for (const host of ['127.0.0.1', '10.0.0.1:8443', '[::1]:8443', 'localhost', 'http://public.example.com']) {
          await refuses(host);
        }
      }
    });

    it('knows every setting that is an address', () => {
      const urls = DESTINATION_TYPES.flatMap((type) =>
        Object.entries(DESTINATION_SAMPLES[type].config).flatMap(([name, value]) =>
          value.startsWith('https://') ? [`${type}.${name}`] : [],
        ),
      );

      expect(addressSettings.map(([type, name]) => `${type}.${name}`).sort()).toEqual(urls.sort());
    });

    it.each([
      'https://public.example.com',
      'HTTPS://Public.Example.com/',
      'https://public.example.com:443/v1/traces?a=b',
      'https://public.example.com:8443/@127.0.0.1',
      'https://93.184.215.14/',
      'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:4318/',
      // It has no address, so nothing is sent there.
      'https://nowhere.example.com/',
    ])('answers 201 and stores %s unchanged', async (url) => {
      const { id } = await newDestination(app, organization, 'webhook', { config: { url } });

      expect(await storedConfig(app, id)).toEqual({ url, method: 'POST' });
    });

    it('answers 201 for a private address, and for http, where the deployment allows it', async () => {
      const variables = { ALLOW_PRIVATE_DESTINATIONS: 'true' };
      const lenient = await TestApplication.start({ database: app.database, variables });
      const attempt = async (url: string): Promise<number> =>
        (await post({ ...WEBHOOK, config: { url } }, organization.managementKey, lenient)).status;

      expect(await attempt('http://127.0.0.1:4318/v1/traces')).toBe(201);
      expect(await attempt('https://collector.internal/')).toBe(201);
      for (const url of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'http://a:b@127.0.0.1/', 'http://0x7f000001/']) {
        expect([url, await attempt(url)]).toEqual([url, 400]);
      }

      await lenient.stop();
    });
  });

  describe('with host names that no name server answers for', () => {
    it("answers 400 and 429, while another organization's destinations are created with 201", async () => {
      const names = await DnsServer.start((name) => (name.startsWith('slow') ? 'silence' : HOST_ADDRESSES[name]));
      const asking = await TestApplication.start({
        database: app.database,
        // As many connections as let all of these requests be worked on at once: each has half of them.
        variables: { DNS_SERVERS: names.address, DNS_TIMEOUT_MS: '4000', DATABASE_POOL_SIZE: '64' },
      });
      const other = await app.factory.organization();
      const slow = Array.from({ length: 30 }, (_, index) =>
        post({ ...WEBHOOK, config: { url: `https://slow-${index}.example.com/` } }, organization.managementKey, asking),
      );

      const answer = await post(WEBHOOK, other.managementKey, asking);

      expect(answer.status).toBe(201);
      const outcomes = await Promise.all(slow);
      for (const { status, body, headers } of outcomes) {
        const { reason } = (body as unknown as ErrorBody).error.metadata;
        if (status === 429) expect([reason, headers.get('retry-after')]).toEqual(['too_many_host_lookups', '2']);
        else expect([status, reason]).toEqual([400, 'address_not_allowed']);
      }
      expect(outcomes.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
      await asking.stop();
      await names.stop();
    });
  });

  describe("with an encryption key that is not the database's", () => {
    it('answers 500 and stores nothing, and the replica is not ready', async () => {
      await newDestination(app, organization, 'webhook');
      const variables = { ENCRYPTION_KEY: '44'.repeat(32) };
      const replica = await TestApplication.start({ database: app.database, variables });
      const before = await destinationState(app);
      const headers = { 'x-request-id': 'wrong-key' };

      const answer = await replica.api.post(PATH, { key: organization.managementKey, json: WEBHOOK, headers });

      expect(answer.status).toBe(500);
      expectToFitContract('createObservabilityDestination', 500, answer.body);
      expect(await destinationState(app)).toEqual(before);
      const ready = await fetch(`${replica.origin}/health/ready`);
      expect([ready.status, await ready.json()]).toEqual([
        503,
        { status: 'not_ready', checks: { service: 'running', database: 'up', encryption: 'key_mismatch' } },
      ]);
      expect((await fetch(`${app.origin}/health/ready`)).status).toBe(200);
      const lines = replica.logLines.filter((line) => line.includes('no key of ENCRYPTION_KEY is the one that'));
      // One when it was noticed, one for the request.
      expect(lines).toHaveLength(2);
      expect(lines.join('')).not.toContain('44444444');
      await replica.stop();
    });
  });

  describe('with workspaces and keys', () => {
    it('answers 400 and names every issue of the referenced objects at once', async () => {
      const config = { url: 'https://10.0.0.1/' };
      const body = { ...WEBHOOK, config, workspace_id: UNKNOWN_UUID, api_key_hashes: ['0'.repeat(64), 'x'] };

      await expectRefused(
        body,
        'invalid_parameters',
        ...['config.url', 'workspace_id', 'api_key_hashes[0]', 'api_key_hashes[1]'],
      );
    });

    it('answers 400 for a workspace and a key of another organization, without showing them', async () => {
      const other = await app.factory.organization();
      const { hash } = await app.factory.key(other);
      const text = async (fields: object): Promise<string> => {
        const options = { key: organization.managementKey, headers: { 'x-request-id': 'same' } };
        return (await app.api.post(PATH, { ...options, json: { ...WEBHOOK, ...fields } })).text;
      };

      expect(await text({ workspace_id: other.workspaceId })).toBe(await text({ workspace_id: UNKNOWN_UUID }));
      expect(await text({ api_key_hashes: [hash] })).toBe(await text({ api_key_hashes: ['0'.repeat(64)] }));
      await expectRefused({ ...WEBHOOK, workspace_id: other.workspaceId }, 'workspace_not_found', 'workspace_id');
      await expectRefused({ ...WEBHOOK, api_key_hashes: [hash] }, 'key_not_found', 'api_key_hashes[0]');
    });

    it('answers 400 without a workspace once the default workspace is deleted', async () => {
      await app.rows('DELETE FROM workspaces WHERE id = $1', [organization.workspaceId]);

      await expectRefused(WEBHOOK, 'default_workspace_deleted', 'workspace_id');
      const workspaceId = await app.factory.workspace(organization);
      expect((await newDestination(app, organization, 'webhook', { workspace_id: workspaceId })).workspace_id).toBe(
        workspaceId,
      );
    });
  });

  describe('with a maximum of five of a type in a workspace', () => {
    const TOO_MANY: Refusal = { status: 409, reason: 'too_many_destinations' };

    it('answers 409 to the sixth, and 201 to other types and in other workspaces', async () => {
      const workspaceId = await app.factory.workspace(organization);
      for (let count = 0; count < 5; count += 1) await newDestination(app, organization, 'webhook');

      const answer = await post(WEBHOOK);

      expectRefusal(answer, { ...TOO_MANY, userId: organization.userId });
      expectToFitContract('createObservabilityDestination', 409, answer.body);
      await newDestination(app, organization, 'langfuse');
      await newDestination(app, organization, 'webhook', { workspace_id: workspaceId });
      await newDestination(app, await app.factory.organization(), 'webhook');
    });

    it('answers 201 again once one of the five is deleted, and 409 before', async () => {
      const { id } = await newDestination(app, organization, 'webhook');
      for (let count = 0; count < 4; count += 1) await newDestination(app, organization, 'webhook');
      expect((await post(WEBHOOK)).status).toBe(409);

      await app.api.delete(`${PATH}/${id}`, { key: organization.managementKey });

      await newDestination(app, organization, 'webhook');
    });

    it('answers 201 to five of eight requests at the same time, and 409 to three', async () => {
      // Holds them up where a destination is put into the workspace: a request that counts before must not have its row yet.
      const workspace = [organization.workspaceId];
      const release = await lockRows(app, 'SELECT id FROM workspaces WHERE id = $1 FOR UPDATE', workspace);
      const asked = Array.from({ length: 8 }, () => post(WEBHOOK));
      await untilWaitingForLock(app, asked.length);
      await release();

      const answers = await Promise.all(asked);

      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array<number>(5).fill(201),
        ...Array<number>(3).fill(409),
      ]);
      const mine = [organization.organizationId];
      const rows = await app.rows('SELECT id FROM observability_destinations WHERE organization_id = $1', mine);
      expect(rows).toHaveLength(5);
      const events = `SELECT id FROM audit_events WHERE organization_id = $1 AND action LIKE 'observability%'`;
      expect(await app.rows(events, mine)).toHaveLength(5);
    });
  });

  it('answers 400 for a query', async () => {
    const answer = await app.api.post(`${PATH}?dry_run=true`, { key: organization.managementKey, json: WEBHOOK });

    const invalid = { status: 400, reason: 'invalid_parameters', paths: ['dry_run'], userId: organization.userId };
    expectRefusal(answer, invalid);
  });

  it.each(malformedBodies(WEBHOOK, MEDIUM_BODY))('answers 400, 413 or 415 for %s', async (_name, request, refusal) => {
    const before = await destinationState(app);
    const answer = await app.api.post(PATH, { key: organization.managementKey, ...request });
    expectRefusal(answer, { ...refusal, userId: organization.userId });
    expect(await destinationState(app)).toEqual(before);
  });
});
