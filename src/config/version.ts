import { existsSync, readFileSync } from 'node:fs';

/** package.json lies above `src`, and above its compiled form. */
const MANIFEST = ['../../package.json', '../../../package.json']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url));

/** The version of this release, from package.json. */
export const VERSION = MANIFEST === undefined ? 'unknown' : versionIn(readFileSync(MANIFEST, 'utf8'));

function versionIn(manifest: string): string {
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
