import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the records of inference requests, a partition for each month (docs/interface/generations.md#retention). */
export class Generations1795660800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // No foreign keys to the key, the user and the workspace: a record outlives them. A unique key has the month in it, so an id
    // is unique because its second is the time of the record.
    await runner.query(`CREATE TABLE generations (
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
      CONSTRAINT fk_generations_organization FOREIGN KEY (organization_id)
        REFERENCES organizations (id) ON DELETE CASCADE
    ) PARTITION BY RANGE (created_at)`);
    // For those who change the key that contents are encrypted with.
    await runner.query(
      'CREATE INDEX ix_generations_content ON generations (organization_id, id) WHERE content IS NOT NULL',
    );
    await runner.query(
      `CREATE FUNCTION make_generation_partitions() RETURNS integer LANGUAGE plpgsql AS $$${MAKE_PARTITIONS}$$`,
    );
    await runner.query(
      `CREATE FUNCTION drop_generation_partitions(retention_days integer) RETURNS integer LANGUAGE plpgsql AS $$${DROP_PARTITIONS}$$`,
    );
    // Both run as the owner of the table, which the service is not. Temporary tables of the caller come last in the search path,
    // so that none of them shadows a table. Requests wait behind a lock that is waited for, so that is not for long.
    await runner.query(`DO $$ BEGIN
      EXECUTE format('ALTER FUNCTION make_generation_partitions() SECURITY DEFINER SET search_path = pg_catalog, %1$I, pg_temp
        SET timezone = ''UTC'' SET lock_timeout = ''300ms''', current_schema());
      EXECUTE format('ALTER FUNCTION drop_generation_partitions(integer) SECURITY DEFINER SET search_path = pg_catalog, %1$I, pg_temp
        SET timezone = ''UTC'' SET lock_timeout = ''300ms''', current_schema());
    END $$`);
    // The role of the service is granted them at every start.
    await runner.query('REVOKE EXECUTE ON FUNCTION make_generation_partitions() FROM PUBLIC');
    await runner.query('REVOKE EXECUTE ON FUNCTION drop_generation_partitions(integer) FROM PUBLIC');
    await runner.query('SELECT make_generation_partitions()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION drop_generation_partitions(integer)');
    await runner.query('DROP FUNCTION make_generation_partitions()');
    await runner.query('DROP TABLE generations');
  }
}

/**
 * Makes the partitions from the month of yesterday, for clocks that are behind, to that in three months. A table of its own is
 * made first and then attached, which does not keep requests from the others. Returns how many it has made.
 */
const MAKE_PARTITIONS = `
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
    END `;

/** Drops the partitions that have nothing but records older than a number of days. Returns how many it has dropped. */
const DROP_PARTITIONS = `
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
    END `;
