/**
 * A trigger function that works on the changed rows of one organization after those of another, in the order of their ids. It reads these rows
 * into variables first: a node of a distributed database that has other tables does not know them (docs/scaling.md).
 *
 * @param changed the transition table
 * @param read selects the changed rows of the organization into variables
 * @param body has no statement with the changed rows
 */
export function forEachOrganization(
  name: string,
  changed: string,
  variables: string,
  read: string,
  body: string,
): string {
  return `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      organization text;
      ${variables}
    BEGIN
      FOR organization IN SELECT DISTINCT organization_id FROM ${changed} ORDER BY organization_id LOOP
        ${read} FROM ${changed} WHERE organization_id = organization;
        ${body}
      END LOOP;
      RETURN NULL;
    END $$`;
}
