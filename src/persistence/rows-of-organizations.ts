import { NIL as NIL_UUID } from 'uuid';

/** How many rows are read at once. */
const ROWS_AT_ONCE = 100;

/** The key of a row among the rows of all organizations. */
interface OrganizationRow {
  readonly organizationId: string;
  readonly id: string;
}

/**
 * Every row of a table, one organization after the other, read in batches while it goes on.
 *
 * @param read reads the rows after an organization and an id, in the order of both, and no more than a number of them
 */
export async function* rowsOfOrganizations<Row extends OrganizationRow>(
  read: (after: [organizationId: string, id: string, limit: number]) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let last: OrganizationRow | undefined = { organizationId: '', id: NIL_UUID };
  while (last !== undefined) {
    const batch: Row[] = await read([last.organizationId, last.id, ROWS_AT_ONCE]);
    yield* batch;
    last = batch.at(-1);
  }
}
