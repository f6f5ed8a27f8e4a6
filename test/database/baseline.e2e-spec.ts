import { readFileSync } from 'node:fs';
import { DataSource } from 'typeorm';
import { connectionOptions } from '../../src/persistence/connection-options.js';
import { migrate } from '../../src/persistence/migrate.js';
import { Baseline1798720000001 } from '../../src/persistence/migrations/0001-baseline.js';
import { queryRows } from '../support/database/test-database.js';
import { describeSchema, MIGRATIONS_TABLE } from './schema-description.js';
import { EARLIER_NAMES, migratedDatabase, NAMES } from './migrated-database.js';

/** The description of the schema of ce0bbf8b, as that release has made it. */
const EARLIER_SCHEMA = readFileSync('test/database/ce0bbf8b-schema.txt', 'utf8');

const [BASELINE] = NAMES;

/** A later migration, which can run again where its column is gone. */
const OF_KEY_VERSIONS = 'KeyVersions1798856000000';

describe('the baseline', () => {
  const { emptyUrl, migratedUrl } = migratedDatabase();

  /** Makes the test's database with nothing but the baseline. @returns its URL */
  const withBaseline = async (): Promise<string> => {
    const url = await emptyUrl();
    const connection = await new DataSource({
      ...connectionOptions(url),
      migrations: [Baseline1798720000001],
    }).initialize();
    await connection.runMigrations();
    await connection.destroy();
    return url;
  };

  const described = async (url: string): Promise<string> => {
    const connection = await new DataSource(connectionOptions(url)).initialize();
    try {
      return `${(await describeSchema(connection)).join('\n')}\n`;
    } finally {
      await connection.destroy();
    }
  };

  const namesIn = async (url: string): Promise<string[]> => {
    const rows = await queryRows<{ name: string }>(url, `SELECT name FROM ${MIGRATIONS_TABLE} ORDER BY id`);
    return rows.map(({ name }) => name);
  };

  /** Makes the test's database one of ce0bbf8b, which has no baseline. @returns its URL */
  const ofEarlierRelease = async (): Promise<string> => {
    const url = await withBaseline();
    await queryRows(url, `DELETE FROM ${MIGRATIONS_TABLE} WHERE name = $1`, [BASELINE]);
    return url;
  };

  it('makes the schema of ce0bbf8b, down to every function, privilege and setting', async () => {
    expect((await described(await withBaseline())).split('\n')).toEqual(EARLIER_SCHEMA.split('\n'));
  });

  it.each([
    'ALTER TABLE rate_uses SET (fillfactor = 100)',
    'ALTER TABLE cached_responses SET LOGGED',
    'ALTER TABLE broadcast_events ALTER COLUMN payload SET STORAGE EXTENDED',
    'ALTER TABLE usage_totals DETACH PARTITION usage_days',
    'GRANT DELETE ON audit_events TO CURRENT_USER',
    'GRANT EXECUTE ON FUNCTION make_usage_partitions() TO PUBLIC',
    'ALTER FUNCTION link_audit_event() SECURITY INVOKER',
    'ALTER FUNCTION role_rank(text) PARALLEL UNSAFE',
    'ALTER TABLE key_spend DISABLE TRIGGER add_day_to_totals',
    'ALTER SEQUENCE oauth_applications_id_seq OWNED BY NONE',
    'DROP STATISTICS st_presets_workspace',
    'ALTER TABLE workspaces DROP COLUMN description, ADD COLUMN description text',
  ])('leaves nothing undescribed: a schema is another after %s', async (statement) => {
    const url = await migratedUrl();
    const before = await described(url);
    await queryRows(url, statement);
    expect(await described(url)).not.toBe(before);
  });

  it('writes what the migrations of ce0bbf8b write: their names, editions, and that no heads were logged', async () => {
    const url = await withBaseline();

    expect(await namesIn(url)).toEqual([...EARLIER_NAMES, BASELINE]);
    const stamps = await queryRows<{ is_stamped: boolean }>(
      url,
      `SELECT bool_and(name LIKE '%' || timestamp) AS is_stamped FROM ${MIGRATIONS_TABLE}`,
    );
    expect(stamps).toEqual([{ is_stamped: true }]);
    const rows = await queryRows(
      url,
      `SELECT (SELECT count(*)::int FROM catalog_edition WHERE is_current AND edition IS NOT NULL) AS catalog,
        (SELECT count(*)::int FROM provider_connection_edition WHERE is_current AND edition IS NOT NULL) AS connections,
        (SELECT json_agg(row_to_json(log)) FROM audit_head_log AS log) AS heads,
        (SELECT count(*)::int FROM list_counts) AS counts,
        (SELECT json_build_array(last_value, is_called) FROM oauth_applications_id_seq) AS applications`,
    );
    expect(rows).toEqual([
      {
        catalog: 1,
        connections: 1,
        heads: [{ id: 1, logged_at: '-infinity' }],
        counts: 0,
        applications: [1, false],
      },
    ]);
  });

  it('only marks a database of ce0bbf8b, and what came later runs', async () => {
    const url = await ofEarlierRelease();
    const [edition] = await queryRows(url, 'SELECT * FROM catalog_edition');

    expect(await migrate(url)).toEqual(NAMES);

    expect(await namesIn(url)).toEqual([...EARLIER_NAMES, ...NAMES]);
    expect(await queryRows(url, 'SELECT * FROM catalog_edition')).toEqual([edition]);
  });

  it('only marks a database that has later migrations too', async () => {
    const url = await emptyUrl();
    await migrate(url);
    await queryRows(url, `DELETE FROM ${MIGRATIONS_TABLE} WHERE name = ANY ($1)`, [[BASELINE, OF_KEY_VERSIONS]]);
    await queryRows(url, 'ALTER TABLE api_keys DROP COLUMN version');

    expect(await migrate(url)).toEqual([BASELINE, OF_KEY_VERSIONS]);
    expect(await migrate(url)).toEqual([]);
  });

  it.each([['the first'], ['the last']])(
    'is refused by a database without %s of the migrations of ce0bbf8b, which stays as it is',
    async (which) => {
      const url = await ofEarlierRelease();
      const missing = which === 'the first' ? EARLIER_NAMES[0]! : EARLIER_NAMES.at(-1)!;
      await queryRows(url, `DELETE FROM ${MIGRATIONS_TABLE} WHERE name = $1`, [missing]);
      const before = await described(url);
      // TypeORM says it to the console as well.
      const console_ = jest.spyOn(console, 'log').mockImplementation();

      await expect(migrate(url)).rejects.toThrow(
        'The database is that of a release before ce0bbf8b: 1 of the migrations of that release have not run. Nothing was changed. ' +
          'Migrate it with release ce0bbf8b first, and then with this one (docs/operations.md, Older databases).',
      );

      console_.mockRestore();
      expect(await described(url)).toBe(before);
      expect(await namesIn(url)).toEqual(EARLIER_NAMES.filter((name) => name !== missing));
    },
  );
});
