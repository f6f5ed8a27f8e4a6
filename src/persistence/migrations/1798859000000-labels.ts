import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds labels and bound users of keys, and the labels that workspaces allow (docs/interface/labels.md). */
export class Labels1798859000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys ADD COLUMN labels jsonb, ADD COLUMN bound_user text');
    await runner.query('ALTER TABLE workspaces ADD COLUMN allowed_labels jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces DROP COLUMN allowed_labels');
    await runner.query('ALTER TABLE api_keys DROP COLUMN bound_user, DROP COLUMN labels');
  }
}
