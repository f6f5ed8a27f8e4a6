import type { MigrationInterface, QueryRunner } from 'typeorm';
import { BY_SCOPE, type CountedList, countList, stopCountingList, WORKSPACE_SCOPE } from '../count-list.js';

/** Adds the columns and indexes for listing presets, and the number of the newest version of each preset. */
export class PresetLists1795262400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE presets
      ADD COLUMN status text NOT NULL DEFAULT 'active',
      ADD COLUMN status_updated_at timestamptz(3),
      ADD COLUMN newest_version integer NOT NULL DEFAULT 0,
      ADD CONSTRAINT ck_presets_newest_version CHECK (newest_version >= 0),
      ADD CONSTRAINT ck_presets_status CHECK (status IN ('active', 'disabled', 'archived'))`);
    await runner.query(`UPDATE presets SET newest_version = counted.versions
      FROM (SELECT preset_id, max(version) AS versions FROM preset_versions GROUP BY preset_id) AS counted
      WHERE counted.preset_id = presets.id`);
    await runner.query('CREATE INDEX ix_presets_page ON presets (organization_id, workspace_id, updated_at, id)');
    await countList(runner, LIST, BY_SCOPE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await stopCountingList(runner, LIST.table);
    await runner.query('DELETE FROM list_counts WHERE list = $1', [LIST.table]);
    await runner.query('DROP INDEX ix_presets_page');
    await runner.query(
      'ALTER TABLE presets DROP COLUMN newest_version, DROP COLUMN status_updated_at, DROP COLUMN status',
    );
  }
}

const LIST: CountedList = { table: 'presets', scope: WORKSPACE_SCOPE };
