import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets replays be of limits by condition and group, too (docs/interface/replays.md#limits). */
export class LimitReplays1798861000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE replay_jobs ALTER COLUMN guardrail_id DROP NOT NULL, ADD COLUMN limit_id uuid,
      ADD CONSTRAINT ck_replay_jobs_subject CHECK ((guardrail_id IS NULL) <> (limit_id IS NULL))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM replay_jobs WHERE guardrail_id IS NULL');
    await runner.query(`ALTER TABLE replay_jobs DROP CONSTRAINT ck_replay_jobs_subject, DROP COLUMN limit_id,
      ALTER COLUMN guardrail_id SET NOT NULL`);
  }
}
