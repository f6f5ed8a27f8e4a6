import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the running totals that usage is read from (docs/interface/usage.md#totals). */
export class UsageTotals1795842000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION drop_usage_partitions()');
    await runner.query('DROP FUNCTION make_usage_partitions()');
    await runner.query('DROP TABLE usage_totals');
  }
}

/** What is counted. */
const MEASURES = [
  'request_count',
  'refused_count',
  'byok_request_count',
  'filtered_request_count',
  'prompt_tokens',
  'completion_tokens',
  'reasoning_tokens',
  'cached_tokens',
  'usage_usd',
  'byok_usage_usd',
  'latency_ms',
  'timed_request_count',
  'generation_ms',
  'generated_tokens',
];

/** The periods that are not kept for ever, and for how long they are: a partition goes when all that is in it is older. */
const KEPT = `(VALUES ('minute', interval '8 days'), ('hour', interval '93 days')) AS kept (period, duration)`;

/** Makes the partitions of the months that are kept, and of the next three. Returns how many it has made. */
const MAKE_PARTITIONS = `
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
    END `;

/** Drops the partitions with nothing but what is not kept any longer. Returns how many it has dropped. */
const DROP_PARTITIONS = `
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
    END `;

const STATEMENTS = [
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
      ${MEASURES.map((name) => `${name} numeric NOT NULL`).join(',\n      ')},
      CONSTRAINT pk_usage_totals
        PRIMARY KEY (organization_id, period, scope, starts_at, workspace_id, key_id, user_id, model, provider, endpoint),
      CONSTRAINT ck_usage_totals_period CHECK (period IN ('minute', 'hour', 'day', 'lifetime')),
      CONSTRAINT ck_usage_totals_scope CHECK (scope IN ('organization', 'workspace', 'key')),
      CONSTRAINT fk_usage_totals_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    ) PARTITION BY RANGE (period, starts_at)`,
  `CREATE INDEX ix_usage_totals_key ON usage_totals (organization_id, period, key_id, starts_at) WHERE scope = 'key'`,
  `CREATE INDEX ix_usage_totals_member ON usage_totals (organization_id, period, user_id, starts_at) WHERE scope = 'key'`,
  // Free space in a page keeps the new version of a row in it, without new index entries (HOT updates): the rows of the present are
  // updated with every batch of records.
  ...['day', 'lifetime'].map(
    (period) => `CREATE TABLE usage_${period}s PARTITION OF usage_totals
      FOR VALUES FROM ('${period}', MINVALUE) TO ('${period}', MAXVALUE) WITH (fillfactor = 70)`,
  ),
  `CREATE FUNCTION make_usage_partitions() RETURNS integer LANGUAGE plpgsql AS $$${MAKE_PARTITIONS}$$`,
  `CREATE FUNCTION drop_usage_partitions() RETURNS integer LANGUAGE plpgsql AS $$${DROP_PARTITIONS}$$`,
  // As those of generations: they run as the owner, and wait for locks for a short time.
  `DO $$ BEGIN
      EXECUTE format('ALTER FUNCTION make_usage_partitions() SECURITY DEFINER SET search_path = pg_catalog, %1$I, pg_temp
        SET timezone = ''UTC'' SET lock_timeout = ''300ms''', current_schema());
      EXECUTE format('ALTER FUNCTION drop_usage_partitions() SECURITY DEFINER SET search_path = pg_catalog, %1$I, pg_temp
        SET timezone = ''UTC'' SET lock_timeout = ''300ms''', current_schema());
    END $$`,
  'REVOKE EXECUTE ON FUNCTION make_usage_partitions() FROM PUBLIC',
  'REVOKE EXECUTE ON FUNCTION drop_usage_partitions() FROM PUBLIC',
  'SELECT make_usage_partitions()',
  // What is recorded already. Minutes and hours before the first partition are not kept.
  `INSERT INTO usage_totals (organization_id, period, scope, starts_at, workspace_id, key_id, user_id, model, provider, endpoint,
      ${MEASURES.join(', ')})
    SELECT used.organization_id, added.period, added.scope, added.starts_at, added.workspace_id, added.key_id, added.user_id,
      added.model, added.provider, added.endpoint, ${MEASURES.map((name) => `sum(used.${name})`).join(', ')}
    FROM (
      SELECT organization_id, created_at, coalesce(workspace_id::text, '') AS workspace_id, key_id::text, user_id,
        CASE WHEN provider IS NULL THEN '' ELSE model END AS model, coalesce(provider, '') AS provider,
        coalesce(details -> 'attempts' -> -1 ->> 'endpoint', '') AS endpoint,
        (status = 200)::int AS request_count,
        (status <> 200)::int AS refused_count,
        (status = 200 AND is_byok)::int AS byok_request_count,
        coalesce(jsonb_array_length(details -> 'filters') > 0, false)::int AS filtered_request_count,
        coalesce(prompt_tokens, 0) AS prompt_tokens,
        coalesce(completion_tokens, 0) AS completion_tokens,
        coalesce((details ->> 'reasoningTokens')::numeric, 0) AS reasoning_tokens,
        coalesce((details ->> 'cachedTokens')::numeric, 0) AS cached_tokens,
        CASE WHEN is_byok THEN 0 ELSE cost_usd END AS usage_usd,
        CASE WHEN is_byok THEN cost_usd ELSE 0 END AS byok_usage_usd,
        CASE WHEN status = 200 THEN coalesce((details ->> 'latencyMs')::numeric, 0) ELSE 0 END AS latency_ms,
        (status = 200 AND details ? 'latencyMs')::int AS timed_request_count,
        CASE WHEN completion_tokens > 0 THEN coalesce((details ->> 'generationMs')::numeric, 0) ELSE 0 END AS generation_ms,
        CASE WHEN details ? 'generationMs' THEN coalesce(completion_tokens, 0) ELSE 0 END AS generated_tokens
      FROM generations
    ) AS used
    CROSS JOIN LATERAL (VALUES
      ('minute', 'key', date_trunc('minute', used.created_at, 'UTC'), used.workspace_id, used.key_id, used.user_id,
        used.model, used.provider, used.endpoint),
      ('hour', 'key', date_trunc('hour', used.created_at, 'UTC'), used.workspace_id, used.key_id, used.user_id,
        used.model, used.provider, used.endpoint),
      ('hour', 'workspace', date_trunc('hour', used.created_at, 'UTC'), used.workspace_id, '', '',
        used.model, used.provider, used.endpoint),
      ('day', 'key', date_trunc('day', used.created_at, 'UTC'), used.workspace_id, used.key_id, used.user_id,
        used.model, used.provider, used.endpoint),
      ('day', 'workspace', date_trunc('day', used.created_at, 'UTC'), used.workspace_id, '', '',
        used.model, used.provider, used.endpoint),
      ('lifetime', 'organization', timestamptz '1970-01-01T00:00:00Z', '', '', '', '', '', '')
    ) AS added (period, scope, starts_at, workspace_id, key_id, user_id, model, provider, endpoint)
    WHERE added.period IN ('day', 'lifetime')
      OR added.period = 'hour' AND added.starts_at >= date_trunc('month', now() - interval '93 days', 'UTC')
      OR added.period = 'minute' AND added.starts_at >= date_trunc('month', now() - interval '8 days', 'UTC')
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10`,
];
