import type { Statement } from '../../database/statements.js';
import { KEY_BY_ID } from './keys.repository.js';

/**
 * A statement that describes a key by its organization ($1) and id ($2), with what a module above knows of it. That module
 * gives its part as SQL, and so it is all one read.
 *
 * @param name of the prepared statement
 * @param dataRegionLists an expression over the key, whose columns are `k."id"`, `k."organizationId"`, `k."userId"` and
 * `k."workspaceId"`; it gives a JSON array of lists of regions, or null
 */
export function currentKeyStatement(name: string, dataRegionLists: string): Statement {
  return { name, text: `SELECT k.*, ${dataRegionLists} AS "dataRegionLists" FROM (${KEY_BY_ID.text}) AS k` };
}
