import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds what restricts keys (docs/interface/permissions.md): the permissions of a management key, whether it follows the role of its owner,
 * and the client addresses that a key is bound to. Keys that are there keep all rights until their owner's role is changed for the first
 * time; those that come later follow it, also where an older replica writes them.
 */
export class KeyPermissions1798000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE api_keys ADD COLUMN scopes text[],
      ADD COLUMN follows_owner_role boolean NOT NULL DEFAULT false,
      ADD COLUMN allowed_addresses text[],
      ADD CONSTRAINT ck_api_keys_scopes CHECK (scopes IS NULL OR kind = 'management_key')`);
    await runner.query('ALTER TABLE api_keys ALTER COLUMN follows_owner_role SET DEFAULT true');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE api_keys DROP COLUMN scopes, DROP COLUMN follows_owner_role, DROP COLUMN allowed_addresses',
    );
  }
}
