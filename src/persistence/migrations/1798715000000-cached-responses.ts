import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds answers that equal requests get again, and whether a workspace keeps them (docs/response-cache.md). */
export class CachedResponses1798715000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces ADD COLUMN is_response_cache_enabled boolean');
    // What it has can be asked for again: a commit waits for no disk, and a crash of PostgreSQL empties it.
    await runner.query(`CREATE UNLOGGED TABLE cached_responses (
      organization_id text NOT NULL,
      workspace_id uuid NOT NULL,
      key bytea NOT NULL,
      sealed bytea NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_cached_responses PRIMARY KEY (organization_id, workspace_id, key),
      CONSTRAINT fk_cached_responses_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
      CONSTRAINT fk_cached_responses_workspace FOREIGN KEY (organization_id, workspace_id)
        REFERENCES workspaces (organization_id, id) ON DELETE CASCADE
    )`);
    await runner.query('CREATE INDEX ix_cached_responses_expiry ON cached_responses (organization_id, expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE cached_responses');
    await runner.query('ALTER TABLE workspaces DROP COLUMN is_response_cache_enabled');
  }
}
