import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds what receivers have said that they did not keep of what they took (docs/interface/destinations.md#states). */
export class PartialDeliveries1798855100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE broadcast_queues ADD COLUMN rejected_spans bigint NOT NULL DEFAULT '0',
      ADD COLUMN last_note text, ADD COLUMN last_note_at timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE broadcast_queues DROP COLUMN rejected_spans, DROP COLUMN last_note, DROP COLUMN last_note_at',
    );
  }
}
