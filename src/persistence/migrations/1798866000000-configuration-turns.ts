import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds whose turn it is to apply the files of CONFIG_DIR, and an index of what has drifted (docs/configuration.md#continuously). */
export class ConfigurationTurns1798866000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE configuration_turns (
      organization_id text NOT NULL, process_id uuid NOT NULL, lease_until timestamptz(3) NOT NULL, reconciled_at timestamptz(3),
      CONSTRAINT pk_configuration_turns PRIMARY KEY (organization_id),
      CONSTRAINT fk_configuration_turns_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE)`);
    await runner.query(
      'CREATE INDEX ix_managed_objects_drifted ON managed_objects (organization_id) WHERE drifted_at IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_managed_objects_drifted');
    await runner.query('DROP TABLE configuration_turns');
  }
}
