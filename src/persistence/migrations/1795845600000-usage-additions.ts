import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the table of what was used and is not in the totals yet, and totals of keys over all models
 * (docs/adr/0017-usage-is-added-up-later.md).
 */
export class UsageAdditions1795845600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE usage_additions');
    await runner.query(`DELETE FROM usage_totals WHERE scope = 'spender'`);
    await runner.query('ALTER TABLE usage_totals DROP CONSTRAINT ck_usage_totals_scope');
    await runner.query(
      `ALTER TABLE usage_totals ADD CONSTRAINT ck_usage_totals_scope CHECK (scope IN ('organization', 'workspace', 'key'))`,
    );
  }
}

const OWNER = ['workspace_id', 'key_id', 'user_id', 'model', 'provider', 'endpoint'];

/** What is counted. */
const MEASURES = [
  'request_count',
  'refused_count',
  'byok_request_count',
  'filtered_request_count',
  'prompt_tokens',
  'completion_tokens',
  'reasoning_tokens',
  'cached_tokens',
  'usage_usd',
  'byok_usage_usd',
  'latency_ms',
  'timed_request_count',
  'generation_ms',
  'generated_tokens',
];

const STATEMENTS = [
  // Rows live for some seconds: those that are gone have to be vacuumed soon, however many have been there.
  `CREATE TABLE usage_additions (
      organization_id text NOT NULL,
      generation_id text NOT NULL,
      starts_at timestamptz(3) NOT NULL,
      ${OWNER.map((name) => `${name} text NOT NULL`).join(',\n      ')},
      ${MEASURES.map((name) => `${name} numeric NOT NULL`).join(',\n      ')},
      CONSTRAINT pk_usage_additions PRIMARY KEY (organization_id, generation_id),
      CONSTRAINT fk_usage_additions_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  'ALTER TABLE usage_totals DROP CONSTRAINT ck_usage_totals_scope',
  `ALTER TABLE usage_totals ADD CONSTRAINT ck_usage_totals_scope
      CHECK (scope IN ('organization', 'workspace', 'key', 'spender'))`,
  `INSERT INTO usage_totals (organization_id, period, scope, starts_at, ${[...OWNER, ...MEASURES].join(', ')})
    SELECT organization_id, period, 'spender', starts_at, workspace_id, key_id, user_id, '', '', '',
      ${MEASURES.map((name) => `sum(${name})`).join(', ')}
    FROM usage_totals WHERE scope = 'key' AND period IN ('hour', 'day')
    GROUP BY organization_id, period, starts_at, workspace_id, key_id, user_id`,
];
