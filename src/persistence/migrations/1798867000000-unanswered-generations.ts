import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the records of requests that were refused or failed (docs/interface/usage.md#what-only-records-tell). */
export class UnansweredGenerations1798867000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX ix_generations_unanswered ON generations (organization_id, created_at)
      WHERE status <> 200`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_generations_unanswered');
  }
}
