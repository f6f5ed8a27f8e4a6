import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds what directories provision by SCIM 2.0 (docs/interface/scim-provisioning.md): their tokens, what they say of members, and jobs. */
export class Provisioning1798200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `CREATE TABLE provisioning_tokens (
    organization_id text NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    label text NOT NULL,
    hash bytea NOT NULL,
    previous_hash bytea,
    previous_hash_expires_at timestamptz(3),
    issuer text,
    expires_at timestamptz(3),
    last_used_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_provisioning_tokens PRIMARY KEY (organization_id, id),
    CONSTRAINT uq_provisioning_tokens_hash UNIQUE (organization_id, hash),
    CONSTRAINT ck_provisioning_tokens_previous_hash
      CHECK ((previous_hash IS NULL) = (previous_hash_expires_at IS NULL)),
    CONSTRAINT fk_provisioning_tokens_organization FOREIGN KEY (organization_id)
      REFERENCES organizations (id) ON DELETE CASCADE
  )`,
  `CREATE UNIQUE INDEX uq_provisioning_tokens_previous_hash ON provisioning_tokens (organization_id, previous_hash)
    WHERE previous_hash IS NOT NULL`,
  `CREATE TABLE scim_users (
    organization_id text NOT NULL,
    user_id text NOT NULL,
    user_name text NOT NULL,
    user_name_key text NOT NULL,
    external_id text,
    issuer text,
    attributes jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_scim_users PRIMARY KEY (organization_id, user_id),
    CONSTRAINT uq_scim_users_user_name UNIQUE (organization_id, user_name_key),
    CONSTRAINT fk_scim_users_member FOREIGN KEY (organization_id, user_id)
      REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE
  )`,
  `CREATE UNIQUE INDEX uq_scim_users_external_id ON scim_users (organization_id, external_id)
    WHERE external_id IS NOT NULL`,
  `CREATE TABLE scim_sync_jobs (
    organization_id text NOT NULL,
    id uuid NOT NULL,
    status text NOT NULL,
    synced_groups integer,
    deleted_groups integer,
    error_message text,
    leased_until timestamptz(3),
    started_at timestamptz(3),
    finished_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_scim_sync_jobs PRIMARY KEY (organization_id, id),
    CONSTRAINT ck_scim_sync_jobs_status CHECK (status IN ('queued', 'running', 'succeeded', 'failed')),
    CONSTRAINT ck_scim_sync_jobs_finished CHECK ((status IN ('succeeded', 'failed')) = (finished_at IS NOT NULL)),
    CONSTRAINT fk_scim_sync_jobs_organization FOREIGN KEY (organization_id)
      REFERENCES organizations (id) ON DELETE CASCADE
  )`,
  'CREATE UNIQUE INDEX uq_scim_sync_jobs_open ON scim_sync_jobs (organization_id) WHERE finished_at IS NULL',
  'CREATE INDEX ix_scim_sync_jobs_finished ON scim_sync_jobs (organization_id, finished_at)',
];

const DOWN = ['DROP TABLE scim_sync_jobs', 'DROP TABLE scim_users', 'DROP TABLE provisioning_tokens'];
