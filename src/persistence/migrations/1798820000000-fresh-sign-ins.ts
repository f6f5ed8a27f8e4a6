import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells sign-ins whose identity provider said when the person proved who they are from others (docs/interface/sign-in.md#fresh-sign-ins). */
export class FreshSignIns1798820000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions ADD COLUMN authentication_stated boolean NOT NULL DEFAULT true');
    await runner.query(
      'ALTER TABLE sign_in_connections ADD COLUMN step_up_without_auth_time boolean NOT NULL DEFAULT false',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sign_in_connections DROP COLUMN step_up_without_auth_time');
    await runner.query('ALTER TABLE sessions DROP COLUMN authentication_stated');
  }
}
