import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps which revision with a handshake an MCP server has, also besides the newest one (docs/interface/mcp-servers.md#revisions). */
export class McpHandshakeRevisions1798874000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mcp_servers ADD COLUMN handshake_revision text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mcp_servers DROP COLUMN handshake_revision');
  }
}
