/**
 * Whether an expression matches at a position of a text.
 *
 * @param expression has the flag y; where it matches, its lastIndex is the end of the match then
 */
export function matchesAt(expression: RegExp, text: string, position: number): boolean {
  expression.lastIndex = position;
  return expression.test(text);
}

/**
 * What an expression matches at a position of a text.
 *
 * @param expression has the flag y; its lastIndex is the end of the match then
 * @returns undefined where it does not match
 */
export function matchAt(expression: RegExp, text: string, position: number): string | undefined {
  expression.lastIndex = position;
  return expression.exec(text)?.[0];
}
