import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the values of tool_choice that endpoints support; null until an import provides them. */
export class ToolChoice1795284200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE model_endpoints ADD COLUMN supports_tool_choice jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE model_endpoints DROP COLUMN supports_tool_choice');
  }
}
