import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the management keys of an organization, which are few, apart from its API keys. */
export class ManagementKeys1798010000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX ix_api_keys_management ON api_keys (organization_id, created_at, id) WHERE kind = 'management_key'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_api_keys_management');
  }
}
