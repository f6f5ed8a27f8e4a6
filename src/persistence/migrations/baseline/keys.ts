/** Keys of the service, what they have spent, and applications that people allow a key. */
export const KEYS = [
  `CREATE TABLE connect_clients (
      id uuid NOT NULL,
      organization_id text NOT NULL,
      name text NOT NULL,
      callback_urls text[] NOT NULL,
      secret_hash bytea NOT NULL,
      created_at timestamptz(3) NOT NULL,
      previous_secret_hash bytea,
      previous_secret_expires_at timestamptz(3),
      normalized_callback_urls text[],
      CONSTRAINT pk_connect_clients PRIMARY KEY (organization_id, id),
      CONSTRAINT uq_connect_clients_secret_hash UNIQUE (secret_hash, organization_id),
      CONSTRAINT ck_connect_clients_previous_secret CHECK ((previous_secret_hash IS NULL) = (previous_secret_expires_at IS NULL)),
      CONSTRAINT fk_connect_clients_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    )`,
  'CREATE INDEX ix_connect_clients_page ON connect_clients (organization_id, created_at, id)',
  `CREATE UNIQUE INDEX uq_connect_clients_previous_secret_hash ON connect_clients (previous_secret_hash, organization_id)
      WHERE previous_secret_hash IS NOT NULL`,
  // A sequence, which only the coordinator of a distributed database counts, and not an identity, of which each node would have one.
  'CREATE SEQUENCE oauth_applications_id_seq',
  `CREATE TABLE oauth_applications (
      id bigint NOT NULL DEFAULT nextval('oauth_applications_id_seq'),
      organization_id text NOT NULL,
      origin text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      number bigint NOT NULL,
      CONSTRAINT pk_oauth_applications PRIMARY KEY (organization_id, id),
      CONSTRAINT uq_oauth_applications_organization_number UNIQUE (organization_id, number),
      CONSTRAINT uq_oauth_applications_organization_origin UNIQUE (organization_id, origin),
      CONSTRAINT fk_oauth_applications_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    )`,
  'ALTER SEQUENCE oauth_applications_id_seq OWNED BY oauth_applications.id',
  // The primary key is one more index that PostgreSQL could take for the application of an origin, so that all that is asked of an
  // application is in this one.
  'CREATE INDEX ix_oauth_applications_origin ON oauth_applications (organization_id, origin, id, number)',
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
      include_byok_in_limit boolean NOT NULL DEFAULT false,
      previous_hash bytea,
      previous_hash_expires_at timestamptz(3),
      external_user text,
      external_api_key_hash bytea,
      requests_per_minute integer,
      tokens_per_minute integer,
      suspension_causes text[] NOT NULL DEFAULT '{}',
      scopes text[],
      follows_owner_role boolean NOT NULL DEFAULT true,
      allowed_addresses text[],
      CONSTRAINT pk_api_keys PRIMARY KEY (organization_id, id),
      CONSTRAINT uq_api_keys_hash UNIQUE (hash, organization_id),
      CONSTRAINT ck_api_keys_external_api_key CHECK (external_api_key_hash IS NULL OR external_user IS NOT NULL AND kind = 'api_key'),
      CONSTRAINT ck_api_keys_kind CHECK (kind IN ('management_key', 'api_key')),
      CONSTRAINT ck_api_keys_limit_reset CHECK (limit_reset IN ('daily', 'weekly', 'monthly')),
      CONSTRAINT ck_api_keys_previous_hash CHECK ((previous_hash IS NULL) = (previous_hash_expires_at IS NULL)),
      CONSTRAINT ck_api_keys_rate_limits CHECK (requests_per_minute > 0 AND tokens_per_minute > 0),
      CONSTRAINT ck_api_keys_scopes CHECK (scopes IS NULL OR kind = 'management_key'),
      CONSTRAINT fk_api_keys_connect_client FOREIGN KEY (organization_id, connect_client_id)
        REFERENCES connect_clients (organization_id, id) ON DELETE CASCADE,
      CONSTRAINT fk_api_keys_member FOREIGN KEY (organization_id, user_id)
        REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE,
      CONSTRAINT fk_api_keys_workspace FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces (organization_id, id)
    )`,
  'CREATE INDEX ix_api_keys_connect_client ON api_keys (organization_id, connect_client_id)',
  `CREATE INDEX ix_api_keys_management ON api_keys (organization_id, created_at, id) WHERE kind = 'management_key'`,
  'CREATE INDEX ix_api_keys_member ON api_keys (organization_id, user_id)',
  'CREATE INDEX ix_api_keys_page ON api_keys (organization_id, created_at, id)',
  'CREATE INDEX ix_api_keys_workspace ON api_keys (organization_id, workspace_id, created_at, id)',
  // A partial index, because most keys have no value.
  'CREATE UNIQUE INDEX uq_api_keys_external_api_key_hash ON api_keys (external_api_key_hash) WHERE external_api_key_hash IS NOT NULL',
  // A partial index, because only keys in a grace period have a value.
  'CREATE UNIQUE INDEX uq_api_keys_previous_hash ON api_keys (previous_hash, organization_id) WHERE previous_hash IS NOT NULL',
  `CREATE TABLE authorization_codes (
      id uuid NOT NULL,
      code_hash bytea NOT NULL,
      organization_id text NOT NULL,
      user_id text NOT NULL,
      application_id bigint NOT NULL,
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
      CONSTRAINT pk_authorization_codes PRIMARY KEY (organization_id, id),
      CONSTRAINT uq_authorization_codes_code_hash UNIQUE (code_hash, organization_id),
      CONSTRAINT ck_authorization_codes_challenge CHECK ((code_challenge IS NULL) = (code_challenge_method IS NULL)),
      CONSTRAINT ck_authorization_codes_method CHECK (code_challenge_method IN ('S256', 'plain')),
      CONSTRAINT fk_authorization_codes_application FOREIGN KEY (organization_id, application_id)
        REFERENCES oauth_applications (organization_id, id) ON DELETE CASCADE,
      CONSTRAINT fk_authorization_codes_connect_client FOREIGN KEY (organization_id, connect_client_id)
        REFERENCES connect_clients (organization_id, id) ON DELETE CASCADE,
      CONSTRAINT fk_authorization_codes_member FOREIGN KEY (organization_id, user_id)
        REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE,
      CONSTRAINT fk_authorization_codes_workspace FOREIGN KEY (organization_id, workspace_id)
        REFERENCES workspaces (organization_id, id) ON DELETE CASCADE
    )`,
  'CREATE INDEX ix_authorization_codes_connect_client ON authorization_codes (organization_id, connect_client_id) WHERE connect_client_id IS NOT NULL',
  'CREATE INDEX ix_authorization_codes_expiry ON authorization_codes (organization_id, expires_at)',
  'CREATE INDEX ix_authorization_codes_issued_key ON authorization_codes (organization_id, issued_key_id)',
  'CREATE INDEX ix_authorization_codes_member ON authorization_codes (organization_id, user_id)',
  // Codes are deleted with their workspace; without this index that would scan all of them.
  'CREATE INDEX ix_authorization_codes_workspace ON authorization_codes (organization_id, workspace_id)',
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
  // A transaction that has waited for the organization's row sees the number that the other one has assigned, because each statement of a
  // function takes a new snapshot.
  `CREATE FUNCTION number_oauth_application() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM 1 FROM organizations WHERE id = NEW.organization_id FOR NO KEY UPDATE;
      SELECT coalesce(max(number), 0) + 1 INTO NEW.number FROM oauth_applications
        WHERE organization_id = NEW.organization_id;
      RETURN NEW;
    END $$`,
  'CREATE TRIGGER number_application BEFORE INSERT ON oauth_applications FOR EACH ROW EXECUTE FUNCTION number_oauth_application()',
  // A trigger, not a foreign key: none with the organization in it can be set to null in a distributed database.
  `CREATE FUNCTION forget_issued_keys() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      organization text;
      keys uuid[];
    BEGIN
      FOR organization IN SELECT DISTINCT organization_id FROM deleted ORDER BY organization_id LOOP
        keys := ARRAY(SELECT id FROM deleted WHERE organization_id = organization);
        UPDATE authorization_codes SET issued_key_id = NULL
          WHERE organization_id = organization AND issued_key_id = ANY (keys);
      END LOOP;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER forget_issued_keys AFTER DELETE ON api_keys REFERENCING OLD TABLE AS deleted
      FOR EACH STATEMENT EXECUTE FUNCTION forget_issued_keys()`,
];
