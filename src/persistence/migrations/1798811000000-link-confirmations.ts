import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets people confirm which account is linked to them (docs/interface/sign-in.md#linking-an-account). A replica of the release before takes what
 * a newer one has begun for a plain sign-in.
 */
export class LinkConfirmations1798811000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE sign_in_attempts ADD COLUMN linking_session_id uuid, ADD COLUMN proved_subject text',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sign_in_attempts DROP COLUMN linking_session_id, DROP COLUMN proved_subject');
  }
}
