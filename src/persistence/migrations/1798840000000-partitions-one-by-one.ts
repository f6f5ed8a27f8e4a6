import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds a function that makes one partition, so that no other one has to be made with it (docs/operations.md#partitions). */
export class PartitionsOneByOne1798840000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE FUNCTION make_month_partition(kind text, month date) RETURNS boolean LANGUAGE plpgsql AS $$${MAKE_PARTITION}$$`,
    );
    // As the functions that make several: it runs as the owner of the tables, which the service is not.
    await runner.query(`DO $$ BEGIN
      EXECUTE format('ALTER FUNCTION make_month_partition(text, date) SECURITY DEFINER SET search_path = pg_catalog, %1$I, pg_temp
        SET timezone = ''UTC''', current_schema());
    END $$`);
    // The role of the service is granted it at every start.
    await runner.query('REVOKE EXECUTE ON FUNCTION make_month_partition(text, date) FROM PUBLIC');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION make_month_partition(text, date)');
  }
}

/**
 * Makes the partition of a kind for the month of a day, if there is none, and returns whether it has. A table of its own is made first
 * and then attached, which does not keep requests from the others.
 */
const MAKE_PARTITION = `
    DECLARE
      parent text := CASE kind WHEN 'generations' THEN 'generations' WHEN 'usage_minutes' THEN 'usage_totals'
        WHEN 'usage_hours' THEN 'usage_totals' END;
      period text := CASE kind WHEN 'usage_minutes' THEN 'minute' WHEN 'usage_hours' THEN 'hour' END;
      starts_at timestamptz := date_trunc('month', month::timestamp)::timestamptz;
      ends_at timestamptz := (date_trunc('month', month::timestamp) + interval '1 month')::timestamptz;
      partition text;
    BEGIN
      IF parent IS NULL OR month IS NULL OR NOT isfinite(month) THEN
        RAISE EXCEPTION 'there are no partitions of this kind, or for this month' USING ERRCODE = 'invalid_parameter_value';
      END IF;
      -- One replica at a time, also of a release that makes all of them with one statement, however long that takes.
      PERFORM pg_advisory_xact_lock(hashtextextended(
        CASE parent WHEN 'generations' THEN 'generation_partitions' ELSE 'usage_partitions' END, 0));
      partition := format('%s.%I', (SELECT relnamespace::regnamespace FROM pg_class WHERE oid = parent::regclass),
        kind || to_char(starts_at, '"_"YYYY_MM'));
      IF to_regclass(partition) IS NOT NULL THEN RETURN false; END IF;
      -- Requests wait behind a lock on the tables that is waited for, so that is not for long.
      PERFORM set_config('lock_timeout', '300ms', true);
      EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS)%s', partition, parent,
        CASE parent WHEN 'usage_totals' THEN ' WITH (fillfactor = 70)' ELSE '' END);
      IF period IS NULL THEN
        EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', parent, partition, starts_at, ends_at);
      ELSE
        EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L, %L) TO (%L, %L)', parent, partition,
          period, starts_at, period, ends_at);
      END IF;
      RETURN true;
    END `;
