import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The number of clients read at a time. Each may have 50 URLs of 2,048 characters. */
const BATCH = 100;

interface ClientRow {
  readonly id: string;
  readonly callback_urls: string[];
}

/**
 * Adds the normalized callback URLs of Connect clients, for comparison. Null for a client that was created by a release that
 * does not know the column; its URLs are compared as they are.
 */
export class NormalizedCallbackUrls1795287700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE connect_clients ADD COLUMN normalized_callback_urls text[]');
    for (let last: string | null = null; ;) {
      const clients = (await runner.query(
        `SELECT id, callback_urls FROM connect_clients WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT ${BATCH}`,
        [last],
      )) as ClientRow[];
      for (const { id, callback_urls: urls } of clients) {
        await runner.query('UPDATE connect_clients SET normalized_callback_urls = $2 WHERE id = $1', [
          id,
          urls.map(normalized),
        ]);
      }
      if (clients.length < BATCH) return;
      last = clients[BATCH - 1]!.id;
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE connect_clients DROP COLUMN normalized_callback_urls');
  }
}

/**
 * A copy of the service's normalization at the time of this release, because a migration must not change with the service.
 */
function normalized(text: string): string {
  const { origin, pathname, search } = new URL(text);
  return `${origin}${pathname}${search}`.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : escape.toUpperCase();
  });
}
