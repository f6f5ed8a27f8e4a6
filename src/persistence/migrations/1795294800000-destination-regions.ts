import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the regions of destinations, the server tools that a workspace disables, and the record that the encryption keys of a
 * deployment are compared with.
 */
export class DestinationRegions1795294800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // With a default, so that the previous release, which does not know the column, can still create destinations.
    await runner.query(
      `ALTER TABLE observability_destinations ADD COLUMN regions text[] NOT NULL DEFAULT '{global}'::text[]`,
    );
    await runner.query(
      `ALTER TABLE observability_destinations ADD CONSTRAINT ck_observability_destinations_regions
        CHECK (cardinality(regions) > 0 AND regions <@ ARRAY['global', 'europe', 'us'])`,
    );
    await runner.query('ALTER TABLE workspaces ADD COLUMN disabled_server_tools text[]');
    await runner.query(`CREATE TABLE encryption_state (
      id smallint NOT NULL,
      sealed bytea NOT NULL,
      CONSTRAINT pk_encryption_state PRIMARY KEY (id),
      CONSTRAINT ck_encryption_state_single CHECK (id = 1)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE encryption_state');
    await runner.query('ALTER TABLE workspaces DROP COLUMN disabled_server_tools');
    await runner.query('ALTER TABLE observability_destinations DROP CONSTRAINT ck_observability_destinations_regions');
    await runner.query('ALTER TABLE observability_destinations DROP COLUMN regions');
  }
}
