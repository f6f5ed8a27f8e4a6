/** The SQLSTATE that PostgreSQL has refused something with; undefined for what is no answer of PostgreSQL. */
export function sqlStateOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown) || typeof thrown.code !== 'string') return undefined;
  return thrown.code;
}
