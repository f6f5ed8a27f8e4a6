import { Check } from 'typeorm';

/**
 * A constraint by which a column of text has one of some values. Its text comes from the list that the code uses, so that a
 * value which is added to the list without a migration fails test/database/migration.e2e-spec.ts.
 *
 * @param name the name of the constraint
 * @param column the name of the column
 * @param values the values, which have no quotes in them
 */
export function OneOf(name: string, column: string, values: readonly string[]): ClassDecorator {
  return Check(name, `${column} IN (${values.map((value) => `'${value}'`).join(', ')})`);
}
