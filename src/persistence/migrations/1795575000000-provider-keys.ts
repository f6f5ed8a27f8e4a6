import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the organizations' own keys for providers. */
export class ProviderKeys1795575000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE provider_keys (
      organization_id text NOT NULL,
      id uuid NOT NULL,
      workspace_id uuid NOT NULL,
      provider text NOT NULL,
      name text,
      label text NOT NULL,
      encrypted_key bytea NOT NULL,
      disabled boolean NOT NULL,
      is_fallback boolean NOT NULL,
      allowed_models text[],
      allowed_api_key_hashes text[],
      allowed_user_ids text[],
      sort_order integer NOT NULL,
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_provider_keys PRIMARY KEY (organization_id, id),
      CONSTRAINT fk_provider_keys_workspace FOREIGN KEY (organization_id, workspace_id)
        REFERENCES workspaces (organization_id, id) ON DELETE CASCADE
    )`);
    await runner.query(
      'CREATE INDEX ix_provider_keys_page ON provider_keys (organization_id, workspace_id, created_at, id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE provider_keys');
  }
}
