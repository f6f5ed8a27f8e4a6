import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type CountedList, countList, ORGANIZATION_SCOPE, stopCountingList } from '../count-list.js';

const COUNTED_LISTS: readonly CountedList[] = [
  { table: 'limits', scope: ORGANIZATION_SCOPE },
  { table: 'limit_exceptions', scope: "organization_id || '/' || limit_id" },
];

/** Adds limits by condition and group with their exceptions and counters, and whether a guardrail only observes (docs/interface/limits.md). */
export class Limits1798857000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE limits (
      organization_id text NOT NULL, id uuid NOT NULL, name text NOT NULL, workspace_id uuid, conditions jsonb NOT NULL,
      group_by text[] NOT NULL, measure text NOT NULL, amount double precision NOT NULL, "window" text, on_missing text NOT NULL,
      include_byok boolean NOT NULL, enforcement text NOT NULL, alert_at double precision[] NOT NULL,
      created_at timestamptz(3) NOT NULL, updated_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_limits PRIMARY KEY (organization_id, id),
      CONSTRAINT ck_limits_measure CHECK (measure IN ('usd', 'tokens', 'requests', 'concurrent')),
      CONSTRAINT ck_limits_window
        CHECK ("window" IN ('minute', 'hour', 'daily', 'weekly', 'monthly', 'lifetime', 'session')),
      CONSTRAINT ck_limits_on_missing CHECK (on_missing IN ('refuse', 'shared', 'none')),
      CONSTRAINT ck_limits_enforcement CHECK (enforcement IN ('enforce', 'observe')),
      CONSTRAINT ck_limits_amount CHECK (amount >= 0),
      CONSTRAINT ck_limits_concurrent CHECK ((measure = 'concurrent') = ("window" IS NULL)),
      CONSTRAINT fk_limits_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
      CONSTRAINT fk_limits_workspace FOREIGN KEY (organization_id, workspace_id)
        REFERENCES workspaces (organization_id, id) ON DELETE CASCADE)`);
    await runner.query('CREATE INDEX ix_limits_page ON limits (organization_id, created_at, id)');
    await runner.query('CREATE INDEX ix_limits_workspace ON limits (organization_id, workspace_id)');
    await runner.query(`CREATE TABLE limit_exceptions (
      organization_id text NOT NULL, id uuid NOT NULL, limit_id uuid NOT NULL, combination text NOT NULL, "values" jsonb NOT NULL,
      amount double precision NOT NULL, until timestamptz(3), created_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_limit_exceptions PRIMARY KEY (organization_id, id),
      CONSTRAINT uq_limit_exceptions_combination UNIQUE (organization_id, limit_id, combination),
      CONSTRAINT ck_limit_exceptions_amount CHECK (amount >= 0),
      CONSTRAINT fk_limit_exceptions_limit FOREIGN KEY (organization_id, limit_id)
        REFERENCES limits (organization_id, id) ON DELETE CASCADE)`);
    await runner.query(
      'CREATE INDEX ix_limit_exceptions_page ON limit_exceptions (organization_id, limit_id, created_at, id)',
    );
    await runner.query(`CREATE TABLE limit_counters (
      organization_id text NOT NULL, limit_id uuid NOT NULL, combination text NOT NULL, window_start timestamptz(3) NOT NULL,
      "values" jsonb NOT NULL, key_id uuid NOT NULL, amount numeric NOT NULL, byok_amount numeric NOT NULL,
      reserved numeric NOT NULL, reserved_with_byok numeric NOT NULL, last_used_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3), refused_at timestamptz(3),
      CONSTRAINT pk_limit_counters PRIMARY KEY (organization_id, limit_id, combination, window_start),
      CONSTRAINT ck_limit_counters_amounts
        CHECK (amount >= 0 AND byok_amount >= 0 AND reserved >= 0 AND reserved_with_byok >= reserved),
      CONSTRAINT fk_limit_counters_limit FOREIGN KEY (organization_id, limit_id)
        REFERENCES limits (organization_id, id) ON DELETE CASCADE) WITH (fillfactor = 70)`);
    await runner.query('CREATE INDEX ix_limit_counters_expiry ON limit_counters (organization_id, expires_at)');
    await runner.query('CREATE INDEX ix_limit_counters_key ON limit_counters (organization_id, key_id)');
    await runner.query(`CREATE TABLE limit_populations (
      organization_id text NOT NULL, key_id uuid NOT NULL, combinations bigint NOT NULL,
      CONSTRAINT pk_limit_populations PRIMARY KEY (organization_id, key_id),
      CONSTRAINT fk_limit_populations_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE)`);
    for (const list of COUNTED_LISTS) await countList(runner, list);
    await runner.query('ALTER TABLE spend_reservations ADD COLUMN holds jsonb');
    await runner.query(`ALTER TABLE guardrails ADD COLUMN enforcement text NOT NULL DEFAULT 'enforce',
      ADD CONSTRAINT ck_guardrails_enforcement CHECK (enforcement IN ('enforce', 'observe'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE guardrails DROP COLUMN enforcement');
    await runner.query('ALTER TABLE spend_reservations DROP COLUMN holds');
    for (const { table } of COUNTED_LISTS) await stopCountingList(runner, table);
    for (const table of ['limit_populations', 'limit_counters', 'limit_exceptions', 'limits'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
