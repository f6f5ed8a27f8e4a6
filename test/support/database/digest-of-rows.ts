import type { TestApplication } from '../application/test-application.js';

/**
 * Digests of the rows of statements, by which a test sees that none of them has changed. The server calculates them, so that it costs
 * little even if a table has the rows of many tests.
 *
 * @returns the number and a digest of the rows, by statement
 */
export async function digestOfRows(
  app: Pick<TestApplication, 'rows'>,
  ...statements: string[]
): Promise<Record<string, unknown>> {
  const digests: Record<string, unknown> = {};
  for (const statement of statements) {
    const [digest] = await app.rows(
      `SELECT count(*) AS rows, md5(string_agg(r::text, E'\\n' ORDER BY r::text)) AS digest FROM (${statement}) AS r`,
    );
    digests[statement] = digest;
  }
  return digests;
}
