import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds what a provider key says of the deployment's credentials, and of zero data retention. The defaults are what held before, for
 * rows of a release that does not know the columns.
 */
export class ProviderKeyRules1795900500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE provider_keys
      ADD COLUMN is_required boolean NOT NULL DEFAULT false,
      ADD COLUMN is_byok_only boolean NOT NULL DEFAULT false,
      ADD COLUMN declared_zdr boolean`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE provider_keys DROP COLUMN is_required, DROP COLUMN is_byok_only, DROP COLUMN declared_zdr',
    );
  }
}
