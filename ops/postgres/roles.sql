-- The roles of Gatehouse (docs/operations.md, Roles of the database): run by a superuser in Gatehouse's database, as often as
-- one likes. What an older deployment has made as another role goes to the owner. With psql:
--   OWNER_PASSWORD=... SERVICE_PASSWORD=... psql --set=ON_ERROR_STOP=1 --file=roles.sql
\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD

BEGIN;

SELECT
  set_config('gatehouse.owner_password', :'owner_password', true) <> ''
    AND set_config('gatehouse.service_password', :'service_password', true) <> '' AS "passwords are given";

DO $$
DECLARE
  role text;
  statement text;
BEGIN
  FOREACH role IN ARRAY ARRAY['gatehouse_owner', 'gatehouse_service'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
      EXECUTE format('CREATE ROLE %I', role);
    END IF;
  END LOOP;
  EXECUTE format('ALTER ROLE gatehouse_owner LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD %L',
    current_setting('gatehouse.owner_password'));
  EXECUTE format('ALTER ROLE gatehouse_service LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD %L',
    current_setting('gatehouse.service_password'));
  EXECUTE format('ALTER DATABASE %I OWNER TO gatehouse_owner', current_database());
  FOR statement IN
    SELECT 'ALTER SCHEMA public OWNER TO gatehouse_owner'
    UNION ALL
    -- The sequence of a column goes with its table.
    SELECT format('ALTER TABLE %s OWNER TO gatehouse_owner', oid::regclass) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
    UNION ALL
    SELECT format('ALTER ROUTINE %s OWNER TO gatehouse_owner', oid::regprocedure) FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace
    UNION ALL
    SELECT format('ALTER STATISTICS %I.%I OWNER TO gatehouse_owner', 'public', stxname) FROM pg_statistic_ext
    WHERE stxnamespace = 'public'::regnamespace
  LOOP
    EXECUTE statement;
  END LOOP;
END $$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;

COMMIT;
