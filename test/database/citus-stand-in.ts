import type pg from 'pg';

/** The functions of the extension citus that a distribution calls: in place of their work they write down their arguments. */
export async function installCitusStandIn(client: pg.Client): Promise<void> {
  await client.query(`
    CREATE SCHEMA citus_stand_in;
    CREATE TABLE citus_stand_in.calls (position serial, call text);
    CREATE FUNCTION citus_stand_in.citus_version() RETURNS text LANGUAGE sql AS $$ SELECT 'Citus 13.2.2 (stand-in)' $$;
    CREATE FUNCTION citus_stand_in.create_reference_table(table_name regclass) RETURNS void LANGUAGE sql AS $$
      INSERT INTO citus_stand_in.calls (call) VALUES (format('reference %s', table_name)) $$;
    CREATE FUNCTION citus_stand_in.create_distributed_table(table_name regclass, distribution_column text,
        distribution_type text DEFAULT 'hash', colocate_with text DEFAULT 'default', shard_count int DEFAULT NULL)
      RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        -- As the extension does.
        IF EXISTS (SELECT FROM pg_trigger WHERE tgrelid = table_name AND NOT tgisinternal)
            AND current_setting('citus.enable_unsafe_triggers', true) IS DISTINCT FROM 'on' THEN
          RAISE EXCEPTION 'cannot distribute relation "%" because it has triggers', table_name;
        END IF;
        IF EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND table_name IN (conrelid, confrelid)) THEN
          RAISE EXCEPTION 'cannot create foreign key constraint since relations are not colocated';
        END IF;
        IF EXISTS (SELECT FROM pg_index i WHERE indrelid = table_name AND indisunique AND NOT EXISTS (
            SELECT FROM pg_attribute WHERE attrelid = table_name AND attname = distribution_column AND attnum = ANY (i.indkey))) THEN
          RAISE EXCEPTION 'Distributed relations cannot have UNIQUE, EXCLUDE, or PRIMARY KEY constraints that do not include the partition column';
        END IF;
        INSERT INTO citus_stand_in.calls (call)
        VALUES (format('distributed %s by %s beside %s', table_name, distribution_column, colocate_with));
      END $$;
    CREATE FUNCTION citus_stand_in.truncate_local_data_after_distributing_table(table_name regclass) RETURNS void LANGUAGE sql AS $$
      INSERT INTO citus_stand_in.calls (call) VALUES (format('truncated %s', table_name)) $$;
    DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, citus_stand_in', current_database()); END $$;
  `);
}

/** What the stand-in was called with, in the order of the calls. */
export async function callsOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ call: string }>('SELECT call FROM citus_stand_in.calls ORDER BY position');
  return rows.map(({ call }) => call);
}
