import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets alerts be about many members who are deactivated within an hour (docs/interface/alerts.md#kinds). */
export class MassDeactivations1798200100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(kindsOf(`'budget', 'key_expiry', 'destination_paused', 'members_deactivated'`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM alerts WHERE kind = 'members_deactivated'`);
    await runner.query(kindsOf(`'budget', 'key_expiry', 'destination_paused'`));
  }
}

function kindsOf(kinds: string): string {
  return `ALTER TABLE alerts DROP CONSTRAINT ck_alerts_kind, ADD CONSTRAINT ck_alerts_kind CHECK (kind IN (${kinds}))`;
}
