import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the user of a key in the system of a partner, and the hash of a secret of the partner. */
export class ExternalApiKeys1795284100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE api_keys
      ADD COLUMN external_user text,
      ADD COLUMN external_api_key_hash bytea,
      ADD CONSTRAINT ck_api_keys_external_api_key
        CHECK (external_api_key_hash IS NULL OR external_user IS NOT NULL AND kind = 'api_key')`);
    // A partial index, because most keys have no value.
    await runner.query(`CREATE UNIQUE INDEX uq_api_keys_external_api_key_hash ON api_keys (external_api_key_hash)
      WHERE external_api_key_hash IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys DROP COLUMN external_user, DROP COLUMN external_api_key_hash');
  }
}
