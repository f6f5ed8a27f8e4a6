import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tells PostgreSQL that a workspace is of one organization. It takes the two for independent otherwise, expects next to no
 * presets of both, and so looks through all of a workspace's presets for one, rather than by the index that has the slug.
 */
export class PresetStatistics1795280400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE STATISTICS st_presets_workspace (dependencies) ON organization_id, workspace_id FROM presets',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP STATISTICS st_presets_workspace');
  }
}
