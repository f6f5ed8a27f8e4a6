import type { MigrationInterface, QueryRunner } from 'typeorm';
import { BY_SCOPE, countList, ORGANIZATION_SCOPE, stopCountingList } from '../count-list.js';

/** Adds the grace period of rotated secrets, the spend of keys, and the list of Connect clients. */
export class KeyRotationAndSpend1795256100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
    await countList(runner, { table: 'connect_clients', scope: ORGANIZATION_SCOPE }, BY_SCOPE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await stopCountingList(runner, 'connect_clients');
    await runner.query(`DELETE FROM list_counts WHERE list = 'connect_clients'`);
    await runner.query('DROP TABLE key_spend');
    await runner.query(
      `ALTER TABLE connect_clients DROP COLUMN previous_secret_hash, DROP COLUMN previous_secret_expires_at`,
    );
    await runner.query('DROP INDEX ix_api_keys_workspace');
    await runner.query('CREATE INDEX ix_api_keys_workspace ON api_keys (organization_id, workspace_id)');
    await runner.query(
      `ALTER TABLE api_keys DROP COLUMN include_byok_in_limit, DROP COLUMN previous_hash, DROP COLUMN previous_hash_expires_at`,
    );
  }
}

const STATEMENTS = [
  `ALTER TABLE api_keys
      ADD COLUMN include_byok_in_limit boolean NOT NULL DEFAULT false,
      ADD COLUMN previous_hash bytea,
      ADD COLUMN previous_hash_expires_at timestamptz(3),
      ADD CONSTRAINT ck_api_keys_previous_hash CHECK ((previous_hash IS NULL) = (previous_hash_expires_at IS NULL))`,
  // A partial index, because only keys in a grace period have a value.
  `CREATE UNIQUE INDEX uq_api_keys_previous_hash ON api_keys (previous_hash) WHERE previous_hash IS NOT NULL`,
  'DROP INDEX ix_api_keys_workspace',
  'CREATE INDEX ix_api_keys_workspace ON api_keys (organization_id, workspace_id, created_at, id)',
  `ALTER TABLE connect_clients
      ADD COLUMN previous_secret_hash bytea,
      ADD COLUMN previous_secret_expires_at timestamptz(3),
      ADD CONSTRAINT ck_connect_clients_previous_secret
        CHECK ((previous_secret_hash IS NULL) = (previous_secret_expires_at IS NULL))`,
  `CREATE UNIQUE INDEX uq_connect_clients_previous_secret_hash ON connect_clients (previous_secret_hash)
      WHERE previous_secret_hash IS NOT NULL`,
  `CREATE TABLE key_spend (
      organization_id text NOT NULL,
      key_id uuid NOT NULL,
      day date NOT NULL,
      amount_usd numeric NOT NULL,
      byok_amount_usd numeric NOT NULL,
      CONSTRAINT pk_key_spend PRIMARY KEY (organization_id, key_id, day),
      CONSTRAINT ck_key_spend_amounts CHECK (amount_usd >= 0 AND byok_amount_usd >= 0),
      CONSTRAINT fk_key_spend_key
        FOREIGN KEY (organization_id, key_id) REFERENCES api_keys (organization_id, id) ON DELETE CASCADE
    )`,
];
