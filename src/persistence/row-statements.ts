import { columnsOf, tableOf } from './entity-columns.js';
import { type Statement, statement } from './statement.js';

// Statements on rows of one organization by their ids, which most tables need.

/** The parameters of a statement on one row. */
export type ById = [organizationId: string, id: string];

/** How a row is locked until the end of the transaction: the weakest that the later statements of the transaction need. */
export type LockMode = 'FOR UPDATE' | 'FOR NO KEY UPDATE' | 'FOR SHARE' | 'FOR KEY SHARE';

/** A statement that finds a row of an organization. */
export function rowById<Row extends object>(name: string, entity: new () => Row): Statement<Row, ById> {
  const columns = columnsOf(entity, 'item');
  return statement(name, `SELECT ${columns} FROM ${tableOf(entity)} AS item WHERE organization_id = $1 AND id = $2`);
}

/** A statement that finds complete rows of an organization. Each is looked up by its id, however many rows there are. */
export function rowsByIds<Row extends object>(
  name: string,
  entity: new () => Row,
): Statement<Row, [organizationId: string, ids: readonly string[]]> {
  const text = `SELECT ${columnsOf(entity, 'found')} FROM unnest($2::uuid[]) AS asked (id)
    CROSS JOIN LATERAL (SELECT * FROM ${tableOf(entity)} WHERE organization_id = $1 AND id = asked.id LIMIT 1) AS found`;
  return statement(name, text);
}

/** A statement that finds the same rows as another one, and locks them. */
export function locking<Row extends object, Values extends readonly unknown[]>(
  name: string,
  { text }: Statement<Row, Values>,
  mode: LockMode,
): Statement<Row, Values> {
  return statement(name, `${text} ${mode}`);
}

/** A statement that locks a row of an organization of which nothing else has to be known. */
export function lockById(name: string, entity: new () => object, mode: LockMode): Statement<{ id: string }, ById> {
  return statement(name, `SELECT id FROM ${tableOf(entity)} WHERE organization_id = $1 AND id = $2 ${mode}`);
}

/** A statement that deletes a row of an organization. */
export function deletionById(name: string, entity: new () => object): Statement<never, ById> {
  return statement(name, `DELETE FROM ${tableOf(entity)} WHERE organization_id = $1 AND id = $2`);
}
