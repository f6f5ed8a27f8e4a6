/**
 * Returns the `code` of any thrown value (`'ENOENT'`, `'EEXIST'`, a SQLSTATE), or undefined when it has none. Checks the
 * property and not the class, which differs between realms (Jest runs tests in a realm of its own).
 */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Returns a message for any thrown value. */
export function errorMessage(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return String(error);
}
