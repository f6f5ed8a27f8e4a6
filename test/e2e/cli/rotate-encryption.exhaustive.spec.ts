import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { readEnvironment } from '../../../src/config/environment.js';
import { GenerationsService } from '../../../src/modules/generations/generations.service.js';
import { newGenerationId } from '../../../src/modules/inference/pipeline/request/generation-id.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { ConfigCipher } from '../../../src/modules/observability/encrypted-configs.js';
import { EncryptedTables } from '../../../src/modules/encryption/encrypted-tables.js';
import { EncryptionRotationService } from '../../../src/modules/encryption/encryption-rotation.service.js';
import { ConnectionsService } from '../../../src/modules/providers/connections/connections.service.js';
import { ProviderConnections } from '../../../src/modules/providers/connections/provider-connections.js';
import { OwnProviderKeys } from '../../../src/modules/providers/own-keys/own-provider-keys.js';
import { DESTINATION_TYPES } from '../../../src/modules/observability/destination-settings.js';
import { generationSample } from '../../support/resources/generation-sample.js';
import { DESTINATION_SAMPLES } from '../../support/resources/destination-samples.js';
import { type Ending, GatehouseProcess } from '../../support/processes/gatehouse-process.js';
import { runCommand } from '../../support/processes/run-command.js';
import { untilWaitingForLock } from '../../support/database/row-locks.js';
import { until } from '../../support/time/until.js';
import { TestApplication } from '../../support/application/test-application.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { encryptAsEarlierReleases } from '../../support/resources/earlier-config-encryption.js';

const OPTIONS = { dryRun: false, replaceLostKey: false };

const OLD = randomBytes(32).toString('base64');
const NEW = randomBytes(32).toString('base64');
const LOST = randomBytes(32).toString('base64');

const CONNECTION = { provider: 'openai', apiKey: 'sk-of-the-deployment', timeouts: {}, models: {} };

const OWN_KEY = 'sk-of-the-organization';

