import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { ConfigCipher } from '../../../src/modules/observability/config-cipher.js';
import { ConfigRotationService } from '../../../src/modules/observability/config-rotation.service.js';
import { DESTINATION_TYPES } from '../../../src/modules/observability/destination-type.js';
import { DESTINATION_SAMPLES } from '../../support/destination-samples.js';
import { type Ending, GatehouseProcess } from '../../support/gatehouse-process.js';
import { untilWaiting } from '../../support/row-lock.js';
import { TestApplication } from '../../support/test-application.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-server.js';

// Starting processes takes its time where many of them do so at once.
jest.setTimeout(180_000);

const OLD = randomBytes(32).toString('base64');
const NEW = randomBytes(32).toString('base64');
const LOST = randomBytes(32).toString('base64');

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

  afterEach(() => old.rows('DELETE FROM observability_destinations'));

  const replica = (keys: string): Promise<TestApplication> =>
    TestApplication.start({ database, variables: { ENCRYPTION_KEY: keys } });

  const rotate = (keys: string, ...words: string[]): Promise<Ending> =>
    GatehouseProcess.command(['rotate-encryption', ...words], { DATABASE_URL: database.url, ENCRYPTION_KEY: keys });

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

  const stored = (): Promise<Record<string, unknown>[]> =>
    old.rows(
      "SELECT id, encode(encrypted_config, 'hex') AS config, updated_at FROM observability_destinations ORDER BY id",
    );

  it('brings everything under the first key, after which the old one can be removed', async () => {
    const ids: string[] = [];
    for (const type of DESTINATION_TYPES) {
      ids.push(await old.factory.destination(organization, type, DESTINATION_SAMPLES[type].config));
    }
    // More than are read at once, and one that is under the new key already.
    for (let count = 0; count < 100; count += 1) await make(old, `secret number ${count}`);
    ids.push(await make(both, 'made under the new key'));
    const before = await answersOf(old, ids.slice(0, -1));
    const rowsBefore = await stored();
    const renewed = await replica(NEW);
    expect(await answersOf(renewed, ids)).toEqual([...before.map(() => 500), expect.anything()]);

    const dry = await rotate(`${NEW},${OLD}`, '--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toEqual({ dry_run: true, destinations: 118, re_encrypted: 117, unreadable: [] });
    expect(await stored()).toEqual(rowsBefore);

    const { code, stdout, stderr } = await rotate(`${NEW},${OLD}`);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('Destinations: 118, 117 re-encrypted, 1 under the first key before\n');
    // The new key alone reads everything, and the old one nothing.
    expect(await answersOf(renewed, ids.slice(0, -1))).toEqual(before);
    expect(await answersOf(old, ids)).toEqual(ids.map(() => 500));
    await renewed.stop();
    const rowsAfter = await stored();
    expect(rowsAfter.map(({ id, updated_at }) => ({ id, updated_at }))).toEqual(
      rowsBefore.map(({ id, updated_at }) => ({ id, updated_at })),
    );
    expect(rowsAfter.filter(({ config }, index) => config === rowsBefore[index]!['config'])).toHaveLength(1);

    // The old key is no longer given, and there is nothing left to do.
    const again = await rotate(NEW, '--json');
    expect(JSON.parse(again.stdout)).toEqual({ dry_run: false, destinations: 118, re_encrypted: 0, unreadable: [] });
    expect(await stored()).toEqual(rowsAfter);
  });

  it('keeps what is changed while it goes on', async () => {
    const id = await make(old, 'the secret as it was');
    const other = await make(old, 'the secret as it is');
    const concurrent = new pg.Client({ connectionString: database.url });
    await concurrent.connect();
    await concurrent.query('BEGIN');
    // A configuration cannot be moved to another row, so the change is encrypted for this one.
    const changed = old.application.get(ConfigCipher).encrypt(id, {
      ...DESTINATION_SAMPLES.langfuse.config,
      secretKey: 'the secret as it is',
    });
    await concurrent.query('UPDATE observability_destinations SET encrypted_config = $2 WHERE id = $1', [id, changed]);

    const rotation = both.application.get(ConfigRotationService).rotate(false);
    await untilWaiting(both, 1);
    await concurrent.query('COMMIT');
    await concurrent.end();

    expect(await rotation).toEqual({ destinations: 2, reEncrypted: 2, unreadable: [] });
    const renewed = await replica(NEW);
    const [one, two] = (await answersOf(renewed, [id, other])) as { data: { config: object } }[];
    await renewed.stop();
    expect(one!.data.config).toEqual(two!.data.config);
  });

  it('names what no key fits, and goes on with the rest', async () => {
    const lost = await replica(LOST);
    const lostId = await make(lost, 'nobody knows the key of this one');
    await lost.stop();
    const id = await make(old, 'this one is well');

    const { code, stdout, stderr } = await rotate(`${NEW},${OLD}`, '--json');

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({ dry_run: false, destinations: 2, re_encrypted: 1, unreadable: [lostId] });
    expect(stderr).toBe(`No key of ENCRYPTION_KEY fits 1 of them: ${lostId}\n`);
    const renewed = await replica(NEW);
    expect(await answersOf(renewed, [id, lostId])).toEqual([expect.objectContaining({ data: expect.anything() }), 500]);
    await renewed.stop();
  });
});
