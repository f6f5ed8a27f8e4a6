import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds which models and endpoints the operator has stated, and the provider's own name of a model at an endpoint
 * (docs/interface/catalog-import.md). Releases without these columns leave them as they are.
 */
export class OwnModels1795900700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE models ADD COLUMN is_own boolean NOT NULL DEFAULT false');
    await runner.query(`ALTER TABLE model_endpoints
      ADD COLUMN upstream_id text,
      ADD COLUMN is_own boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE model_endpoints DROP COLUMN is_own, DROP COLUMN upstream_id');
    await runner.query('ALTER TABLE models DROP COLUMN is_own');
  }
}
