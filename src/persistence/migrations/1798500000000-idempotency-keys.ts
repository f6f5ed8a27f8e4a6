import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds what makes a repeated request have the answer of the first one (docs/interface/conventions.md#idempotency-keys). */
export class IdempotencyKeys1798500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}

const UP = [
  `CREATE TABLE idempotency_keys (
    organization_id text NOT NULL,
    credential_id text NOT NULL,
    key_hash bytea NOT NULL,
    fingerprint bytea NOT NULL,
    status smallint,
    sealed_answer bytea,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_idempotency_keys PRIMARY KEY (organization_id, credential_id, key_hash),
    CONSTRAINT fk_idempotency_keys_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX ix_idempotency_keys_expiry ON idempotency_keys (organization_id, expires_at)',
];
