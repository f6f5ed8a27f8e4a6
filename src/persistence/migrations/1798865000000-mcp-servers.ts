import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type CountedList, countList, ORGANIZATION_SCOPE, stopCountingList } from '../count-list.js';

const LIST: CountedList = { table: 'mcp_servers', scope: ORGANIZATION_SCOPE };

/** Adds servers of tools of an organization, and what was approved of their tools (docs/interface/mcp-servers.md). */
export class McpServers1798865000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE mcp_servers (
      organization_id text NOT NULL, id uuid NOT NULL, name text NOT NULL, url text NOT NULL, authentication text NOT NULL, header text,
      secret_mask text, encrypted_secret bytea, enabled boolean NOT NULL, trusted boolean NOT NULL, follow boolean NOT NULL,
      workspace_ids uuid[], price_per_call double precision, tool_prices jsonb NOT NULL, timeout_ms integer NOT NULL,
      protocol_version text, checked_at timestamptz(3), failure text,
      created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_mcp_servers PRIMARY KEY (organization_id, id),
      CONSTRAINT uq_mcp_servers_name UNIQUE (organization_id, name),
      CONSTRAINT ck_mcp_servers_authentication CHECK (authentication IN ('none', 'header', 'bearer')),
      CONSTRAINT fk_mcp_servers_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE)`);
    await runner.query('CREATE INDEX ix_mcp_servers_page ON mcp_servers (organization_id, created_at, id)');
    await countList(runner, LIST);
    await runner.query(`CREATE TABLE mcp_tools (
      organization_id text NOT NULL, server_id uuid NOT NULL, name text NOT NULL, definition jsonb NOT NULL, digest text NOT NULL,
      approved_definition jsonb, approved_digest text, approved_at timestamptz(3), seen_at timestamptz(3) NOT NULL, gone_at timestamptz(3),
      CONSTRAINT pk_mcp_tools PRIMARY KEY (organization_id, server_id, name),
      CONSTRAINT fk_mcp_tools_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
      CONSTRAINT fk_mcp_tools_server FOREIGN KEY (organization_id, server_id)
        REFERENCES mcp_servers (organization_id, id) ON DELETE CASCADE)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mcp_tools');
    await stopCountingList(runner, LIST.table);
    await runner.query('DROP TABLE mcp_servers');
  }
}
