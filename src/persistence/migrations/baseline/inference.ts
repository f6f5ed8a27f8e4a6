import { runsAsOwner } from './runs-as-owner.js';

/** The periods of totals that are not kept for ever, and for how long they are: a partition goes when all that is in it is older. */
const KEPT = `(VALUES ('minute', interval '8 days'), ('hour', interval '93 days')) AS kept (period, duration)`;

/** The columns with what is counted of requests. */
const MEASURES = `request_count numeric NOT NULL,
      refused_count numeric NOT NULL,
      byok_request_count numeric NOT NULL,
      filtered_request_count numeric NOT NULL,
      prompt_tokens numeric NOT NULL,
      completion_tokens numeric NOT NULL,
      reasoning_tokens numeric NOT NULL,
      cached_tokens numeric NOT NULL,
      usage_usd numeric NOT NULL,
      byok_usage_usd numeric NOT NULL,
      latency_ms numeric NOT NULL,
      timed_request_count numeric NOT NULL,
      generation_ms numeric NOT NULL,
      generated_tokens numeric NOT NULL`;

/** Records of inference, and what limits it. */
export const INFERENCE = [
  // No foreign keys to the key, the user and the workspace: a record outlives them. A unique key has the month in it, so an id is unique
  // because its second is the time of the record.
  `CREATE TABLE generations (
      organization_id text NOT NULL,
      id text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      key_id uuid NOT NULL,
      user_id text NOT NULL,
      workspace_id uuid,
      status integer NOT NULL,
      model text NOT NULL,
      provider text,
      is_byok boolean NOT NULL,
      cost_usd numeric NOT NULL,
      prompt_tokens bigint,
      completion_tokens bigint,
      details jsonb NOT NULL,
      content bytea,
      CONSTRAINT pk_generations PRIMARY KEY (organization_id, id, created_at),
      CONSTRAINT ck_generations_cost CHECK (cost_usd >= 0),
      CONSTRAINT ck_generations_created CHECK (created_at = to_timestamp(split_part(id, '-', 2)::double precision)),
      CONSTRAINT fk_generations_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    ) PARTITION BY RANGE (created_at)`,
  // For those who change the key that contents are encrypted with.
  'CREATE INDEX ix_generations_content ON generations (organization_id, id) WHERE content IS NOT NULL',
  // Texts that may be missing are empty in it, because a primary key has no nulls. Rows of workspaces have no key, the row of the
  // organization has nothing but its name.
  `CREATE TABLE usage_totals (
      organization_id text NOT NULL,
      period text NOT NULL,
      scope text NOT NULL,
      starts_at timestamptz(3) NOT NULL,
      workspace_id text NOT NULL,
      key_id text NOT NULL,
      user_id text NOT NULL,
      model text NOT NULL,
      provider text NOT NULL,
      endpoint text NOT NULL,
      ${MEASURES},
      CONSTRAINT pk_usage_totals PRIMARY KEY (organization_id, period, scope, starts_at, workspace_id, key_id, user_id, model, provider, endpoint),
      CONSTRAINT ck_usage_totals_period CHECK (period IN ('minute', 'hour', 'day', 'lifetime')),
      CONSTRAINT ck_usage_totals_scope CHECK (scope IN ('organization', 'workspace', 'key', 'spender')),
      CONSTRAINT fk_usage_totals_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    ) PARTITION BY RANGE (period, starts_at)`,
  `CREATE INDEX ix_usage_totals_key ON usage_totals (organization_id, period, key_id, starts_at) WHERE scope = 'key'`,
  `CREATE INDEX ix_usage_totals_member ON usage_totals (organization_id, period, user_id, starts_at) WHERE scope = 'key'`,
  // The rows of the present are updated with every batch of records, in their page (HOT updates).
  ...['day', 'lifetime'].map(
    (period) => `CREATE TABLE usage_${period}s PARTITION OF usage_totals
      FOR VALUES FROM ('${period}', MINVALUE) TO ('${period}', MAXVALUE) WITH (fillfactor = 70)`,
  ),
  // Rows live for some seconds: those that are gone have to be vacuumed soon, however many have been there.
  `CREATE TABLE usage_additions (
      organization_id text NOT NULL,
      generation_id text NOT NULL,
      starts_at timestamptz(3) NOT NULL,
      workspace_id text NOT NULL,
      key_id text NOT NULL,
      user_id text NOT NULL,
      model text NOT NULL,
      provider text NOT NULL,
      endpoint text NOT NULL,
      ${MEASURES},
      CONSTRAINT pk_usage_additions PRIMARY KEY (organization_id, generation_id),
      CONSTRAINT fk_usage_additions_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  // Free space in a page keeps the new version of a row in it, without a new index entry (HOT updates): the rows of the present are
  // updated with every charge.
  `CREATE TABLE spend_windows (
      organization_id text NOT NULL,
      subject text NOT NULL,
      subject_id text NOT NULL,
      interval text NOT NULL,
      first_day date NOT NULL,
      amount_usd numeric NOT NULL,
      byok_amount_usd numeric NOT NULL,
      CONSTRAINT pk_spend_windows PRIMARY KEY (organization_id, subject, subject_id, "interval", first_day),
      CONSTRAINT ck_spend_windows_amounts CHECK (amount_usd >= 0 AND byok_amount_usd >= 0),
      CONSTRAINT ck_spend_windows_interval CHECK ("interval" IN ('lifetime', 'monthly', 'weekly', 'daily')),
      CONSTRAINT ck_spend_windows_subject CHECK (subject IN ('member', 'workspace')),
      CONSTRAINT fk_spend_windows_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    ) WITH (fillfactor = 50)`,
  `CREATE TABLE live_processes (
      id uuid NOT NULL,
      alive_until timestamptz(3) NOT NULL,
      CONSTRAINT pk_live_processes PRIMARY KEY (id)
    ) WITH (fillfactor = 50)`,
  // Every row lives as long as a request, and the rows of an organization are read with every admission: those that are gone have to be
  // vacuumed soon, however many have been there.
  `CREATE TABLE spend_reservations (
      organization_id text NOT NULL,
      generation_id text NOT NULL,
      process_id uuid NOT NULL,
      key_id uuid NOT NULL,
      user_id text NOT NULL,
      workspace_id uuid,
      created_at timestamptz(3) NOT NULL,
      amount_usd numeric NOT NULL,
      byok_amount_usd numeric NOT NULL,
      request jsonb NOT NULL,
      CONSTRAINT pk_spend_reservations PRIMARY KEY (organization_id, generation_id),
      CONSTRAINT ck_spend_reservations_amounts CHECK (amount_usd >= 0 AND byok_amount_usd >= 0),
      CONSTRAINT ck_spend_reservations_created CHECK (created_at = to_timestamp(split_part(generation_id, '-', 2)::double precision)),
      CONSTRAINT fk_spend_reservations_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  // The rows of the present are updated with every batch of requests.
  `CREATE UNLOGGED TABLE rate_uses (
      organization_id text NOT NULL,
      subject text NOT NULL,
      subject_id uuid NOT NULL,
      latest_second bigint NOT NULL,
      requests integer[] NOT NULL,
      tokens bigint[] NOT NULL,
      CONSTRAINT pk_rate_uses PRIMARY KEY (organization_id, subject, subject_id),
      CONSTRAINT ck_rate_uses_subject CHECK (subject IN ('workspace', 'key')),
      CONSTRAINT fk_rate_uses_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    ) WITH (fillfactor = 30)`,
  // What it has can be asked for again: a commit waits for no disk, and a crash of PostgreSQL empties it.
  `CREATE UNLOGGED TABLE cached_responses (
      organization_id text NOT NULL,
      workspace_id uuid NOT NULL,
      key bytea NOT NULL,
      sealed bytea NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_cached_responses PRIMARY KEY (organization_id, workspace_id, key),
      CONSTRAINT fk_cached_responses_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
      CONSTRAINT fk_cached_responses_workspace FOREIGN KEY (organization_id, workspace_id)
        REFERENCES workspaces (organization_id, id) ON DELETE CASCADE
    )`,
  'CREATE INDEX ix_cached_responses_expiry ON cached_responses (organization_id, expires_at)',
  // Makes the partitions from the month of yesterday, for clocks that are behind, to that in three months. A table of its own is made
  // first and then attached, which does not keep requests from the others. Returns how many it has made.
  `CREATE FUNCTION make_generation_partitions() RETURNS integer LANGUAGE plpgsql AS $$
    DECLARE
      namespace text := (SELECT relnamespace::regnamespace FROM pg_class WHERE oid = 'generations'::regclass);
      month date;
      partition text;
      made integer := 0;
    BEGIN
      -- One replica at a time; another one has nothing left to do.
      IF NOT pg_try_advisory_xact_lock(hashtextextended('generation_partitions', 0)) THEN RETURN 0; END IF;
      FOR month IN SELECT generate_series(date_trunc('month', now() - interval '1 day'),
        date_trunc('month', now() + interval '3 months'), interval '1 month')
      LOOP
        partition := format('%s.%I', namespace, to_char(month, '"generations_"YYYY_MM'));
        CONTINUE WHEN to_regclass(partition) IS NOT NULL;
        EXECUTE format('CREATE TABLE %s (LIKE generations INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition);
        EXECUTE format('ALTER TABLE generations ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', partition,
          month::timestamptz, (month + interval '1 month')::timestamptz);
        made := made + 1;
      END LOOP;
      RETURN made;
    END $$`,
  // Drops the partitions that have nothing but records older than a number of days. Returns how many it has dropped.
  `CREATE FUNCTION drop_generation_partitions(retention_days integer) RETURNS integer LANGUAGE plpgsql AS $$
    DECLARE
      partition text;
      dropped integer := 0;
    BEGIN
      IF retention_days IS NULL OR retention_days < 1 THEN
        RAISE EXCEPTION 'records are kept for a day at least' USING ERRCODE = 'invalid_parameter_value';
      END IF;
      IF NOT pg_try_advisory_xact_lock(hashtextextended('generation_partitions', 0)) THEN RETURN 0; END IF;
      FOR partition IN
        SELECT class.oid::regclass::text FROM pg_inherits JOIN pg_class class ON class.oid = inhrelid
        WHERE inhparent = 'generations'::regclass
          AND substring(pg_get_expr(class.relpartbound, class.oid) FROM 'TO \\(''([^'']+)''\\)')::timestamptz
            <= now() - make_interval(days => retention_days)
        ORDER BY 1
      LOOP
        EXECUTE format('DROP TABLE %s', partition);
        dropped := dropped + 1;
      END LOOP;
      RETURN dropped;
    END $$`,
  // Makes the partitions of the months that are kept, and of the next three. Returns how many it has made.
  `CREATE FUNCTION make_usage_partitions() RETURNS integer LANGUAGE plpgsql AS $$
    DECLARE
      namespace text := (SELECT relnamespace::regnamespace FROM pg_class WHERE oid = 'usage_totals'::regclass);
      length text;
      month date;
      partition text;
      made integer := 0;
    BEGIN
      -- One replica at a time; another one has nothing left to do.
      IF NOT pg_try_advisory_xact_lock(hashtextextended('usage_partitions', 0)) THEN RETURN 0; END IF;
      FOR length, month IN
        SELECT kept.period, generate_series(date_trunc('month', now() - kept.duration),
          date_trunc('month', now() + interval '3 months'), interval '1 month') FROM ${KEPT}
      LOOP
        partition := format('%s.%I', namespace, format('usage_%ss_%s', length, to_char(month, 'YYYY_MM')));
        CONTINUE WHEN to_regclass(partition) IS NOT NULL;
        EXECUTE format('CREATE TABLE %s (LIKE usage_totals INCLUDING DEFAULTS INCLUDING CONSTRAINTS) WITH (fillfactor = 70)', partition);
        EXECUTE format('ALTER TABLE usage_totals ATTACH PARTITION %s FOR VALUES FROM (%L, %L) TO (%L, %L)', partition,
          length, month::timestamptz, length, (month + interval '1 month')::timestamptz);
        made := made + 1;
      END LOOP;
      RETURN made;
    END $$`,
  // Drops the partitions with nothing but what is not kept any longer. Returns how many it has dropped.
  `CREATE FUNCTION drop_usage_partitions() RETURNS integer LANGUAGE plpgsql AS $$
    DECLARE
      partition text;
      dropped integer := 0;
    BEGIN
      IF NOT pg_try_advisory_xact_lock(hashtextextended('usage_partitions', 0)) THEN RETURN 0; END IF;
      FOR partition IN
        SELECT class.oid::regclass::text FROM pg_inherits JOIN pg_class class ON class.oid = inhrelid
        JOIN ${KEPT} ON substring(pg_get_expr(class.relpartbound, class.oid)
          FROM 'TO \\(''' || kept.period || ''', ''([^'']+)''\\)')::timestamptz <= now() - kept.duration
        WHERE inhparent = 'usage_totals'::regclass ORDER BY 1
      LOOP
        EXECUTE format('DROP TABLE %s', partition);
        dropped := dropped + 1;
      END LOOP;
      RETURN dropped;
    END $$`,
  // Requests wait behind a lock that is waited for, so that is not for long.
  ...runsAsOwner(
    [
      'make_generation_partitions()',
      'drop_generation_partitions(integer)',
      'make_usage_partitions()',
      'drop_usage_partitions()',
    ],
    ` SET timezone = 'UTC' SET lock_timeout = '300ms'`,
  ),
  'SELECT make_generation_partitions()',
  'SELECT make_usage_partitions()',
];
