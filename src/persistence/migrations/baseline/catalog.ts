/** Models, providers, and how providers are reached. */
export const CATALOG = [
  `CREATE TABLE providers (
      slug text NOT NULL,
      name text NOT NULL,
      privacy_policy_url text,
      status_page_url text,
      terms_of_service_url text,
      headquarters text,
      datacenters text[],
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
      benchmarks jsonb,
      traits jsonb,
      capabilities jsonb,
      is_own boolean NOT NULL DEFAULT false,
      CONSTRAINT pk_models PRIMARY KEY (id)
    )`,
  'CREATE INDEX ix_models_canonical_slug ON models (canonical_slug)',
  `CREATE TABLE model_names (
      name text NOT NULL,
      model_id text NOT NULL,
      kind text NOT NULL,
      CONSTRAINT pk_model_names PRIMARY KEY (name),
      CONSTRAINT ck_model_names_kind CHECK (kind IN ('id', 'canonical_slug', 'alias')),
      CONSTRAINT fk_model_names_model FOREIGN KEY (model_id) REFERENCES models (id) ON DELETE CASCADE
    )`,
  'CREATE INDEX ix_model_names_model ON model_names (model_id)',
  `CREATE TABLE image_endpoints (
      model_id text NOT NULL,
      position integer NOT NULL,
      provider_slug text NOT NULL,
      supported_parameters jsonb NOT NULL,
      supports_streaming boolean NOT NULL,
      allowed_passthrough_parameters text[] NOT NULL,
      pricing jsonb NOT NULL,
      CONSTRAINT pk_image_endpoints PRIMARY KEY (model_id, "position"),
      CONSTRAINT fk_image_endpoints_model FOREIGN KEY (model_id) REFERENCES models (id) ON DELETE CASCADE
    )`,
  `CREATE TABLE model_endpoints (
      model_id text NOT NULL,
      position integer NOT NULL,
      provider_slug text NOT NULL,
      tag text NOT NULL,
      name text NOT NULL,
      context_length integer NOT NULL,
      max_completion_tokens integer,
      max_prompt_tokens integer,
      pricing jsonb NOT NULL,
      quantization text,
      status integer,
      supported_parameters text[] NOT NULL,
      supports_implicit_caching boolean NOT NULL,
      supports_voice_cloning boolean NOT NULL,
      measurements jsonb NOT NULL,
      is_zdr boolean NOT NULL,
      trains_on_requests boolean,
      publishes_prompts boolean,
      supports_tool_choice jsonb,
      capabilities jsonb,
      upstream_id text,
      is_own boolean NOT NULL DEFAULT false,
      CONSTRAINT pk_model_endpoints PRIMARY KEY (model_id, "position"),
      CONSTRAINT fk_model_endpoints_model FOREIGN KEY (model_id) REFERENCES models (id) ON DELETE CASCADE,
      CONSTRAINT fk_model_endpoints_provider FOREIGN KEY (provider_slug) REFERENCES providers (slug)
    )`,
  'CREATE INDEX ix_model_endpoints_provider ON model_endpoints (provider_slug)',
  // A random name and not a number: after a backup is restored, a counter could reach a value again that a process has cached.
  `CREATE TABLE catalog_edition (
      is_current boolean NOT NULL,
      edition uuid NOT NULL,
      CONSTRAINT pk_catalog_edition PRIMARY KEY (is_current),
      CONSTRAINT ck_catalog_edition_single CHECK (is_current)
    )`,
  'INSERT INTO catalog_edition (is_current, edition) VALUES (true, gen_random_uuid())',
  `CREATE TABLE provider_connections (
      provider text NOT NULL,
      protocol text NOT NULL,
      base_url text NOT NULL,
      encrypted_api_key bytea,
      timeouts jsonb NOT NULL,
      models jsonb NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      capabilities jsonb,
      preset text,
      address jsonb,
      credential jsonb,
      is_from_interface boolean NOT NULL DEFAULT false,
      CONSTRAINT pk_provider_connections PRIMARY KEY (provider),
      CONSTRAINT ck_provider_connections_protocol CHECK (protocol IN ('openai', 'openai-responses', 'anthropic', 'gemini', 'converse'))
    )`,
  // A random name, as for the catalog.
  `CREATE TABLE provider_connection_edition (
      is_current boolean NOT NULL,
      edition uuid NOT NULL,
      CONSTRAINT pk_provider_connection_edition PRIMARY KEY (is_current),
      CONSTRAINT ck_provider_connection_edition_single CHECK (is_current)
    )`,
  'INSERT INTO provider_connection_edition (is_current, edition) VALUES (true, gen_random_uuid())',
  `CREATE TABLE provider_keys (
      organization_id text NOT NULL,
      id uuid NOT NULL,
      workspace_id uuid NOT NULL,
      provider text NOT NULL,
      name text,
      label text NOT NULL,
      encrypted_key bytea NOT NULL,
      disabled boolean NOT NULL,
      is_fallback boolean NOT NULL,
      allowed_models text[],
      allowed_api_key_hashes text[],
      allowed_user_ids text[],
      sort_order integer NOT NULL,
      created_at timestamptz(3) NOT NULL,
      is_required boolean NOT NULL DEFAULT false,
      is_byok_only boolean NOT NULL DEFAULT false,
      declared_zdr boolean,
      CONSTRAINT pk_provider_keys PRIMARY KEY (organization_id, id),
      CONSTRAINT fk_provider_keys_workspace FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces (organization_id, id) ON DELETE CASCADE
    )`,
  'CREATE INDEX ix_provider_keys_page ON provider_keys (organization_id, workspace_id, created_at, id)',
  // Which providers an organization has keys for is asked before an address of one is changed.
  'CREATE INDEX ix_provider_keys_provider ON provider_keys (organization_id, provider)',
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
      CONSTRAINT ck_private_endpoints_declared_region CHECK (declared_region IN ('global', 'europe', 'us')),
      CONSTRAINT ck_private_endpoints_status CHECK (status IN ('draft', 'active', 'disabled')),
      CONSTRAINT fk_private_endpoints_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
      CONSTRAINT fk_private_endpoints_provider FOREIGN KEY (organization_id, provider_id)
        REFERENCES private_providers (organization_id, id) ON DELETE CASCADE
    )`,
  `CREATE INDEX ix_private_endpoints_active ON private_endpoints (organization_id, id) WHERE status = 'active'`,
  'CREATE INDEX ix_private_endpoints_page ON private_endpoints (organization_id, created_at, id)',
  'CREATE INDEX ix_private_endpoints_provider ON private_endpoints (organization_id, provider_id)',
  // Every change of the catalog, also a manual one, creates a new edition.
  `CREATE FUNCTION renew_catalog_edition() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE catalog_edition SET edition = gen_random_uuid();
      RETURN NULL;
    END $$`,
  'CREATE TRIGGER renew_edition AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON providers FOR EACH STATEMENT EXECUTE FUNCTION renew_catalog_edition()',
  'CREATE TRIGGER renew_edition AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON models FOR EACH STATEMENT EXECUTE FUNCTION renew_catalog_edition()',
  `CREATE TRIGGER renew_edition AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON model_names
      FOR EACH STATEMENT EXECUTE FUNCTION renew_catalog_edition()`,
  `CREATE TRIGGER renew_edition AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON image_endpoints
      FOR EACH STATEMENT EXECUTE FUNCTION renew_catalog_edition()`,
  `CREATE TRIGGER renew_edition AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON model_endpoints
      FOR EACH STATEMENT EXECUTE FUNCTION renew_catalog_edition()`,
  `CREATE FUNCTION renew_provider_connection_edition() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE provider_connection_edition SET edition = gen_random_uuid();
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER renew_edition AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON provider_connections
      FOR EACH STATEMENT EXECUTE FUNCTION renew_provider_connection_edition()`,
];
