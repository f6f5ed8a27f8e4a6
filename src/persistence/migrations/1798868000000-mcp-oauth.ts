import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets MCP servers be asked with tokens of their authorization servers (docs/interface/mcp-servers.md#oauth). */
export class McpOauth1798868000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE mcp_servers ADD COLUMN client_id text, ADD COLUMN scope text, ADD COLUMN authorization_server text`,
    );
    await runner.query('ALTER TABLE mcp_servers DROP CONSTRAINT ck_mcp_servers_authentication');
    await runner.query(`ALTER TABLE mcp_servers ADD CONSTRAINT ck_mcp_servers_authentication
      CHECK (authentication IN ('none', 'header', 'bearer', 'oauth_client_credentials', 'oauth_member'))`);
    await runner.query(`CREATE TABLE mcp_connections (
      organization_id text NOT NULL, id uuid NOT NULL, server_id uuid NOT NULL, user_id text NOT NULL, encrypted_tokens bytea NOT NULL,
      expires_at timestamptz(3), refreshing_until timestamptz(3),
      created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_mcp_connections PRIMARY KEY (organization_id, id),
      CONSTRAINT uq_mcp_connections_member UNIQUE (organization_id, server_id, user_id),
      CONSTRAINT fk_mcp_connections_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
      CONSTRAINT fk_mcp_connections_server FOREIGN KEY (organization_id, server_id)
        REFERENCES mcp_servers (organization_id, id) ON DELETE CASCADE,
      CONSTRAINT fk_mcp_connections_user FOREIGN KEY (organization_id, user_id)
        REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE)`);
    await runner.query('CREATE INDEX ix_mcp_connections_member ON mcp_connections (organization_id, user_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mcp_connections');
    await runner.query(`DELETE FROM mcp_servers WHERE authentication IN ('oauth_client_credentials', 'oauth_member')`);
    await runner.query('ALTER TABLE mcp_servers DROP CONSTRAINT ck_mcp_servers_authentication');
    await runner.query(`ALTER TABLE mcp_servers ADD CONSTRAINT ck_mcp_servers_authentication
      CHECK (authentication IN ('none', 'header', 'bearer'))`);
    await runner.query(
      `ALTER TABLE mcp_servers DROP COLUMN authorization_server, DROP COLUMN scope, DROP COLUMN client_id`,
    );
  }
}
