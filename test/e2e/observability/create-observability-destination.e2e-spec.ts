import { DESTINATION_SETTINGS, DESTINATION_TYPES } from '../../../src/modules/observability/destination-settings.js';
import type { GetObservabilityDestinationResponse } from '../../../src/modules/observability/dto/destination.dto.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { DESTINATION_SAMPLES, SECRET_MARK } from '../../support/resources/destination-samples.js';
import {
  destinationState,
  EVERY_DESTINATION_OPTION,
  expectNoCredentialStored,
  newDestination,
  DESTINATION_DEFAULTS,
  storedConfig,
} from '../../support/resources/destinations.js';
import { TestApplication } from '../../support/application/test-application.js';
import { TIMESTAMP, UUID_V7 } from '../../support/expectations/formats.js';
import { destinationCreation, PATH, WEBHOOK, ASTRAL } from './destination-creation.js';

describe('createObservabilityDestination', () => {
  const { app, organization, post, expectRefused } = destinationCreation();

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

  it.each(DESTINATION_TYPES)('answers 400 for a mask as credential of the type %s', async (type) => {
    const { masked, config: whole } = DESTINATION_SAMPLES[type];
    const credentials = Object.keys(masked).filter((name) => masked[name] !== whole[name]);
    const config = { ...masked, headers: { 'x-key': '****' } };
    const paths = [...credentials, 'headers.x-key'].map((name) => `config.${name}`);

    await expectRefused({ type, name: 'x', config }, 'masked_credential', ...paths);
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
});