describe('gatehouse rotate-encryption', () => {
  let database: TestDatabase;
  let old: TestApplication;
  let both: TestApplication;
  let organization: NewOrganization;

  beforeAll(async () => {
    database = await createTestDatabase();
    old = await replica(OLD);
    both = await replica(`${NEW},${OLD}`);
    organization = await old.factory.organization();
  });

  afterAll(async () => {
    await GatehouseProcess.killAll();
    await old.stop();
    await both.stop();
    await database.drop();
  });

  // Each test begins with the old key alone.
  afterEach(() =>
    old.rows(
      'DELETE FROM encryption_state; DELETE FROM observability_destinations; DELETE FROM provider_connections; DELETE FROM provider_keys; DELETE FROM generations',
    ),
  );

  const replica = (keys: string): Promise<TestApplication> =>
    TestApplication.start({ database, variables: { ENCRYPTION_KEY: keys } });

  const tableNames = (): string[] =>
    old.application
      .get(EncryptedTables)
      .all()
      .map(({ name }) => name);

  /** What the command prints with --json about tables of which no other has a value. */
  const valuesOf = (tables: Readonly<Record<string, number>>): Record<string, number> =>
    Object.fromEntries(tableNames().map((name) => [name.replaceAll(' ', '_'), tables[name] ?? 0]));

  const rotate = (keys: string, ...words: string[]): Promise<Ending> =>
    runCommand(['rotate-encryption', ...words], { DATABASE_URL: database.url, ENCRYPTION_KEY: keys });

  const make = (app: TestApplication, secretKey: string): Promise<string> =>
    app.factory.destination(organization, 'langfuse', { ...DESTINATION_SAMPLES.langfuse.config, secretKey });

  /** What a replica with these keys alone answers. */
  const answersOf = async (app: TestApplication, ids: readonly string[]): Promise<unknown[]> => {
    const answers = [];
    for (const id of ids) {
      const { status, body } = await app.api.get(`/observability/destinations/${id}`, {
        key: organization.managementKey,
      });
      answers.push(status === 200 ? body : status);
    }
    return answers;
  };

  /** Which of them a replica with these keys alone can decrypt. */
  const readable = async (app: TestApplication, ids: readonly string[]): Promise<boolean[]> =>
    (await answersOf(app, ids)).map((answer) => !/"(?:\*{4}|unreadable)"/.test(JSON.stringify(answer)));

  /** The own keys that a replica with these keys alone would use. */
  const ownKeys = async (app: TestApplication): Promise<(string | null)[]> => {
    const { organizationId, workspaceId } = organization;
    const use = { organizationId, workspaceId, keyHash: null, userId: null, model: 'any/model' };
    const reachable = await app.application.get(ProviderConnections).reachable();
    const { keys } = await app.application.get(OwnProviderKeys).ofCaller(use, reachable);
    return keys.map(({ connection }) => connection.apiKey);
  };

  /** A record with a content, under the old key. @returns its id */
  const recordedContent = async (): Promise<string> => {
    const id = newGenerationId(Date.now());
    const content = {
      input: { messages: [{ role: 'user', content: 'Hello' }] },
      output: { completion: 'Hello', reasoning: null },
      error: null,
    };
    await old.application.get(GenerationsService).record(generationSample(organization, id, { content }));
    return id;
  };

  const contentStatus = async (app: TestApplication, id: string): Promise<number> =>
    (await app.api.get(`/generation/content?id=${id}`, { key: organization.managementKey })).status;

  const stored = (): Promise<Record<string, unknown>[]> =>
    old.rows(
      "SELECT id, encode(encrypted_config, 'hex') AS config, updated_at FROM observability_destinations ORDER BY id",
    );

  it('re-encrypts everything with the first key, after which the service answers 200 without the old key, and 503 before', async () => {
    const ids: string[] = [];
    for (const type of DESTINATION_TYPES) {
      ids.push(await old.factory.destination(organization, type, DESTINATION_SAMPLES[type].config));
    }
    // More than are read at once, and one that is under the new key already.
    for (let count = 0; count < 100; count += 1) await make(old, `secret number ${count}`);
    ids.push(await make(both, 'made under the new key'));
    await old.rows("INSERT INTO providers (slug, name) VALUES ('openai', 'OpenAI')");
    await old.application.get(ConnectionsService).connect(CONNECTION);
    await old.factory.providerKey(organization, 'openai', OWN_KEY);
    const generation = await recordedContent();
    const made = {
      destinations: 118,
      'contents of generations': 1,
      'provider connections': 1,
      'provider keys': 1,
    };
    const before = await answersOf(old, ids.slice(0, -1));
    const rowsBefore = await stored();
    const renewed = await replica(NEW);
    expect(await readable(renewed, ids)).toEqual([...before.map(() => false), true]);
    expect((await fetch(`${renewed.origin}/health/ready`)).status).toBe(503);

    const dry = await rotate(`${NEW},${OLD}`, '--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toEqual({
      dry_run: true,
      ...valuesOf(made),
      re_encrypted: 120,
      unreadable: [],
    });
    expect(await stored()).toEqual(rowsBefore);

    const { code, stdout, stderr } = await rotate(`${NEW},${OLD}`);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(tableNames().length);
    expect(lines.filter((line) => !line.endsWith(': 0, 0 re-encrypted, 0 already under the first key'))).toEqual([
      'Contents of generations: 1, 1 re-encrypted, 0 already under the first key',
      'Destinations: 118, 117 re-encrypted, 1 already under the first key',
      'Provider connections: 1, 1 re-encrypted, 0 already under the first key',
      'Provider keys: 1, 1 re-encrypted, 0 already under the first key',
    ]);
    // The new key alone reads everything, and the old one nothing.
    expect(await answersOf(renewed, ids.slice(0, -1))).toEqual(before);
    expect(await readable(old, ids)).toEqual(ids.map(() => false));
    // The state is kept for a moment, and rotating takes less.
    await until(async () => (await fetch(`${renewed.origin}/health/ready`)).status === 200);
    expect((await fetch(`${old.origin}/health/ready`)).status).toBe(503);
    expect((await renewed.application.get(ProviderConnections).all()).get('openai')!.apiKey).toBe(CONNECTION.apiKey);
    expect((await old.application.get(ProviderConnections).all()).has('openai')).toBe(false);
    expect(await ownKeys(renewed)).toEqual([OWN_KEY]);
    expect(await ownKeys(old)).toEqual([]);
    expect([await contentStatus(renewed, generation), await contentStatus(old, generation)]).toEqual([200, 404]);
    await renewed.stop();
    const rowsAfter = await stored();
    expect(rowsAfter.map(({ id, updated_at }) => ({ id, updated_at }))).toEqual(
      rowsBefore.map(({ id, updated_at }) => ({ id, updated_at })),
    );
    expect(rowsAfter.filter(({ config }, index) => config === rowsBefore[index]!['config'])).toHaveLength(1);

    // The old key is no longer given, and there is nothing left to do.
    const again = await GatehouseProcess.command(['rotate-encryption', '--json'], {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: NEW,
    });
    expect(JSON.parse(again.stdout)).toEqual({
      dry_run: false,
      ...valuesOf(made),
      re_encrypted: 0,
      unreadable: [],
    });
    expect(await stored()).toEqual(rowsAfter);
  });

  it('keeps changes (200) that are made while it runs', async () => {
    const id = await make(old, 'the secret as it was');
    const other = await make(old, 'the secret as it is');
    const concurrent = new pg.Client({ connectionString: database.url });
    await concurrent.connect();
    await concurrent.query('BEGIN');
    // A configuration cannot be moved to another row, so the change is encrypted for this one.
    const owner = { ...organization, id, type: 'langfuse' };
    const config = { ...DESTINATION_SAMPLES.langfuse.config, secretKey: 'the secret as it is' };
    const changed = old.application.get(ConfigCipher).encrypt(owner, config);
    await concurrent.query('UPDATE observability_destinations SET encrypted_config = $2 WHERE id = $1', [id, changed]);

    const rotation = both.application.get(EncryptionRotationService).rotate(OPTIONS);
    await untilWaitingForLock(both, 1);
    await concurrent.query('COMMIT');
    await concurrent.end();

    expect(await rotation).toContainEqual({ name: 'destinations', values: 2, reEncrypted: 2, unreadable: [] });
    const renewed = await replica(NEW);
    const [one, two] = (await answersOf(renewed, [id, other])) as { data: { config: object } }[];
    await renewed.stop();
    expect(one!.data.config).toEqual(two!.data.config);
  });

  it('names the rows that no key decrypts, and continues with the others, which are answered 200', async () => {
    const id = await make(old, 'this one is well');
    const lostId = await make(old, 'its key is lost');
    const lost = new ConfigCipher(readEnvironment({ ENCRYPTION_KEY: LOST }));
    const bytes = lost.encrypt({ ...organization, id: lostId, type: 'langfuse' }, DESTINATION_SAMPLES.langfuse.config);
    await old.rows('UPDATE observability_destinations SET encrypted_config = $2 WHERE id = $1', [lostId, bytes]);

    const { code, stdout, stderr } = await rotate(`${NEW},${OLD}`, '--json');

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      dry_run: false,
      ...valuesOf({ destinations: 2 }),
      re_encrypted: 1,
      unreadable: [lostId],
    });
    expect(stderr).toBe(`No key of ENCRYPTION_KEY fits 1 of them: ${lostId}\n`);
    const renewed = await replica(NEW);
    expect(await readable(renewed, [id, lostId])).toEqual([true, false]);
    await renewed.stop();
  });

  it('changes nothing with a key that is not the database’s, unless that key is declared lost; then the service answers 200', async () => {
    const id = await make(old, 'the key is lost');
    expect((await fetch(`${old.origin}/health/ready`)).status).toBe(200);
    const before = await stored();

    const refused = await rotate(LOST);

    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('no key of ENCRYPTION_KEY is the one that');
    expect(refused.stderr).not.toContain(LOST);
    expect(await stored()).toEqual(before);

    const replaced = await rotate(LOST, '--replace-lost-key', '--json');

    expect(JSON.parse(replaced.stdout)).toMatchObject({ destinations: 1, re_encrypted: 0, unreadable: [id] });
    const renewed = await replica(LOST);
    expect((await fetch(`${renewed.origin}/health/ready`)).status).toBe(200);
    await renewed.stop();
  });

  it('converts the format of earlier releases, which is answered 200 and not read any more afterwards', async () => {
    const config = { ...DESTINATION_SAMPLES.langfuse.config };
    const ids = [await make(old, 'one'), await make(old, 'another'), await make(old, 'a third')];
    const downgrade = (id: string): Promise<unknown> =>
      old.rows('UPDATE observability_destinations SET encrypted_config = $2 WHERE id = $1', [
        id,
        encryptAsEarlierReleases(Buffer.from(OLD, 'base64'), id, config),
      ]);
    for (const id of ids) await downgrade(id);
    expect(await readable(old, ids)).toEqual([true, true, true]);

    // What changes is stored in the present format at once.
    const json = { enabled: false };
    await old.api.patch(`/observability/destinations/${ids[0]}`, { key: organization.managementKey, json });
    const report = await rotate(OLD, '--json');

    expect(JSON.parse(report.stdout)).toEqual({
      dry_run: false,
      ...valuesOf({ destinations: 3 }),
      re_encrypted: 2,
      unreadable: [],
    });
    expect(await readable(old, ids)).toEqual([true, true, true]);
    await downgrade(ids[1]!);
    expect(await readable(old, ids)).toEqual([true, false, true]);
    expect((await rotate(OLD, '--json')).code).toBe(1);
    // Nor when the record that says so is deleted.
    await old.rows('DELETE FROM encryption_state');
    expect(await readable(old, ids)).toEqual([true, false, true]);
  });
});
