import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds when limits have last refused a request, for the alerts of their organizations (docs/interface/alerts.md#kinds). */
export class LimitRefusals1798855000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE limit_refusals (
      organization_id text NOT NULL,
      limit_name text NOT NULL,
      first_day date NOT NULL,
      refused_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_limit_refusals PRIMARY KEY (organization_id, limit_name),
      CONSTRAINT fk_limit_refusals_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE limit_refusals');
  }
}
