import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = "'budget', 'key_expiry', 'destination_paused', 'members_deactivated'";

/** Adds alerts on limits by condition and group, and on limits that will be met (docs/interface/alerts.md). */
export class LimitAlerts1798862000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE alerts ADD COLUMN limit_id uuid,
      DROP CONSTRAINT ck_alerts_kind, ADD CONSTRAINT ck_alerts_kind CHECK (kind IN (${KINDS}, 'limit', 'budget_forecast')),
      DROP CONSTRAINT ck_alerts_scope,
      ADD CONSTRAINT ck_alerts_scope CHECK (num_nonnulls(workspace_id, guardrail_id, key_id, limit_id) <= 1),
      ADD CONSTRAINT fk_alerts_limit FOREIGN KEY (organization_id, limit_id) REFERENCES limits (organization_id, id)
        ON DELETE CASCADE`);
    await runner.query('CREATE INDEX ix_alerts_limit ON alerts (organization_id, limit_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM alerts WHERE kind IN ('limit', 'budget_forecast')");
    await runner.query(`ALTER TABLE alerts DROP CONSTRAINT ck_alerts_scope, DROP COLUMN limit_id,
      ADD CONSTRAINT ck_alerts_scope CHECK (num_nonnulls(workspace_id, guardrail_id, key_id) <= 1),
      DROP CONSTRAINT ck_alerts_kind, ADD CONSTRAINT ck_alerts_kind CHECK (kind IN (${KINDS}))`);
  }
}
