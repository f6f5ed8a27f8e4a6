import type { MigrationInterface, QueryRunner } from 'typeorm';
import { countList, ORGANIZATION_SCOPE, stopCountingList } from '../count-list.js';

const LIST = { table: 'replay_jobs', scope: ORGANIZATION_SCOPE };

/** Adds replays of guardrails over recorded traffic (docs/interface/replays.md). */
export class ReplayJobs1798858000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE replay_jobs (
      organization_id text NOT NULL, id uuid NOT NULL, guardrail_id uuid NOT NULL, "from" timestamptz(3) NOT NULL,
      "to" timestamptz(3) NOT NULL, sample double precision NOT NULL, state text NOT NULL, read_count integer NOT NULL,
      result jsonb, created_by text, created_at timestamptz(3) NOT NULL, alive_until timestamptz(3) NOT NULL,
      finished_at timestamptz(3),
      CONSTRAINT pk_replay_jobs PRIMARY KEY (organization_id, id),
      CONSTRAINT ck_replay_jobs_state CHECK (state IN ('running', 'finished', 'failed', 'cancelled')),
      CONSTRAINT ck_replay_jobs_sample CHECK (sample > 0 AND sample <= 1),
      CONSTRAINT fk_replay_jobs_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE)`);
    await runner.query('CREATE INDEX ix_replay_jobs_page ON replay_jobs (organization_id, created_at, id)');
    await runner.query(
      `CREATE UNIQUE INDEX uq_replay_jobs_running ON replay_jobs (organization_id) WHERE state = 'running'`,
    );
    await countList(runner, LIST);
  }

  async down(runner: QueryRunner): Promise<void> {
    await stopCountingList(runner, LIST.table);
    await runner.query('DROP TABLE replay_jobs');
  }
}
