/**
 * An SQL expression for the decimal number that a double is written as: the shortest that gives the same double again, and what the
 * interface shows. A plain cast to `numeric` keeps 15 digits only, which can be more than the double, and than the largest one.
 *
 * @param double an SQL expression of type `double precision`
 */
export function shortestDecimal(double: string): string {
  return `${double}::text::numeric`;
}
