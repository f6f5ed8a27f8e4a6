/** Destinations of records, and alerts. */
export const OBSERVABILITY = [
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
      regions text[] NOT NULL DEFAULT '{global}',
      CONSTRAINT pk_observability_destinations PRIMARY KEY (organization_id, id),
      CONSTRAINT ck_observability_destinations_regions CHECK (cardinality(regions) > 0 AND regions <@ ARRAY['global', 'europe', 'us']),
      CONSTRAINT ck_observability_destinations_sampling_rate CHECK (sampling_rate BETWEEN 0 AND 1),
      CONSTRAINT fk_observability_destinations_workspace FOREIGN KEY (organization_id, workspace_id)
        REFERENCES workspaces (organization_id, id) ON DELETE CASCADE
    )`,
  'CREATE INDEX ix_observability_destinations_page ON observability_destinations (organization_id, workspace_id, created_at, id)',
  // Rows live for seconds: what has gone is to be vacuumed before it makes the table large.
  `CREATE TABLE broadcast_events (
      organization_id text NOT NULL,
      generation_id text NOT NULL,
      key_id uuid NOT NULL,
      enqueued_at timestamptz(3) NOT NULL,
      bytes integer NOT NULL,
      payload bytea NOT NULL,
      content bytea,
      CONSTRAINT pk_broadcast_events PRIMARY KEY (organization_id, generation_id),
      CONSTRAINT fk_broadcast_events_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`,
  // Encrypted bytes do not get smaller.
  'ALTER TABLE broadcast_events ALTER COLUMN payload SET STORAGE EXTERNAL, ALTER COLUMN content SET STORAGE EXTERNAL',
  'CREATE INDEX ix_broadcast_events_enqueued ON broadcast_events (enqueued_at)',
  `CREATE TABLE broadcast_deliveries (
      organization_id text NOT NULL,
      generation_id text NOT NULL,
      destination_id uuid NOT NULL,
      enqueued_at timestamptz(3) NOT NULL,
      gets_content boolean NOT NULL,
      tries smallint NOT NULL DEFAULT '0'::smallint,
      CONSTRAINT pk_broadcast_deliveries PRIMARY KEY (organization_id, generation_id, destination_id),
      CONSTRAINT fk_broadcast_deliveries_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`,
  'CREATE INDEX ix_broadcast_deliveries_queue ON broadcast_deliveries (organization_id, destination_id, enqueued_at, generation_id)',
  // Without a foreign key to the destination: the queue of a deleted one is emptied in the background.
  `CREATE TABLE broadcast_queues (
      organization_id text NOT NULL,
      destination_id uuid NOT NULL,
      state text NOT NULL DEFAULT 'active',
      next_at timestamptz(3) NOT NULL,
      lease_id uuid,
      lease_until timestamptz(3),
      failures integer NOT NULL DEFAULT 0,
      encoding text,
      drop_before timestamptz(3),
      last_status integer,
      last_error text,
      last_error_at timestamptz(3),
      last_success_at timestamptz(3),
      delivered bigint NOT NULL DEFAULT '0'::bigint,
      dropped bigint NOT NULL DEFAULT '0'::bigint,
      CONSTRAINT pk_broadcast_queues PRIMARY KEY (organization_id, destination_id),
      CONSTRAINT ck_broadcast_queues_encoding CHECK (encoding IN ('json', 'protobuf')),
      CONSTRAINT ck_broadcast_queues_state CHECK (state IN ('active', 'retrying', 'paused', 'gone')),
      CONSTRAINT fk_broadcast_queues_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    ) WITH (fillfactor = 70)`,
  `CREATE TABLE alerts (
      organization_id text NOT NULL,
      id uuid NOT NULL,
      name text NOT NULL,
      kind text NOT NULL,
      workspace_id uuid,
      guardrail_id uuid,
      key_id uuid,
      thresholds double precision[],
      days_before integer[],
      enabled boolean NOT NULL,
      destination_id uuid,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_alerts PRIMARY KEY (organization_id, id),
      CONSTRAINT ck_alerts_days_before CHECK ((kind = 'key_expiry') = (days_before IS NOT NULL)),
      CONSTRAINT ck_alerts_kind CHECK (kind IN ('budget', 'key_expiry', 'destination_paused', 'members_deactivated')),
      CONSTRAINT ck_alerts_scope CHECK (num_nonnulls(workspace_id, guardrail_id, key_id) <= 1),
      CONSTRAINT ck_alerts_thresholds CHECK ((kind = 'budget') = (thresholds IS NOT NULL)),
      CONSTRAINT fk_alerts_guardrail FOREIGN KEY (organization_id, guardrail_id) REFERENCES guardrails (organization_id, id) ON DELETE CASCADE,
      CONSTRAINT fk_alerts_key FOREIGN KEY (organization_id, key_id) REFERENCES api_keys (organization_id, id) ON DELETE CASCADE,
      CONSTRAINT fk_alerts_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
      CONSTRAINT fk_alerts_workspace FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces (organization_id, id) ON DELETE CASCADE
    )`,
  'CREATE INDEX ix_alerts_destination ON alerts (organization_id, destination_id)',
  'CREATE INDEX ix_alerts_guardrail ON alerts (organization_id, guardrail_id)',
  'CREATE INDEX ix_alerts_key ON alerts (organization_id, key_id)',
  'CREATE INDEX ix_alerts_page ON alerts (organization_id, created_at, id)',
  'CREATE INDEX ix_alerts_workspace ON alerts (organization_id, workspace_id)',
  `CREATE TABLE alert_recipients (
      organization_id text NOT NULL,
      alert_id uuid NOT NULL,
      email text NOT NULL,
      token_hash bytea,
      token_expires_at timestamptz(3),
      confirmed_at timestamptz(3),
      confirmation_due_at timestamptz(3),
      tries integer NOT NULL DEFAULT 0,
      CONSTRAINT pk_alert_recipients PRIMARY KEY (organization_id, alert_id, email),
      CONSTRAINT fk_alert_recipients_alert FOREIGN KEY (organization_id, alert_id) REFERENCES alerts (organization_id, id) ON DELETE CASCADE
    )`,
  'CREATE INDEX ix_alert_recipients_due ON alert_recipients (organization_id, confirmation_due_at) WHERE confirmation_due_at IS NOT NULL',
  'CREATE INDEX ix_alert_recipients_token ON alert_recipients (organization_id, token_hash)',
  `CREATE TABLE alert_confirmation_mails (
      organization_id text NOT NULL,
      id uuid NOT NULL,
      email text NOT NULL,
      requested_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_alert_confirmation_mails PRIMARY KEY (organization_id, id),
      CONSTRAINT fk_alert_confirmation_mails_org FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    )`,
  'CREATE INDEX ix_alert_confirmation_mails_requested ON alert_confirmation_mails (organization_id, requested_at)',
  `CREATE TABLE alert_notifications (
      organization_id text NOT NULL,
      alert_id uuid NOT NULL,
      subject text NOT NULL,
      window_start timestamptz(3) NOT NULL,
      threshold double precision NOT NULL,
      data jsonb,
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_alert_notifications PRIMARY KEY (organization_id, alert_id, subject, window_start, threshold),
      CONSTRAINT fk_alert_notifications_alert FOREIGN KEY (organization_id, alert_id) REFERENCES alerts (organization_id, id) ON DELETE CASCADE
    )`,
  `CREATE TABLE alert_deliveries (
      organization_id text NOT NULL,
      alert_id uuid NOT NULL,
      subject text NOT NULL,
      window_start timestamptz(3) NOT NULL,
      threshold double precision NOT NULL,
      receiver text NOT NULL,
      state text NOT NULL DEFAULT 'pending',
      tries integer NOT NULL DEFAULT 0,
      next_at timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_alert_deliveries PRIMARY KEY (organization_id, alert_id, subject, window_start, threshold, receiver),
      CONSTRAINT ck_alert_deliveries_next CHECK ((state = 'pending') = (next_at IS NOT NULL)),
      CONSTRAINT ck_alert_deliveries_state CHECK (state IN ('pending', 'sent', 'failed')),
      CONSTRAINT fk_alert_deliveries_notification FOREIGN KEY (organization_id, alert_id, subject, window_start, threshold)
        REFERENCES alert_notifications (organization_id, alert_id, subject, window_start, threshold) ON DELETE CASCADE
    )`,
  'CREATE INDEX ix_alert_deliveries_due ON alert_deliveries (organization_id, next_at) WHERE next_at IS NOT NULL',
  `CREATE FUNCTION forget_alert_destinations() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      organization text;
      destinations uuid[];
    BEGIN
      FOR organization IN SELECT DISTINCT organization_id FROM deleted ORDER BY organization_id LOOP
        destinations := ARRAY(SELECT id FROM deleted WHERE organization_id = organization);
        UPDATE alerts SET destination_id = NULL
          WHERE organization_id = organization AND destination_id = ANY (destinations);
      END LOOP;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER forget_alert_destinations AFTER DELETE ON observability_destinations REFERENCING OLD TABLE AS deleted
      FOR EACH STATEMENT EXECUTE FUNCTION forget_alert_destinations()`,
];
