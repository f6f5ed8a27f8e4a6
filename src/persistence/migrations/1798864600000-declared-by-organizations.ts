import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds what the public interface lets organizations say of their providers and provider keys, and whether their list of models is filtered
 * (docs/interface/conventions.md#dialects).
 */
export class DeclaredByOrganizations1798864600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE private_providers
      ADD COLUMN data_policy jsonb,
      ADD COLUMN datacenters text[],
      ADD COLUMN headquarters text,
      ADD COLUMN privacy_policy_url text`);
    await runner.query(`ALTER TABLE provider_keys
      ADD COLUMN declared_region text,
      ADD CONSTRAINT ck_provider_keys_declared_region CHECK (declared_region IN ('global', 'europe', 'us'))`);
    await runner.query(
      'ALTER TABLE organizations ADD COLUMN is_filtered_model_catalog_enabled boolean NOT NULL DEFAULT false',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations DROP COLUMN is_filtered_model_catalog_enabled');
    await runner.query('ALTER TABLE provider_keys DROP COLUMN declared_region');
    await runner.query(`ALTER TABLE private_providers
      DROP COLUMN privacy_policy_url, DROP COLUMN headquarters, DROP COLUMN datacenters, DROP COLUMN data_policy`);
  }
}
