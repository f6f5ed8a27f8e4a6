import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

/** The directory of the chart. */
export const CHART = fileURLToPath(new URL('../../deploy/helm/gatehouse', import.meta.url));

/** A file of values beside the tests. */
export function values(name) {
  return fileURLToPath(new URL(`values/${name}.yaml`, import.meta.url));
}

/** Runs helm. @returns its exit code, and all that it wrote */
export function helm(tools, ...words) {
  const { status, stdout, stderr } = spawnSync(tools.helm, words, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

/**
 * Renders the chart as a release named gatehouse.
 *
 * @param options of `helm template`, such as --values
 * @returns the objects
 * @throws Error with what helm says
 */
export function rendered(tools, ...options) {
  const { status, stdout, stderr } = helm(tools, 'template', 'gatehouse', CHART, ...options);
  if (status !== 0) throw new Error(stderr);
  return objectsIn(stdout);
}

/** The objects in a text of several YAML documents. */
export function objectsIn(text) {
  return parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((object) => object !== null);
}
