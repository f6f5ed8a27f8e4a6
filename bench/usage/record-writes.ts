import pg from 'pg';
import { INSERT_GENERATIONS } from '../../src/modules/generations/generations.repository.js';
import { PLANNING_OPTIONS } from '../../src/persistence/connection-options.js';
import { GenerationEntity } from '../../src/modules/generations/entities/generation.entity.js';
import { rowsInsert } from '../../src/persistence/insert-statement.js';
import type { BenchDatabase } from '../support/database.js';
import { generationOf } from '../support/generation.js';
import { median, rounded } from '../support/statistics.js';
import { markdownTable } from '../support/table.js';
import { makeTenant, uuidOf } from '../support/tenant.js';

/** How many records are written at once, and of how many keys. */
const BATCHES = [
  { records: 1, keys: 1 },
  { records: 16, keys: 1 },
  { records: 64, keys: 1 },
  { records: 16, keys: 16 },
  { records: 64, keys: 64 },
];

const KEYS = 64;

/** Not counted: plans and pages get warm. */
const WARM_UP_BATCHES = 50;

const ROWS = rowsInsert(GenerationEntity, '$2', { organizationId: '$1' });

/**
 * What the statement costs that writes records with their charges and their usage, by the size of its batch. It is sent by one connection that
 * does not wait for the disk, so that its time is that of its work; the log (WAL) that it writes is the same on every machine.
 *
 * @param batches how many of each size
 * @returns a table
 */
export async function measureRecordWrites(database: BenchDatabase, batches: number): Promise<string> {
  const { organization_id: organizationId } = await makeTenant(database);
  const { userId, workspaceId } = await addKeys(database, organizationId);
  const client = new pg.Client({
    connectionString: database.url,
    options: `-c synchronous_commit=off ${PLANNING_OPTIONS}`,
  });
  await client.connect();
  const { name, text } = INSERT_GENERATIONS;
  const write = (records: number, keys: number): Promise<unknown> => {
    const generations = Array.from({ length: records }, (_, index) =>
      generationOf({ organizationId, userId, workspaceId, keyId: uuidOf(`written-${index % keys}`) }),
    );
    const values = [organizationId, ROWS.values(generations), generations.map(({ id }) => id)];
    return client.query({ name, text, values });
  };
  const rows: string[][] = [];
  try {
    for (const { records, keys } of BATCHES) {
      const times: number[] = [];
      for (let turn = 0; turn < WARM_UP_BATCHES; turn += 1) await write(records, keys);
      const before = await position(client);
      for (let turn = 0; turn < batches; turn += 1) {
        const start = performance.now();
        await write(records, keys);
        times.push(performance.now() - start);
      }
      const bytes = (await position(client)) - before;
      const time = median(times);
      rows.push([
        String(records),
        String(keys),
        rounded(time, 2),
        rounded((time * 1000) / records, 0),
        rounded(bytes / batches / 1024, 1),
      ]);
    }
  } finally {
    await client.end();
  }
  return [
    'The statement that writes records, p50, without waiting for the disk.',
    markdownTable(['records', 'keys', 'ms', 'us a record', 'WAL KiB'], rows),
  ].join('\n\n');
}

/** Keys of the default workspace of an organization, each with a limit. */
async function addKeys(
  database: BenchDatabase,
  organizationId: string,
): Promise<{ userId: string; workspaceId: string }> {
  const [owner] = await database.query<{ userId: string; workspaceId: string }>(
    `SELECT (SELECT min(user_id) FROM api_keys WHERE organization_id = $1) AS "userId", id AS "workspaceId"
     FROM workspaces WHERE organization_id = $1 AND is_default`,
    [organizationId],
  );
  await database.query(
    `INSERT INTO api_keys (id, organization_id, user_id, kind, hash, name, label, created_at)
     SELECT md5('written-' || n)::uuid, $1, $2, 'api_key', sha256(convert_to('written-' || n, 'UTF8')), 'written', 'written', now()
     FROM generate_series(0, ${KEYS - 1}) AS n`,
    [organizationId, owner!.userId],
  );
  await database.query('VACUUM ANALYZE');
  return owner!;
}

/** The position of the log, in bytes. */
async function position(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text AS bytes`,
  );
  return Number(rows[0]!.bytes);
}
