/** `gen-<unix seconds>-...`, as long as PostgreSQL has such a time. */
const SECONDS = /^gen-(\d{1,11})-/;

/**
 * When a request came, by the id of its record (docs/interface/generations.md#retention).
 *
 * @returns the beginning of the second; undefined for a text that is not such an id
 */
export function timeOfGeneration(id: string): Date | undefined {
  const seconds = SECONDS.exec(id)?.[1];
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1000);
}
