import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds why keys are suspended (docs/interface/keys-and-oauth.md#suspended-keys). A key that an older replica writes is not. */
export class KeySuspensions1795900600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE api_keys ADD COLUMN suspension_causes text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys DROP COLUMN suspension_causes');
  }
}
