/**
 * Roles as ranks and back; null for null. A check constraint of memberships calls them, so they must not refer to other objects of the
 * schema: a restored dump creates tables with an empty search path. PostgreSQL inlines both. Conditions of their own, and not CASE role
 * WHEN: Citus writes a statement anew for a node, and wrote the latter with a truth value where a role belongs.
 */
export const ROLE_RANK_FUNCTIONS = [
  `CREATE FUNCTION role_rank(role text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT CASE WHEN $1 = 'member' THEN 1 WHEN $1 = 'admin' THEN 2 END $$`,
  `CREATE FUNCTION role_of_rank(rank integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT CASE WHEN $1 = 1 THEN 'member' WHEN $1 = 2 THEN 'admin' END $$`,
];

/** Organizations with their members, workspaces and settings. */
export const ORGANIZATIONS = [
  ...ROLE_RANK_FUNCTIONS,
  `CREATE TABLE organizations (
      id text NOT NULL,
      name text NOT NULL,
      scim_enabled boolean NOT NULL DEFAULT false,
      created_at timestamptz(3) NOT NULL,
      keys_of_deactivated_members text NOT NULL DEFAULT 'suspend',
      consent_by text NOT NULL DEFAULT 'members',
      consent_maximum_limit double precision,
      CONSTRAINT pk_organizations PRIMARY KEY (id),
      CONSTRAINT ck_organizations_consent_by CHECK (consent_by IN ('members', 'administrators')),
      CONSTRAINT ck_organizations_keys_of_deactivated_members CHECK (keys_of_deactivated_members IN ('suspend', 'keep_api_keys'))
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
      name text,
      email text,
      email_key text,
      given_name text,
      family_name text,
      kind text NOT NULL DEFAULT 'person',
      deactivated_at timestamptz(3),
      deactivated_by text,
      ended_at timestamptz(3),
      CONSTRAINT pk_organization_members PRIMARY KEY (organization_id, id),
      CONSTRAINT uq_organization_members_organization_user UNIQUE (organization_id, user_id),
      CONSTRAINT ck_organization_members_deactivated CHECK ((deactivated_at IS NULL) = (deactivated_by IS NULL)),
      CONSTRAINT ck_organization_members_deactivated_by CHECK (deactivated_by IN ('directory', 'administrator')),
      CONSTRAINT ck_organization_members_ended CHECK (ended_at IS NULL OR deactivated_at IS NOT NULL),
      CONSTRAINT ck_organization_members_kind CHECK (kind IN ('person', 'service')),
      CONSTRAINT ck_organization_members_role CHECK (role IN ('admin', 'member')),
      CONSTRAINT fk_organization_members_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
      CONSTRAINT fk_organization_members_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
    )`,
  'CREATE INDEX ix_organization_members_deactivated ON organization_members (organization_id, user_id) WHERE deactivated_at IS NOT NULL',
  'CREATE INDEX ix_organization_members_email ON organization_members (organization_id, email_key)',
  'CREATE INDEX ix_organization_members_page ON organization_members (organization_id, created_at, id)',
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
      default_text_model text,
      default_image_model text,
      default_provider_sort text,
      is_observability_io_logging_enabled boolean NOT NULL DEFAULT false,
      is_observability_broadcast_enabled boolean NOT NULL DEFAULT false,
      is_data_discount_logging_enabled boolean NOT NULL DEFAULT false,
      io_logging_sampling_rate double precision NOT NULL DEFAULT '1'::double precision,
      io_logging_api_key_ids jsonb,
      include_byok_in_budgets boolean NOT NULL DEFAULT false,
      default_guardrail_id uuid NOT NULL,
      disabled_server_tools text[],
      requests_per_minute integer,
      tokens_per_minute integer,
      is_response_cache_enabled boolean,
      CONSTRAINT pk_workspaces PRIMARY KEY (organization_id, id),
      CONSTRAINT uq_workspaces_default_guardrail UNIQUE (organization_id, default_guardrail_id),
      CONSTRAINT uq_workspaces_organization_slug UNIQUE (organization_id, slug),
      CONSTRAINT ck_workspaces_io_logging_sampling_rate CHECK (io_logging_sampling_rate BETWEEN 0 AND 1),
      CONSTRAINT ck_workspaces_rate_limits CHECK (requests_per_minute > 0 AND tokens_per_minute > 0),
      CONSTRAINT fk_workspaces_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    )`,
  'CREATE INDEX ix_workspaces_page ON workspaces (organization_id, created_at, id)',
  'CREATE UNIQUE INDEX uq_workspaces_default ON workspaces (organization_id) WHERE is_default',
  `CREATE TABLE workspace_members (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      workspace_id uuid NOT NULL,
      user_id text NOT NULL,
      role text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      manual_role text,
      scim_role text,
      CONSTRAINT pk_workspace_members PRIMARY KEY (organization_id, id),
      CONSTRAINT uq_workspace_members_workspace_user UNIQUE (organization_id, workspace_id, user_id),
      CONSTRAINT ck_workspace_members_manual_role CHECK (manual_role IN ('admin', 'member')),
      CONSTRAINT ck_workspace_members_role CHECK (role IN ('admin', 'member')),
      CONSTRAINT ck_workspace_members_scim_role CHECK (scim_role IN ('admin', 'member')),
      CONSTRAINT ck_workspace_members_sources CHECK (role IS NOT DISTINCT FROM role_of_rank(greatest(role_rank(manual_role), role_rank(scim_role)))),
      CONSTRAINT fk_workspace_members_member FOREIGN KEY (organization_id, user_id)
        REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE,
      CONSTRAINT fk_workspace_members_workspace FOREIGN KEY (organization_id, workspace_id)
        REFERENCES workspaces (organization_id, id) ON DELETE CASCADE
    )`,
  'CREATE INDEX ix_workspace_members_member ON workspace_members (organization_id, user_id)',
  'CREATE INDEX ix_workspace_members_page ON workspace_members (organization_id, workspace_id, created_at, id)',
  `CREATE TABLE workspace_budgets (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      workspace_id uuid NOT NULL,
      interval text NOT NULL,
      limit_usd double precision NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_workspace_budgets PRIMARY KEY (organization_id, id),
      CONSTRAINT uq_workspace_budgets_workspace_interval UNIQUE (organization_id, workspace_id, "interval"),
      CONSTRAINT ck_workspace_budgets_interval CHECK ("interval" IN ('daily', 'weekly', 'monthly', 'lifetime')),
      CONSTRAINT ck_workspace_budgets_limit CHECK (limit_usd > 0),
      CONSTRAINT fk_workspace_budgets_workspace FOREIGN KEY (organization_id, workspace_id)
        REFERENCES workspaces (organization_id, id) ON DELETE CASCADE
    )`,
  // Counts of lists, which triggers maintain (src/persistence/count-list.ts).
  `CREATE TABLE list_counts (
      list text NOT NULL,
      scope text NOT NULL,
      slot smallint NOT NULL,
      row_count bigint NOT NULL,
      organization_id text NOT NULL,
      CONSTRAINT pk_list_counts PRIMARY KEY (organization_id, list, scope, slot)
    )`,
  `CREATE TABLE external_users (
      organization_id text NOT NULL,
      id uuid NOT NULL,
      external_user text NOT NULL,
      is_active boolean NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_external_users PRIMARY KEY (organization_id, id),
      CONSTRAINT uq_external_users_external_user UNIQUE (organization_id, external_user),
      CONSTRAINT fk_external_users_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    )`,
  'CREATE INDEX ix_external_users_page ON external_users (organization_id, created_at, id, is_active)',
  `CREATE TABLE encryption_state (
      id smallint NOT NULL,
      sealed bytea NOT NULL,
      CONSTRAINT pk_encryption_state PRIMARY KEY (id),
      CONSTRAINT ck_encryption_state_single CHECK (id = 1)
    )`,
  // PostgreSQL has uuidv7() from 18 on. RFC 9562, section 5.7: 48 bits of Unix milliseconds, version, random bits.
  `CREATE FUNCTION new_uuid_v7() RETURNS uuid LANGUAGE sql AS $$
      SELECT encode(set_bit(set_bit(overlay(
        uuid_send(gen_random_uuid()) PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
        FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid
    $$`,
  `CREATE FUNCTION remove_counts_of_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM list_counts WHERE organization_id = OLD.organization_id AND list = ANY (TG_ARGV)
        AND scope = OLD.organization_id || '/' || OLD.id;
      RETURN NULL;
    END $$`,
  // Deferred to the commit: when the owner is deleted, the rows of its lists have yet to be deleted and counted.
  `CREATE CONSTRAINT TRIGGER remove_counts AFTER DELETE ON workspaces DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION remove_counts_of_deleted('guardrails', 'observability_destinations', 'presets', 'workspace_members')`,
];
