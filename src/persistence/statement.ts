declare const TYPES: unique symbol;
declare const SOURCE: unique symbol;

/**
 * A statement that PostgreSQL parses and plans once per connection (docs/adr/0003). Its type includes the types of its rows
 * and parameters, so that callers do not have to name them.
 */
export interface Statement<Row extends object = object, Values extends readonly unknown[] = readonly unknown[]> {
  /** The name of the prepared statement, unique in the service. */
  readonly name: string;
  readonly text: string;
  /** Set for a statement that is planned each time; its name only stands in traces. */
  readonly isUnprepared?: boolean;
  /** Set for a statement that makes a change by itself, and so begins the transaction of a unit of work. */
  readonly isChange?: boolean;
  /** Exists for the compiler only. */
  readonly [TYPES]: { readonly row: Row; readonly values: Values };
}

/** The parameter values that a statement has computed from an input. */
export type BoundValues<Input> = readonly unknown[] & { readonly [SOURCE]: Input };

/** A statement that computes its parameter values from the row that it writes. */
export interface RowStatement<Row extends object, Input extends object> extends Statement<Row, BoundValues<Input>> {
  values(input: Input): BoundValues<Input>;
}

/** A statement that computes its parameter values from the rows that it writes. */
export type RowsStatement<Row extends object> = RowStatement<never, readonly Row[]>;

/**
 * Declares a statement.
 *
 * @template Row the rows that it returns, with values as the driver reads them; `never` when it returns none
 * @template Values its parameter values, in order
 */
export function statement<Row extends object = never, Values extends readonly unknown[] = []>(
  name: string,
  text: string,
): Statement<Row, Values> {
  return { name, text } as Statement<Row, Values>;
}

/**
 * Declares a statement that is parsed and planned each time, for statements of which there are too many to keep them prepared on every
 * connection.
 *
 * @param name what traces call it, and all others of its kind
 */
export function singleStatement<Row extends object, Values extends readonly unknown[]>(
  name: string,
  text: string,
): Statement<Row, Values> {
  return { name, text, isUnprepared: true } as Statement<Row, Values>;
}
