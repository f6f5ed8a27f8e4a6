import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds limits of requests and tokens per minute to keys and workspaces, and what is used of them (docs/limits.md#rates). */
export class RateLimits1795838400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['api_keys', 'workspaces']) {
      await runner.query(`ALTER TABLE ${table}
        ADD COLUMN requests_per_minute integer,
        ADD COLUMN tokens_per_minute integer,
        ADD CONSTRAINT ck_${table}_rate_limits CHECK (requests_per_minute > 0 AND tokens_per_minute > 0)`);
    }
    // Free space in a page keeps the new versions of a row in it, without a new index entry (HOT updates): the rows of the present
    // are updated with every batch of requests.
    await runner.query(`CREATE UNLOGGED TABLE rate_uses (
      organization_id text NOT NULL,
      subject text NOT NULL,
      subject_id uuid NOT NULL,
      latest_second bigint NOT NULL,
      requests integer[] NOT NULL,
      tokens bigint[] NOT NULL,
      CONSTRAINT pk_rate_uses PRIMARY KEY (organization_id, subject, subject_id),
      CONSTRAINT ck_rate_uses_subject CHECK (subject IN ('workspace', 'key')),
      CONSTRAINT fk_rate_uses_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    ) WITH (fillfactor = 30)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rate_uses');
    for (const table of ['api_keys', 'workspaces']) {
      await runner.query(`ALTER TABLE ${table}
        DROP CONSTRAINT ck_${table}_rate_limits, DROP COLUMN requests_per_minute, DROP COLUMN tokens_per_minute`);
    }
  }
}
