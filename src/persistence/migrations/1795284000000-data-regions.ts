import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the regions that guardrails allow. A release that does not know the column leaves it null: no restriction. */
export class DataRegions1795284000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE guardrails ADD COLUMN allowed_data_regions text[]`);
    await runner.query(`ALTER TABLE guardrails ADD CONSTRAINT ck_guardrails_allowed_data_regions
      CHECK (cardinality(allowed_data_regions) > 0 AND allowed_data_regions <@ ARRAY['global', 'europe', 'us'])`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE guardrails DROP COLUMN allowed_data_regions');
  }
}
