import { statement } from '../../persistence/statement.js';
import { budgetsOfKey } from '../spend/budgets-of-key.js';
import type { CurrentKeyStatement } from './key-with-spend.js';
import { KEY_BY_ID } from './keys.repository.js';

const BUDGETS = budgetsOfKey('described."id"', 'described."shownWorkspaceId"');

/**
 * A statement that describes a key by its organization ($1) and id ($2). A dependent module adds its part as SQL, so
 * that one read is enough.
 *
 * @param name of the prepared statement
 * @param dataRegionLists an expression over the key, whose columns are `k."id"`, `k."organizationId"`, `k."userId"`
 *   and `k."workspaceId"`; it gives a JSON array of lists of regions, or null
 */
export function currentKeyStatement(name: string, dataRegionLists: string): CurrentKeyStatement {
  return statement(
    name,
    `SELECT described.*, ${BUDGETS} AS budgets
      FROM (SELECT k.*, ${dataRegionLists} AS "dataRegionLists" FROM (${KEY_BY_ID.text}) AS k) AS described`,
  );
}
