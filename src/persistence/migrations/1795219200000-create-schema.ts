import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables of the first twelve operations. */
export class CreateSchema1795219200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [...TABLES].reverse()) await runner.query(`DROP TABLE ${table}`);
  }
}

/** In the order in which they refer to each other. */
const TABLES = [
  'organizations',
  'users',
  'organization_members',
  'workspaces',
  'workspace_members',
  'workspace_budgets',
  'connect_clients',
  'api_keys',
  'oauth_applications',
  'authorization_codes',
  'guardrails',
  'scim_groups',
  'scim_group_mappings',
  'providers',
  'models',
  'model_names',
  'image_endpoints',
  'presets',
  'preset_versions',
  'observability_destinations',
];

const STATEMENTS = [
  `CREATE TABLE organizations (
      id text NOT NULL,
      name text NOT NULL,
      scim_enabled boolean NOT NULL DEFAULT false,
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_organizations PRIMARY KEY (id)
    )`,
  `CREATE TABLE users (
      id text NOT NULL,
      name text NOT NULL,
      email text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_users PRIMARY KEY (id)
    )`,
  `CREATE TABLE organization_members (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      user_id text NOT NULL,
      role text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_organization_members PRIMARY KEY (id),
      CONSTRAINT uq_organization_members_organization_user UNIQUE (organization_id, user_id),
      CONSTRAINT ck_organization_members_role CHECK (role IN ('admin', 'member')),
      CONSTRAINT fk_organization_members_organization
        FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
      CONSTRAINT fk_organization_members_user
        FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
    )`,
  `CREATE INDEX ix_organization_members_page ON organization_members (organization_id, created_at, id)`,
  `CREATE TABLE workspaces (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      name text NOT NULL,
      slug text NOT NULL,
      description text,
      is_default boolean NOT NULL DEFAULT false,
      created_by text,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3),
      CONSTRAINT pk_workspaces PRIMARY KEY (id),
      CONSTRAINT uq_workspaces_organization_id UNIQUE (organization_id, id),
      CONSTRAINT uq_workspaces_organization_slug UNIQUE (organization_id, slug),
      CONSTRAINT fk_workspaces_organization
        FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    )`,
  `CREATE UNIQUE INDEX uq_workspaces_default ON workspaces (organization_id) WHERE is_default`,
  `CREATE TABLE workspace_members (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      workspace_id uuid NOT NULL,
      user_id text NOT NULL,
      role text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_workspace_members PRIMARY KEY (id),
      CONSTRAINT uq_workspace_members_workspace_user UNIQUE (workspace_id, user_id),
      CONSTRAINT ck_workspace_members_role CHECK (role IN ('admin', 'member')),
      CONSTRAINT fk_workspace_members_member
        FOREIGN KEY (organization_id, user_id) REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE,
      CONSTRAINT fk_workspace_members_workspace
        FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces (organization_id, id) ON DELETE CASCADE
    )`,
  `CREATE INDEX ix_workspace_members_member ON workspace_members (organization_id, user_id)`,
  `CREATE INDEX ix_workspace_members_page ON workspace_members (organization_id, workspace_id, created_at, id)`,
  `CREATE TABLE workspace_budgets (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      workspace_id uuid NOT NULL,
      "interval" text NOT NULL,
      limit_usd double precision NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_workspace_budgets PRIMARY KEY (id),
      CONSTRAINT uq_workspace_budgets_workspace_interval UNIQUE (workspace_id, "interval"),
      CONSTRAINT ck_workspace_budgets_interval CHECK ("interval" IN ('daily', 'weekly', 'monthly', 'lifetime')),
      CONSTRAINT ck_workspace_budgets_limit CHECK (limit_usd > 0),
      CONSTRAINT fk_workspace_budgets_workspace
        FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces (organization_id, id) ON DELETE CASCADE
    )`,
  `CREATE TABLE connect_clients (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      name text NOT NULL,
      callback_urls text[] NOT NULL,
      secret_hash bytea NOT NULL,
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_connect_clients PRIMARY KEY (id),
      CONSTRAINT uq_connect_clients_organization_id UNIQUE (organization_id, id),
      CONSTRAINT uq_connect_clients_secret_hash UNIQUE (secret_hash),
      CONSTRAINT fk_connect_clients_organization
        FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    )`,
  `CREATE INDEX ix_connect_clients_page ON connect_clients (organization_id, created_at, id)`,
  `CREATE TABLE api_keys (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      user_id text NOT NULL,
      kind text NOT NULL,
      hash bytea NOT NULL,
      name text NOT NULL,
      label text NOT NULL,
      workspace_id uuid,
      connect_client_id uuid,
      disabled boolean NOT NULL DEFAULT false,
      limit_usd double precision,
      limit_reset text,
      expires_at timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3),
      CONSTRAINT pk_api_keys PRIMARY KEY (id),
      CONSTRAINT uq_api_keys_hash UNIQUE (hash),
      CONSTRAINT ck_api_keys_kind CHECK (kind IN ('management_key', 'api_key')),
      CONSTRAINT ck_api_keys_limit_reset CHECK (limit_reset IN ('daily', 'weekly', 'monthly')),
      CONSTRAINT fk_api_keys_connect_client
        FOREIGN KEY (organization_id, connect_client_id) REFERENCES connect_clients (organization_id, id) ON DELETE CASCADE,
      CONSTRAINT fk_api_keys_member
        FOREIGN KEY (organization_id, user_id) REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE,
      CONSTRAINT fk_api_keys_workspace
        FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces (organization_id, id)
    )`,
  `CREATE INDEX ix_api_keys_connect_client ON api_keys (organization_id, connect_client_id)`,
  `CREATE INDEX ix_api_keys_member ON api_keys (organization_id, user_id)`,
  `CREATE INDEX ix_api_keys_page ON api_keys (organization_id, created_at, id)`,
  `CREATE INDEX ix_api_keys_workspace ON api_keys (organization_id, workspace_id)`,
  `CREATE TABLE oauth_applications (
      id integer GENERATED ALWAYS AS IDENTITY NOT NULL,
      organization_id text NOT NULL,
      origin text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_oauth_applications PRIMARY KEY (id),
      CONSTRAINT uq_oauth_applications_organization_origin UNIQUE (organization_id, origin),
      CONSTRAINT fk_oauth_applications_organization
        FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    )`,
  `CREATE TABLE authorization_codes (
      id uuid NOT NULL,
      code_hash bytea NOT NULL,
      organization_id text NOT NULL,
      user_id text NOT NULL,
      application_id integer NOT NULL,
      connect_client_id uuid,
      callback_url text NOT NULL,
      code_challenge text,
      code_challenge_method text,
      workspace_id uuid,
      key_label text,
      key_limit_usd double precision,
      key_limit_reset text,
      key_expires_at timestamptz(3),
      spawn_agent text,
      spawn_cloud text,
      expires_at timestamptz(3) NOT NULL,
      used_at timestamptz(3),
      issued_key_id uuid,
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_authorization_codes PRIMARY KEY (id),
      CONSTRAINT uq_authorization_codes_code_hash UNIQUE (code_hash),
      CONSTRAINT ck_authorization_codes_challenge CHECK ((code_challenge IS NULL) = (code_challenge_method IS NULL)),
      CONSTRAINT ck_authorization_codes_method CHECK (code_challenge_method IN ('S256', 'plain')),
      CONSTRAINT fk_authorization_codes_application
        FOREIGN KEY (application_id) REFERENCES oauth_applications (id) ON DELETE CASCADE,
      CONSTRAINT fk_authorization_codes_connect_client
        FOREIGN KEY (organization_id, connect_client_id) REFERENCES connect_clients (organization_id, id) ON DELETE CASCADE,
      CONSTRAINT fk_authorization_codes_issued_key
        FOREIGN KEY (issued_key_id) REFERENCES api_keys (id) ON DELETE SET NULL,
      CONSTRAINT fk_authorization_codes_member
        FOREIGN KEY (organization_id, user_id) REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE,
      CONSTRAINT fk_authorization_codes_workspace
        FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces (organization_id, id) ON DELETE CASCADE
    )`,
  `CREATE INDEX ix_authorization_codes_expiry ON authorization_codes (expires_at)`,
  `CREATE INDEX ix_authorization_codes_issued_key ON authorization_codes (issued_key_id)`,
  `CREATE TABLE guardrails (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      workspace_id uuid,
      name text NOT NULL,
      description text,
      limit_usd double precision,
      reset_interval text,
      include_byok_in_budgets boolean NOT NULL,
      allowed_models text[],
      ignored_models text[],
      allowed_providers text[],
      ignored_providers text[],
      enforce_zdr boolean,
      enforce_zdr_vendor_a boolean,
      enforce_zdr_vendor_b boolean,
      enforce_zdr_vendor_c boolean,
      enforce_zdr_vendor_d boolean,
      enforce_zdr_other boolean,
      enable_free_model_publication boolean,
      enable_free_model_training boolean,
      enable_paid_model_training boolean,
      content_filter_builtins jsonb,
      content_filters jsonb,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3),
      CONSTRAINT pk_guardrails PRIMARY KEY (id),
      CONSTRAINT ck_guardrails_limit CHECK (limit_usd >= 0),
      CONSTRAINT ck_guardrails_limit_interval CHECK ((limit_usd IS NULL) = (reset_interval IS NULL)),
      CONSTRAINT ck_guardrails_reset_interval CHECK (reset_interval IN ('daily', 'weekly', 'monthly')),
      CONSTRAINT fk_guardrails_organization
        FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
      CONSTRAINT fk_guardrails_workspace
        FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces (organization_id, id) ON DELETE CASCADE
    )`,
  `CREATE INDEX ix_guardrails_page ON guardrails (organization_id, workspace_id, created_at, id)`,
  `CREATE TABLE scim_groups (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      display_name text NOT NULL,
      external_id text,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_scim_groups PRIMARY KEY (id),
      CONSTRAINT uq_scim_groups_organization_id UNIQUE (organization_id, id),
      CONSTRAINT fk_scim_groups_organization
        FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    )`,
  `CREATE INDEX ix_scim_groups_page ON scim_groups (organization_id, created_at, id)`,
  `CREATE TABLE scim_group_mappings (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      scim_group_id uuid NOT NULL,
      workspace_id uuid NOT NULL,
      role text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_scim_group_mappings PRIMARY KEY (id),
      CONSTRAINT uq_scim_group_mappings_group_workspace UNIQUE (organization_id, scim_group_id, workspace_id),
      CONSTRAINT ck_scim_group_mappings_role CHECK (role IN ('admin', 'member')),
      CONSTRAINT fk_scim_group_mappings_group
        FOREIGN KEY (organization_id, scim_group_id) REFERENCES scim_groups (organization_id, id) ON DELETE CASCADE,
      CONSTRAINT fk_scim_group_mappings_workspace
        FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces (organization_id, id) ON DELETE CASCADE
    )`,
  `CREATE INDEX ix_scim_group_mappings_page ON scim_group_mappings (organization_id, created_at, id)`,
  `CREATE INDEX ix_scim_group_mappings_workspace ON scim_group_mappings (organization_id, workspace_id)`,
  `CREATE TABLE providers (
      slug text NOT NULL,
      name text NOT NULL,
      CONSTRAINT pk_providers PRIMARY KEY (slug)
    )`,
  `CREATE TABLE models (
      id text NOT NULL,
      canonical_slug text NOT NULL,
      hugging_face_id text,
      name text NOT NULL,
      description text NOT NULL,
      created integer NOT NULL,
      context_length integer,
      architecture jsonb NOT NULL,
      pricing jsonb NOT NULL,
      top_provider jsonb NOT NULL,
      per_request_limits jsonb,
      supported_parameters text[] NOT NULL,
      default_parameters jsonb,
      supported_voices text[],
      reasoning jsonb,
      knowledge_cutoff text,
      expiration_date text,
      in_model_list boolean NOT NULL,
      in_image_model_list boolean NOT NULL,
      CONSTRAINT pk_models PRIMARY KEY (id)
    )`,
  `CREATE INDEX ix_models_canonical_slug ON models (canonical_slug)`,
  `CREATE TABLE model_names (
      name text NOT NULL,
      model_id text NOT NULL,
      kind text NOT NULL,
      CONSTRAINT pk_model_names PRIMARY KEY (name),
      CONSTRAINT ck_model_names_kind CHECK (kind IN ('id', 'canonical_slug', 'alias')),
      CONSTRAINT fk_model_names_model FOREIGN KEY (model_id) REFERENCES models (id) ON DELETE CASCADE
    )`,
  `CREATE INDEX ix_model_names_model ON model_names (model_id)`,
  `CREATE TABLE image_endpoints (
      model_id text NOT NULL,
      position integer NOT NULL,
      provider_slug text NOT NULL,
      supported_parameters jsonb NOT NULL,
      supports_streaming boolean NOT NULL,
      allowed_passthrough_parameters text[] NOT NULL,
      pricing jsonb NOT NULL,
      CONSTRAINT pk_image_endpoints PRIMARY KEY (model_id, position),
      CONSTRAINT fk_image_endpoints_model FOREIGN KEY (model_id) REFERENCES models (id) ON DELETE CASCADE
    )`,
  `CREATE TABLE presets (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      workspace_id uuid NOT NULL,
      slug text NOT NULL,
      name text NOT NULL,
      description text,
      creator_id text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_presets PRIMARY KEY (id),
      CONSTRAINT uq_presets_workspace_slug UNIQUE (workspace_id, slug),
      CONSTRAINT fk_presets_workspace
        FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces (organization_id, id) ON DELETE CASCADE
    )`,
  `CREATE INDEX ix_presets_organization_workspace ON presets (organization_id, workspace_id, slug)`,
  `CREATE TABLE preset_versions (
      id uuid NOT NULL,
      preset_id uuid NOT NULL,
      version integer NOT NULL,
      config jsonb NOT NULL,
      system_prompt text,
      creator_id text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_preset_versions PRIMARY KEY (id),
      CONSTRAINT uq_preset_versions_preset_version UNIQUE (preset_id, version),
      CONSTRAINT ck_preset_versions_version CHECK (version >= 1),
      CONSTRAINT fk_preset_versions_preset
        FOREIGN KEY (preset_id) REFERENCES presets (id) ON DELETE CASCADE
    )`,
  `CREATE TABLE observability_destinations (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      workspace_id uuid NOT NULL,
      name text,
      type text NOT NULL,
      enabled boolean NOT NULL,
      privacy_mode boolean NOT NULL,
      sampling_rate double precision NOT NULL,
      broadcast_generation_cost boolean NOT NULL,
      broadcast_generation_identity boolean NOT NULL,
      broadcast_generation_request_context boolean NOT NULL,
      api_key_hashes text[],
      filter_rules jsonb,
      encrypted_config bytea NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_observability_destinations PRIMARY KEY (id),
      CONSTRAINT ck_observability_destinations_sampling_rate CHECK (sampling_rate BETWEEN 0 AND 1),
      CONSTRAINT fk_observability_destinations_workspace
        FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces (organization_id, id) ON DELETE CASCADE
    )`,
  `CREATE INDEX ix_observability_destinations_page ON observability_destinations (organization_id, workspace_id, created_at, id)`,
];
