/**
 * The version of the rules that a row of a key may be restricted by, as this release knows them. A replica refuses a key of a later version
 * (docs/deploy/upgrade.md#keys-of-a-newer-release): it would not read the column of a later release that restricts it, and so accept what that
 * refuses. A release that adds such a column adds one to this, and writes the new version to the keys that have a value in it.
 */
export const KEY_VERSION = 2;

/**
 * The version of a key: the first whose replicas know all that restricts it.
 *
 * @param before the version that it has; one of a newer release stays, because this one does not know for what
 */
export function keyVersionOf({ boundUser }: { readonly boundUser: string | null }, before = 1): number {
  if (before > KEY_VERSION) return before;
  return boundUser === null ? 1 : KEY_VERSION;
}
