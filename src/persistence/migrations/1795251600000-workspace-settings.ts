import type { MigrationInterface, QueryRunner } from 'typeorm';
import { BY_SCOPE, countList, ORGANIZATION_SCOPE, stopCountingList } from '../count-list.js';

/** Adds the settings of workspaces, the index for listing them, and an index that their deletion needs. */
export class WorkspaceSettings1795251600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
    await countList(runner, { table: 'workspaces', scope: ORGANIZATION_SCOPE }, BY_SCOPE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await stopCountingList(runner, 'workspaces');
    await runner.query("DELETE FROM list_counts WHERE list = 'workspaces'");
    await runner.query('DROP INDEX ix_authorization_codes_workspace');
    await runner.query('DROP INDEX ix_workspaces_page');
    await runner.query('ALTER TABLE workspaces DROP CONSTRAINT ck_workspaces_io_logging_sampling_rate');
    for (const column of COLUMNS) await runner.query(`ALTER TABLE workspaces DROP COLUMN ${column.split(' ')[0]}`);
  }
}

/** With defaults, so that a release that does not know them can still create workspaces. */
const COLUMNS = [
  'default_text_model text',
  'default_image_model text',
  'default_provider_sort text',
  'is_observability_io_logging_enabled boolean NOT NULL DEFAULT false',
  'is_observability_broadcast_enabled boolean NOT NULL DEFAULT false',
  'is_data_discount_logging_enabled boolean NOT NULL DEFAULT false',
  "io_logging_sampling_rate double precision NOT NULL DEFAULT '1'",
  'io_logging_api_key_ids jsonb',
  'include_byok_in_budgets boolean NOT NULL DEFAULT false',
];

const STATEMENTS = [
  ...COLUMNS.map((column) => `ALTER TABLE workspaces ADD COLUMN ${column}`),
  `ALTER TABLE workspaces ADD CONSTRAINT ck_workspaces_io_logging_sampling_rate
    CHECK (io_logging_sampling_rate BETWEEN 0 AND 1)`,
  'CREATE INDEX ix_workspaces_page ON workspaces (organization_id, created_at, id)',
  // Codes are deleted with their workspace; without this index that would scan all of them.
  'CREATE INDEX ix_authorization_codes_workspace ON authorization_codes (organization_id, workspace_id)',
];
