import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets guardrails say which tools of MCP servers may be used (docs/interface/guardrails.md#tools-of-mcp-servers). */
export class GuardrailMcpTools1798865100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE guardrails ADD COLUMN allowed_mcp_tools text[], ADD COLUMN ignored_mcp_tools text[],
      ADD COLUMN mcp_argument_rules jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE guardrails DROP COLUMN mcp_argument_rules, DROP COLUMN ignored_mcp_tools,
      DROP COLUMN allowed_mcp_tools`);
  }
}
