/** Groups that a directory keeps, and memberships of workspaces that follow them. */
export const DIRECTORY = [
  `CREATE TABLE scim_groups (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      display_name text NOT NULL,
      external_id text,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_scim_groups PRIMARY KEY (organization_id, id),
      CONSTRAINT fk_scim_groups_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    )`,
  'CREATE INDEX ix_scim_groups_page ON scim_groups (organization_id, created_at, id)',
  `CREATE TABLE scim_group_members (
      organization_id text NOT NULL,
      scim_group_id uuid NOT NULL,
      user_id text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_scim_group_members PRIMARY KEY (organization_id, scim_group_id, user_id),
      CONSTRAINT fk_scim_group_members_group FOREIGN KEY (organization_id, scim_group_id)
        REFERENCES scim_groups (organization_id, id) ON DELETE CASCADE,
      CONSTRAINT fk_scim_group_members_member FOREIGN KEY (organization_id, user_id)
        REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE
    )`,
  'CREATE INDEX ix_scim_group_members_member ON scim_group_members (organization_id, user_id)',
  `CREATE TABLE scim_group_mappings (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      scim_group_id uuid NOT NULL,
      workspace_id uuid NOT NULL,
      role text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_scim_group_mappings PRIMARY KEY (organization_id, id),
      CONSTRAINT uq_scim_group_mappings_group_workspace UNIQUE (organization_id, scim_group_id, workspace_id),
      CONSTRAINT ck_scim_group_mappings_role CHECK (role IN ('admin', 'member')),
      CONSTRAINT fk_scim_group_mappings_group FOREIGN KEY (organization_id, scim_group_id)
        REFERENCES scim_groups (organization_id, id) ON DELETE CASCADE,
      CONSTRAINT fk_scim_group_mappings_workspace FOREIGN KEY (organization_id, workspace_id)
        REFERENCES workspaces (organization_id, id) ON DELETE CASCADE
    )`,
  'CREATE INDEX ix_scim_group_mappings_page ON scim_group_mappings (organization_id, created_at, id)',
  'CREATE INDEX ix_scim_group_mappings_workspace ON scim_group_mappings (organization_id, workspace_id)',
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
  'CREATE UNIQUE INDEX uq_scim_users_external_id ON scim_users (organization_id, external_id) WHERE external_id IS NOT NULL',
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
      CONSTRAINT ck_scim_sync_jobs_finished CHECK ((status IN ('succeeded', 'failed')) = (finished_at IS NOT NULL)),
      CONSTRAINT ck_scim_sync_jobs_status CHECK (status IN ('queued', 'running', 'succeeded', 'failed')),
      CONSTRAINT fk_scim_sync_jobs_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    )`,
  'CREATE INDEX ix_scim_sync_jobs_finished ON scim_sync_jobs (organization_id, finished_at)',
  'CREATE UNIQUE INDEX uq_scim_sync_jobs_open ON scim_sync_jobs (organization_id) WHERE finished_at IS NULL',
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
      CONSTRAINT ck_provisioning_tokens_previous_hash CHECK ((previous_hash IS NULL) = (previous_hash_expires_at IS NULL)),
      CONSTRAINT fk_provisioning_tokens_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    )`,
  'CREATE UNIQUE INDEX uq_provisioning_tokens_previous_hash ON provisioning_tokens (organization_id, previous_hash) WHERE previous_hash IS NOT NULL',
];
