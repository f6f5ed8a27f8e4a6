import type { MigrationInterface, QueryRunner } from 'typeorm';
import { countList, ORGANIZATION_SCOPE, stopCountingList } from '../count-list.js';

/** Adds providers and deployments of models that organizations have of their own (docs/interface/private-models.md). */
export class PrivateModels1798700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
    for (const table of COUNTED) await countList(runner, { table, scope: ORGANIZATION_SCOPE });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of COUNTED) await stopCountingList(runner, table);
    for (const statement of DOWN) await runner.query(statement);
  }
}

const COUNTED = ['private_providers', 'private_endpoints'];

const UP = [
  `CREATE TABLE private_providers (
    organization_id text NOT NULL,
    id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    display_name text NOT NULL,
    base_url text,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_private_providers PRIMARY KEY (organization_id, id),
    CONSTRAINT uq_private_providers_slug UNIQUE (organization_id, slug),
    CONSTRAINT fk_private_providers_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX ix_private_providers_page ON private_providers (organization_id, created_at, id)',
  `CREATE TABLE private_endpoints (
    organization_id text NOT NULL,
    id uuid NOT NULL,
    provider_id uuid NOT NULL,
    model_permaslug text NOT NULL,
    upstream_model_id text NOT NULL,
    base_url text,
    declared_region text,
    declared_zdr boolean,
    pricing jsonb,
    status text NOT NULL,
    validated_configuration text,
    validated_workspace_id uuid,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_private_endpoints PRIMARY KEY (organization_id, id),
    CONSTRAINT ck_private_endpoints_status CHECK (status IN ('draft', 'active', 'disabled')),
    CONSTRAINT ck_private_endpoints_declared_region CHECK (declared_region IN ('global', 'europe', 'us')),
    CONSTRAINT fk_private_endpoints_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
    CONSTRAINT fk_private_endpoints_provider FOREIGN KEY (organization_id, provider_id)
      REFERENCES private_providers (organization_id, id) ON DELETE CASCADE
  )`,
  'CREATE INDEX ix_private_endpoints_page ON private_endpoints (organization_id, created_at, id)',
  'CREATE INDEX ix_private_endpoints_provider ON private_endpoints (organization_id, provider_id)',
  `CREATE INDEX ix_private_endpoints_active ON private_endpoints (organization_id, id) WHERE status = 'active'`,
  // Which providers an organization has keys for is asked before an address of one is changed.
  'CREATE INDEX ix_provider_keys_provider ON provider_keys (organization_id, provider)',
];

const DOWN = ['DROP INDEX ix_provider_keys_provider', 'DROP TABLE private_endpoints', 'DROP TABLE private_providers'];
