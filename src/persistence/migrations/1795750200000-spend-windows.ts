import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds what workspaces and members have spent, by window (docs/budgets.md#windows). */
export class SpendWindows1795750200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Free space in a page keeps the new version of a row in it, without a new index entry (HOT updates): the rows of the present are
    // updated with every charge.
    await runner.query(`CREATE TABLE spend_windows (
      organization_id text NOT NULL,
      subject text NOT NULL,
      subject_id text NOT NULL,
      "interval" text NOT NULL,
      first_day date NOT NULL,
      amount_usd numeric NOT NULL,
      byok_amount_usd numeric NOT NULL,
      CONSTRAINT pk_spend_windows PRIMARY KEY (organization_id, subject, subject_id, "interval", first_day),
      CONSTRAINT ck_spend_windows_subject CHECK (subject IN ('member', 'workspace')),
      CONSTRAINT ck_spend_windows_interval CHECK ("interval" IN ('lifetime', 'monthly', 'weekly', 'daily')),
      CONSTRAINT ck_spend_windows_amounts CHECK (amount_usd >= 0 AND byok_amount_usd >= 0),
      CONSTRAINT fk_spend_windows_organization FOREIGN KEY (organization_id)
        REFERENCES organizations (id) ON DELETE CASCADE
    ) WITH (fillfactor = 50)`);
    await runner.query(`INSERT INTO spend_windows
        (organization_id, subject, subject_id, "interval", first_day, amount_usd, byok_amount_usd)
      SELECT charge.organization_id, spent.subject, spent.subject_id, spent."interval", spent.first_day,
        sum(charge.amount_usd), sum(charge.byok_amount_usd)
      FROM (
        SELECT organization_id, user_id, workspace_id, (created_at AT TIME ZONE 'UTC')::date AS day,
          CASE WHEN is_byok THEN 0 ELSE cost_usd END AS amount_usd, CASE WHEN is_byok THEN cost_usd ELSE 0 END AS byok_amount_usd
        FROM generations WHERE cost_usd > 0
      ) AS charge
      CROSS JOIN LATERAL (VALUES
        ('workspace', workspace_id::text, 'lifetime', date '1970-01-01'),
        ('workspace', workspace_id::text, 'monthly', date_trunc('month', day::timestamp)::date),
        ('workspace', workspace_id::text, 'weekly', date_trunc('week', day::timestamp)::date),
        ('workspace', workspace_id::text, 'daily', day),
        ('member', user_id, 'monthly', date_trunc('month', day::timestamp)::date),
        ('member', user_id, 'weekly', date_trunc('week', day::timestamp)::date),
        ('member', user_id, 'daily', day)
      ) AS spent (subject, subject_id, "interval", first_day)
      WHERE spent.subject_id IS NOT NULL GROUP BY 1, 2, 3, 4, 5`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE spend_windows');
  }
}
