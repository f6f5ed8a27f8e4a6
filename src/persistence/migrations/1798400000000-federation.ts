import type { MigrationInterface, QueryRunner } from 'typeorm';
import { countList, ORGANIZATION_SCOPE, stopCountingList } from '../count-list.js';

/** Adds what the exchange of tokens goes by: issuers, policies, and the keys that access tokens are signed with (docs/interface/token-exchange.md). */
export class Federation1798400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
    for (const table of COUNTED) await countList(runner, { table, scope: ORGANIZATION_SCOPE });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of COUNTED) await stopCountingList(runner, table);
    for (const statement of DOWN) await runner.query(statement);
  }
}

const COUNTED = ['federation_issuers', 'federation_policies'];

const UP = [
  `CREATE TABLE federation_issuers (
    organization_id text NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    issuer text NOT NULL,
    jwks_type text NOT NULL,
    jwks_url text,
    jwks_keys jsonb,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_federation_issuers PRIMARY KEY (organization_id, id),
    CONSTRAINT ck_federation_issuers_jwks_type CHECK (jwks_type IN ('discovery', 'explicit_url', 'inline')),
    CONSTRAINT ck_federation_issuers_jwks_url CHECK ((jwks_type = 'explicit_url') = (jwks_url IS NOT NULL)),
    CONSTRAINT ck_federation_issuers_jwks_keys CHECK ((jwks_type = 'inline') = (jwks_keys IS NOT NULL)),
    CONSTRAINT fk_federation_issuers_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX ix_federation_issuers_page ON federation_issuers (organization_id, created_at, id)',
  `CREATE TABLE federation_policies (
    organization_id text NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    issuer_id uuid NOT NULL,
    key_id uuid NOT NULL,
    subject text,
    audience text NOT NULL,
    condition text,
    required_scope text,
    required_token_type text,
    enabled boolean NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_federation_policies PRIMARY KEY (organization_id, id),
    CONSTRAINT ck_federation_policies_subject CHECK (num_nonnulls(subject, condition) >= 1),
    CONSTRAINT fk_federation_policies_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
    CONSTRAINT fk_federation_policies_issuer FOREIGN KEY (organization_id, issuer_id)
      REFERENCES federation_issuers (organization_id, id),
    CONSTRAINT fk_federation_policies_key FOREIGN KEY (organization_id, key_id)
      REFERENCES api_keys (organization_id, id) ON DELETE CASCADE
  )`,
  'CREATE INDEX ix_federation_policies_page ON federation_policies (organization_id, created_at, id)',
  'CREATE INDEX ix_federation_policies_issuer ON federation_policies (organization_id, issuer_id)',
  'CREATE INDEX ix_federation_policies_key ON federation_policies (organization_id, key_id)',
  `CREATE TABLE token_signing_keys (
    id uuid NOT NULL,
    public_jwk jsonb NOT NULL,
    sealed_private_jwk bytea NOT NULL,
    active_at timestamptz(3) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_token_signing_keys PRIMARY KEY (id)
  )`,
  'CREATE INDEX ix_token_signing_keys_active ON token_signing_keys (active_at)',
];

const DOWN = ['DROP TABLE token_signing_keys', 'DROP TABLE federation_policies', 'DROP TABLE federation_issuers'];
