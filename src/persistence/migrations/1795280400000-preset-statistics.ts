import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Declares that a workspace belongs to one organization. Otherwise PostgreSQL assumes that the two columns are independent,
 * estimates that almost no presets match both, and scans all presets of a workspace instead of using the index with the
 * slug.
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
