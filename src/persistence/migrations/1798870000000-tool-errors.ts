import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts the answered calls of tools that say that they have failed (docs/interface/usage.md#metrics). */
export class ToolErrors1798870000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE usage_totals ADD COLUMN tool_error_count numeric NOT NULL DEFAULT '0'`);
    await runner.query(`ALTER TABLE usage_additions ADD COLUMN tool_error_count numeric NOT NULL DEFAULT '0'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE usage_additions DROP COLUMN tool_error_count');
    await runner.query('ALTER TABLE usage_totals DROP COLUMN tool_error_count');
  }
}
