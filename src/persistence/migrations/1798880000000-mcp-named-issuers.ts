import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps which authorization server an MCP server has named first (docs/interface/mcp-servers.md#oauth). */
export class McpNamedIssuers1798880000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mcp_servers ADD COLUMN named_issuer text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mcp_servers DROP COLUMN named_issuer');
  }
}
