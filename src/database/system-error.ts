/**
 * Takes anything that was thrown and gives its `code` (`'ENOENT'`, `'EEXIST'`, a SQLSTATE), or undefined when it has none.
 * Looks at the property and not at the class, which differs between realms (Jest runs tests in one of its own).
 */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Takes anything that was thrown and gives the text to show for it. */
export function errorMessage(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return String(error);
}
