/**
 * Has functions run as the owner of the tables, which the service is not; the role of the service is granted those that it may call at every
 * start. Temporary tables of the caller come last in the search path, so that none of them shadows a table. A role that may execute the
 * function of a trigger could attach it to a table of its own.
 *
 * @param settings of the functions, but for the search path
 */
export function runsAsOwner(functions: readonly string[], settings = ''): string[] {
  return functions.flatMap((signature) => [
    `DO $do$ BEGIN
      EXECUTE format('ALTER FUNCTION ${signature} SECURITY DEFINER SET search_path = pg_catalog, %I, pg_temp', current_schema()) || $$${settings}$$;
    END $do$`,
    `REVOKE EXECUTE ON FUNCTION ${signature} FROM PUBLIC`,
  ]);
}
