import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the records in which a filter or an inspector found something (docs/interface/usage.md#what-filters-did). */
export class FilteredGenerations1798864400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX ix_generations_filtered ON generations (organization_id, created_at)
      WHERE (details -> 'filters' <> '[]' OR details @? '$.judgements[*] ? (@.outcome != "passed")')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_generations_filtered');
  }
}
