import type { TestApplication } from '../application/test-application.js';

/**
 * Everything that the database holds, as text. A bytea stands in it as hex, so look for the hex of a secret too.
 *
 * @returns the name of each table with the text of its rows
 */
export async function storedText(app: TestApplication): Promise<Map<string, string>> {
  const tables = await app.rows<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  const texts = new Map<string, string>();
  for (const { name } of tables) {
    const [row] = await app.rows<{ text: string }>(
      `SELECT coalesce(string_agg(t::text, E'\\n'), '') AS text FROM ${name} t`,
    );
    texts.set(name, row!.text);
  }
  return texts;
}
