import { DESTINATION_TYPES, type DestinationType } from '../../../src/modules/observability/destination-type.js';
import type { GetObservabilityDestinationResponse } from '../../../src/modules/observability/dto/destination.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { DESTINATION_SAMPLES, SECRET_MARK } from '../../support/resources/destination-samples.js';
import { EVERY_DESTINATION_OPTION, DESTINATION_DEFAULTS } from '../../support/resources/destinations.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { storedText } from '../../support/database/stored-text.js';
import { TestApplication } from '../../support/application/test-application.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/expectations/formats.js';
import { encryptAsEarlierReleases } from '../../support/resources/earlier-config-encryption.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const HEADERS = {
  'x-tenant': `head-${SECRET_MARK}-tail`,
  Authorization: `Bearer ${SECRET_MARK} token`,
  'x-short': '12345678',
  'x-empty': '',
};

const MASKED_HEADERS = {
  'x-tenant': 'head...tail',
  Authorization: 'Bear...oken',
  'x-short': '****',
  'x-empty': '****',
};

describe('getObservabilityDestination', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  const pathOf = (id: string): string => `/observability/destinations/${id}`;

  const get = (id: string, through = app): Promise<Answer<GetObservabilityDestinationResponse>> =>
    through.api.get(pathOf(id), { key: organization.managementKey });

  const make = (type: DestinationType = 'langfuse', owner = organization): Promise<string> =>
    app.factory.destination(owner, type, { ...DESTINATION_SAMPLES[type].config, headers: HEADERS });

  const expectNotFound = (answer: Answer): void => {
    expectRefusal(answer, { status: 404, reason: 'destination_not_found', userId: organization.userId });
    expectToFitContract('getObservabilityDestination', 404, answer.body);
  };

  it('is tested with all 17 types', () => {
    expect(DESTINATION_TYPES).toHaveLength(17);
    expect(Object.keys(DESTINATION_SAMPLES).sort()).toEqual([...DESTINATION_TYPES].sort());
  });

  it.each(DESTINATION_TYPES)('answers 200 for the type %s with every credential masked', async (type) => {
    const id = await make(type);

    const answer = await get(id);

    expect(answer.status).toBe(200);
    expectToFitContract('getObservabilityDestination', 200, answer.body);
    expect(answer.body).toEqual({
      data: {
        id: expect.stringMatching(UUID_V7) as string,
        workspace_id: organization.workspaceId,
        name: expect.stringMatching(/^Destination \d+$/) as string,
        type,
        ...DESTINATION_DEFAULTS,
        config: { ...DESTINATION_SAMPLES[type].masked, headers: MASKED_HEADERS },
        created_at: expect.stringMatching(TIMESTAMP) as string,
        updated_at: answer.body.data.created_at,
      },
    });
    expect(answer.body.data.id).toBe(id);
    expect(answer.text).not.toContain(SECRET_MARK);
  });

  it('leaves no credential in database and log', async () => {
    const ids = await Promise.all(DESTINATION_TYPES.map((type) => make(type)));
    for (const id of ids) await get(id);

    const hex = Buffer.from(SECRET_MARK).toString('hex');
    for (const text of (await storedText(app)).values()) {
      expect(text).not.toContain(SECRET_MARK);
      expect(text).not.toContain(hex);
    }
    expect(app.logLines.join('')).toContain(pathOf(ids[0]!));
    expect(app.logLines.join('')).not.toContain(SECRET_MARK);
  });

  it('answers 200 without credentials that are not set, and with other settings unmasked', async () => {
    const id = await app.factory.destination(organization, 's3', {
      bucketName: 'b',
      accessKeyId: 'AKIA12345',
      secretAccessKey: 'short',
    });

    expect((await get(id)).body.data.config).toEqual({
      bucketName: 'b',
      accessKeyId: 'AKIA...2345',
      secretAccessKey: '****',
    });
  });

  it('answers 200 with every field of the row', async () => {
    const id = await make();
    const hashes = ['0'.repeat(64), 'f'.repeat(64)];
    await app.rows(
      `UPDATE observability_destinations SET name = NULL, enabled = false, privacy_mode = true, sampling_rate = 0.25,
         broadcast_generation_cost = true, broadcast_generation_identity = true, broadcast_generation_request_context = true,
         regions = '{us}', api_key_hashes = $2, filter_rules = $3, created_at = '2026-01-02T03:04:05.678Z', updated_at = '2026-06-07T08:09:10+02:00'
       WHERE id = $1`,
      [id, hashes, JSON.stringify(EVERY_DESTINATION_OPTION.filter_rules)],
    );

    const answer = await get(id);

    expect(answer.body.data).toEqual({
      id,
      workspace_id: organization.workspaceId,
      name: null,
      type: 'langfuse',
      enabled: false,
      regions: ['us'],
      privacy_mode: true,
      sampling_rate: 0.25,
      broadcast_generation_cost: true,
      broadcast_generation_identity: true,
      broadcast_generation_request_context: true,
      api_key_hashes: hashes,
      filter_rules: EVERY_DESTINATION_OPTION.filter_rules,
      config: { ...DESTINATION_SAMPLES.langfuse.masked, headers: MASKED_HEADERS },
      created_at: '2026-01-02T03:04:05.678Z',
      updated_at: '2026-06-07T06:09:10.000Z',
    });
    expectToFitContract('getObservabilityDestination', 200, answer.body);
  });

  it.each([
    ['broadcast_generation_cost'],
    ['broadcast_generation_identity'],
    ['broadcast_generation_request_context'],
    ['privacy_mode'],
  ] as const)('answers 200 with %s independently of other fields', async (field) => {
    const id = await make();
    const before = (await get(id)).body.data;
    await app.rows(`UPDATE observability_destinations SET ${field} = true WHERE id = $1`, [id]);

    expect((await get(id)).body.data).toEqual({ ...before, [field]: true });
  });

  it('answers 200 for any workspace of the organization, and for an id in capitals', async () => {
    const workspaceId = await app.factory.workspace(organization);
    const id = await make('webhook', { ...organization, workspaceId });

    const answer = await get(id);

    expect(answer.body.data.workspace_id).toBe(workspaceId);
    expect((await get(id.toUpperCase())).text).toBe(answer.text);
  });

  it("answers 404 with the same body for another organization's destination and for a missing one", async () => {
    const foreign = await make('s3', await app.factory.organization());
    const options = { key: organization.managementKey, headers: { 'x-request-id': 'same' } };

    const answers = [
      await app.api.get(pathOf(UNKNOWN_UUID), options),
      await app.api.get(pathOf(foreign), options),
      await app.api.get(pathOf('not-a-uuid'), options),
    ];

    answers.forEach(expectNotFound);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it('answers 404 for a deleted destination', async () => {
    const id = await make();
    await app.rows('DELETE FROM observability_destinations WHERE id = $1', [id]);

    expectNotFound(await get(id));
  });

  it('answers 404 for an id that is not a UUID', async () => {
    const id = await make();

    for (const text of [
      'x',
      '1',
      'null',
      id.slice(1),
      `${id}0`,
      `%20${id}`,
      `${id}%0A`,
      id.replaceAll('-', ''),
      `%7B${id}%7D`,
      `urn:uuid:${id}`,
      id.replace(/.$/, 'g'),
      '%25',
      `${id}%2F..`,
      'x'.repeat(5000),
    ]) {
      expectNotFound(await get(text));
    }
  });

  it('answers 400 for a query and for a NUL in the path', async () => {
    const id = await make();
    const invalid = { status: 400, reason: 'invalid_parameters', userId: organization.userId };

    expectRefusal(await get(`${id}?reveal=true`), { ...invalid, paths: ['reveal'] });
    expectRefusal(await get(`${id}?limit=1&reveal=true`), { ...invalid, paths: ['limit', 'reveal'] });
    expectRefusal(await get(`${id}%00`), { ...invalid, paths: ['id'] });
  });

  describe('with encrypted settings', () => {
    const replicaWith = (encryptionKeys: string): Promise<TestApplication> =>
      TestApplication.start({ database: app.database, variables: { ENCRYPTION_KEY: encryptionKeys } });

    /** Shown with masks in the contract's form, logged by its id, without any part of its configuration. */
    const expectUnreadable = async (id: string, through = app): Promise<void> => {
      const answer = await get(id, through);
      expect(answer.status).toBe(200);
      expectToFitContract('getObservabilityDestination', 200, answer.body);
      for (const shown of Object.values(answer.body.data.config)) expect(shown).toMatch(/^(\*{4}|unreadable)$/);
      expect(answer.text).not.toContain(SECRET_MARK);
      const lines = through.logLines.filter((line) => line.includes('cannot be read') && line.includes(id));
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.join('')).not.toContain(SECRET_MARK);
      const list = await through.api.get('/observability/destinations?limit=100', { key: organization.managementKey });
      expect(list.status).toBe(200);
      expectToFitContract('listObservabilityDestinations', 200, list.body);
      expect(list.text).not.toContain(SECRET_MARK);
    };

    it('answers 200 with several keys: the first encrypts, each decrypts its own', async () => {
      const old = await make();
      const rotated = await replicaWith(`${'22'.repeat(32)},${'11'.repeat(32)}`);
      const config = { url: 'https://hooks.example.com', headers: HEADERS };
      const recent = await rotated.factory.destination(organization, 'webhook', config);

      expect((await get(old, rotated)).text).toBe((await get(old)).text);
      expect((await get(recent, rotated)).body.data.config).toEqual({ ...config, headers: MASKED_HEADERS });
      await expectUnreadable(recent);

      await rotated.stop();
    });

    it('answers 200 with masks when no key decrypts them', async () => {
      const id = await make();
      const replica = await replicaWith('33'.repeat(32));

      await expectUnreadable(id, replica);

      await replica.stop();
    });

    it('answers 200 with masks when they were moved to another row', async () => {
      const [one, other] = [await make(), await make()];
      await app.rows(
        `UPDATE observability_destinations SET encrypted_config = (SELECT encrypted_config FROM observability_destinations WHERE id = $1) WHERE id = $2`,
        [one, other],
      );

      expect((await get(one)).body.data.config).toMatchObject(DESTINATION_SAMPLES.langfuse.masked);
      await expectUnreadable(other);
    });

    it('answers 200 with masks when a byte was changed', async () => {
      const id = await make();
      await app.rows(
        `UPDATE observability_destinations SET encrypted_config = set_byte(encrypted_config, 20, get_byte(encrypted_config, 20) # 1) WHERE id = $1`,
        [id],
      );

      await expectUnreadable(id);
    });

    it.each(DESTINATION_TYPES)(
      'answers 200 with masks for the type %s when the row now has another type',
      async (type) => {
        const id = await make(type);
        for (const other of DESTINATION_TYPES.filter((name) => name !== type)) {
          await app.rows('UPDATE observability_destinations SET type = $2 WHERE id = $1', [id, other]);
          const answer = await get(id);
          expect(answer.status).toBe(200);
          for (const shown of Object.values(answer.body.data.config)) expect(shown).toMatch(/^(\*{4}|unreadable)$/);
          expectToFitContract('getObservabilityDestination', 200, answer.body);
        }
      },
    );

    it('answers 200 with masks for another organization or workspace that the row was moved to', async () => {
      const victim = await app.factory.organization();
      const workspaceId = await app.factory.workspace(organization);
      const move = (id: string, into: string): Promise<unknown> =>
        app.rows(
          `UPDATE observability_destinations SET organization_id = $2, workspace_id = $3, type = 'webhook' WHERE id = $1`,
          [id, organization.organizationId, into],
        );

      const [stolen, moved] = [await make('langfuse', victim), await make('webhook')];
      await move(stolen, organization.workspaceId);
      await move(moved, workspaceId);

      await expectUnreadable(stolen);
      await expectUnreadable(moved);
    });

    it('answers 200 with masks for the format of earlier releases in a database that never had it', async () => {
      const id = await make();
      const config = { ...DESTINATION_SAMPLES.langfuse.config };
      await app.rows('UPDATE observability_destinations SET encrypted_config = $2 WHERE id = $1', [
        id,
        encryptAsEarlierReleases(Buffer.from('11'.repeat(32), 'hex'), id, config),
      ]);

      await expectUnreadable(id);
    });
  });
});
