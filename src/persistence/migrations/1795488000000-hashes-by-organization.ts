import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What credentials and codes are found by. */
const CONSTRAINTS = [
  { table: 'api_keys', column: 'hash' },
  { table: 'connect_clients', column: 'secret_hash' },
  { table: 'authorization_codes', column: 'code_hash' },
];

/** The hashes that a rotation has replaced, which few rows have. */
const PARTIAL_INDEXES = [
  { table: 'api_keys', column: 'previous_hash' },
  { table: 'connect_clients', column: 'previous_secret_hash' },
];

/**
 * Makes hashes unique in their organization, which new credentials state, so that the tables can be partitioned by it
 * (docs/adr/0015-organization-in-credentials.md). The hash stays the first column, so that one index serves old credentials too.
 *
 * While the indexes are built, credentials are read as before and changes of them wait.
 */
export class HashesByOrganization1795488000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await replaceIndexes(runner, (column) => `${column}, organization_id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceIndexes(runner, (column) => column);
  }
}

async function replaceIndexes(runner: QueryRunner, columnsOf: (column: string) => string): Promise<void> {
  // All are built before the first replaces another, because a replacement blocks reads of its table.
  for (const { table, column } of CONSTRAINTS) {
    await runner.query(`CREATE UNIQUE INDEX new_${table}_${column} ON ${table} (${columnsOf(column)})`);
  }
  for (const { table, column } of PARTIAL_INDEXES) {
    await runner.query(`CREATE UNIQUE INDEX new_${table}_${column} ON ${table} (${columnsOf(column)})
      WHERE ${column} IS NOT NULL`);
  }
  for (const { table, column } of CONSTRAINTS) {
    await runner.query(`ALTER TABLE ${table} DROP CONSTRAINT uq_${table}_${column},
      ADD CONSTRAINT uq_${table}_${column} UNIQUE USING INDEX new_${table}_${column}`);
  }
  for (const { table, column } of PARTIAL_INDEXES) {
    await runner.query(`DROP INDEX uq_${table}_${column}`);
    await runner.query(`ALTER INDEX new_${table}_${column} RENAME TO uq_${table}_${column}`);
  }
}
