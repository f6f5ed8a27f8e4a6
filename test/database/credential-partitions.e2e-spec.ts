import pg from 'pg';
import { newOrganizationId } from '../../src/persistence/identifiers.js';
import type { Statement } from '../../src/persistence/statement.js';
import {
  CLIENT_OF_OLD_SECRET,
  CLIENT_OF_SECRET,
  EXTERNAL_KEY_OWNER,
  KEY_OWNER,
  KEY_OWNERS,
  OLD_KEY_OWNER,
} from '../../src/modules/keys/credentials/credentials.repository.js';
import { CODE_BY_HASH, OLD_CODE_BY_HASH } from '../../src/modules/oauth/codes/authorization-codes.repository.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

/** The tables of credentials and codes, each with its unique columns. */
const TABLES = {
  api_keys: ['hash', 'previous_hash'],
  connect_clients: ['secret_hash', 'previous_secret_hash'],
  authorization_codes: ['code_hash'],
};

const PARTITIONS = 4;

const HASH = Buffer.alloc(32, 1);
const OTHER_HASH = Buffer.alloc(32, 2);

/** A node of a plan that was run, as EXPLAIN (ANALYZE, FORMAT JSON) gives it; only what is looked at. */
interface RunNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly RunNode[];
}

describe('with tables that are partitioned by organization', () => {
  let database: TestDatabase;
  let client: pg.Client;
  const [organizationId, otherId] = [newOrganizationId(), newOrganizationId()];

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query("SET plan_cache_mode = 'force_generic_plan'");
    for (const [table, columns] of Object.entries(TABLES)) {
      await client.query(`ALTER TABLE ${table} RENAME TO ${table}_whole`);
      await client.query(`CREATE TABLE ${table} (LIKE ${table}_whole) PARTITION BY HASH (organization_id)`);
      for (let remainder = 0; remainder < PARTITIONS; remainder += 1) {
        await client.query(`CREATE TABLE ${table}_${remainder} PARTITION OF ${table}
          FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${remainder})`);
      }
      for (const column of columns) {
        const { rows } = await client.query<{ columns: string[] }>(
          `SELECT array_agg(a.attname::text ORDER BY k.position) AS columns
           FROM pg_index i CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k (number, position)
           JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
           WHERE i.indexrelid = $1::regclass`,
          [`uq_${table}_${column}`],
        );
        // As in the tables that are not partitioned; PostgreSQL refuses a unique index without the organization.
        await client.query(`CREATE UNIQUE INDEX ON ${table} (${rows[0]!.columns.join(', ')})`);
      }
    }
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** How many partitions a statement has read. */
  const partitionsOf = async <Values extends readonly unknown[]>(
    { name, text }: Statement<object, Values>,
    values: Values,
  ): Promise<number> => {
    await client.query(`PREPARE ${name} AS ${text}`);
    const literals = values.map((value) =>
      Array.isArray(value) ? `ARRAY[${value.map(literalOf).join(', ')}]` : literalOf(value),
    );
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: RunNode }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE ${name}(${literals.join(', ')})`,
    );
    await client.query(`DEALLOCATE ${name}`);
    return new Set(tablesRead(rows[0]!['QUERY PLAN'][0].Plan)).size;
  };

  it('a credential or code of version 2 is looked for in one partition', async () => {
    expect(await partitionsOf(KEY_OWNER, [organizationId, HASH])).toBe(1);
    expect(await partitionsOf(CLIENT_OF_SECRET, [organizationId, HASH])).toBe(1);
    expect(await partitionsOf(CODE_BY_HASH, [organizationId, HASH])).toBe(1);
  });

  it('several of one organization are looked for in one partition, and of two organizations in at most two', async () => {
    expect(
      await partitionsOf(KEY_OWNERS, [
        [organizationId, organizationId],
        [HASH, OTHER_HASH],
      ]),
    ).toBe(1);
    expect(
      await partitionsOf(KEY_OWNERS, [
        [organizationId, otherId],
        [HASH, OTHER_HASH],
      ]),
    ).toBeLessThanOrEqual(2);
  });

  it('one of version 1 is looked for in all of them', async () => {
    expect(await partitionsOf(OLD_KEY_OWNER, [HASH])).toBe(PARTITIONS);
    expect(await partitionsOf(CLIENT_OF_OLD_SECRET, [HASH])).toBe(PARTITIONS);
    expect(await partitionsOf(OLD_CODE_BY_HASH, [HASH])).toBe(PARTITIONS);
  });

  // Partitions, as nodes, keep no key unique that does not have the organization in it.
  it('a secret that partners of two organizations brought opens the key of neither, and of one that of this one', async () => {
    const owners = async (): Promise<unknown[]> => (await client.query(EXTERNAL_KEY_OWNER.text, [HASH])).rows;
    const addKey = (id: string): Promise<unknown> =>
      client.query(
        `INSERT INTO api_keys (organization_id, id, user_id, kind, hash, name, label, disabled, suspension_causes, follows_owner_role,
           include_byok_in_limit, external_user, external_api_key_hash, version, created_at)
         VALUES ($1, gen_random_uuid(), 'user_1', 'api_key', sha256(convert_to($1::text, 'UTF8')), 'Key', 'sk', false, '{}', true, false, 'user', $2, 1, now())`,
        [id, HASH],
      );

    await addKey(organizationId);
    expect(await owners()).toMatchObject([{ organization_id: organizationId }]);
    await addKey(otherId);
    expect(await owners()).toEqual([]);
  });
});

function literalOf(value: unknown): string {
  return Buffer.isBuffer(value) ? `'\\x${value.toString('hex')}'::bytea` : pg.escapeLiteral(String(value));
}

function tablesRead(node: RunNode): string[] {
  const { 'Relation Name': table, 'Actual Loops': loops, Plans: children = [] } = node;
  return [...(table !== undefined && loops > 0 ? [table] : []), ...children.flatMap(tablesRead)];
}
