import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds which version of the rules of keys a key is under (docs/deploy/upgrade.md#keys-of-a-newer-release). A key that an older replica writes is
 * under those that replica knows.
 */
export class KeyVersions1798856000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE api_keys ADD COLUMN version smallint NOT NULL DEFAULT '1'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys DROP COLUMN version');
  }
}
