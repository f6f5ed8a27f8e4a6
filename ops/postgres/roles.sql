-- The roles of Gatehouse (docs/operations.md, Roles of the database): run in Gatehouse's database, as often as one likes, by a
-- superuser, or by its owner with CREATEROLE, as the administrators of managed PostgreSQL are. What an older deployment has made as another role goes to the owner. With psql:
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
  -- Only a superuser may mention these attributes, and a new role has none of them.
  FOR statement IN
    SELECT format('ALTER ROLE %I NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS', rolname) FROM pg_roles
    WHERE rolname IN ('gatehouse_owner', 'gatehouse_service')
      AND (rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls)
  LOOP
    EXECUTE statement;
  END LOOP;
  EXECUTE format('ALTER ROLE gatehouse_owner LOGIN PASSWORD %L', current_setting('gatehouse.owner_password'));
  EXECUTE format('ALTER ROLE gatehouse_service LOGIN PASSWORD %L', current_setting('gatehouse.service_password'));
  -- Only who has the rights of a role may give it something; a superuser has those of all.
  IF NOT pg_has_role('gatehouse_owner', 'USAGE') THEN
    GRANT gatehouse_owner TO CURRENT_USER;
  END IF;
  FOR statement IN
    -- Before the database, whose owner it belongs to at first.
    SELECT 'ALTER SCHEMA public OWNER TO gatehouse_owner'
    UNION ALL
    SELECT format('ALTER DATABASE %I OWNER TO gatehouse_owner', current_database())
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
