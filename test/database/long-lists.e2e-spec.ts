import pg from 'pg';
import type { NewOrganization } from '../../src/modules/installation/installation.service.js';
import { TestApplication } from '../support/application/test-application.js';

const ROWS = 3_000;
const MIDDLE = ROWS / 2;
const LIMIT = 50;

/** Each connection adds its own number of rows at the start of the list and deletes them again, so that totals tell which. */
const WRITERS = [1, 2, 4, 8];
const CHANGES_OF_EACH_WRITER = 15;

interface Listed {
  readonly names: readonly string[];
  readonly total: number;
}

describe('a page in the middle of a long list', () => {
  let app: TestApplication;
  let client: pg.Client;
  let organization: NewOrganization;

  beforeAll(async () => {
    app = await TestApplication.start();
    client = new pg.Client({ connectionString: app.database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await app.stop();
  });

  beforeEach(async () => {
    organization = await app.factory.organization();
    await insertGuardrails(client, 'row', 0, ROWS);
  });

  /** Inserts guardrails `<name> <n>` that were created n milliseconds after the beginning of a year. */
  async function insertGuardrails(
    on: pg.Client,
    name: string,
    from: number,
    count: number,
    year = 2026,
  ): Promise<void> {
    await on.query(
      `INSERT INTO guardrails (id, organization_id, workspace_id, name, include_byok_in_budgets, created_at)
       SELECT gen_random_uuid(), $1, $2, $3::text || ' ' || n, false, make_timestamptz($4, 1, 1, 0, 0, 0, 'UTC') + n * interval '1 millisecond'
       FROM generate_series($5::integer, $6) AS n`,
      [organization.organizationId, organization.workspaceId, name, year, from, from + count - 1],
    );
  }

  async function deleteGuardrails(on: pg.Client, names: readonly string[]): Promise<void> {
    await on.query('DELETE FROM guardrails WHERE organization_id = $1 AND name = ANY ($2)', [
      organization.organizationId,
      names,
    ]);
  }

  async function page(offset: number, limit = LIMIT): Promise<Listed> {
    const answer = await app.api.get<{ data: { name: string }[]; total_count: number }>(
      `/guardrails?offset=${offset}&limit=${limit}`,
      { key: organization.managementKey },
    );
    expect(answer.status).toBe(200);
    return { names: answer.body.data.map(({ name }) => name), total: answer.body.total_count };
  }

  /** What a page has to be, by reading the whole list. */
  async function expected(offset: number, limit = LIMIT): Promise<Listed> {
    const rows = await app.rows<{ name: string }>(
      'SELECT name FROM guardrails WHERE organization_id = $1 ORDER BY created_at, id',
      [organization.organizationId],
    );
    return { names: rows.slice(offset, offset + limit).map(({ name }) => name), total: rows.length };
  }

  it('has the same rows as the list, at offsets in any order', async () => {
    const whole = (await expected(0, ROWS)).names;
    const offsets = [
      MIDDLE,
      MIDDLE + 1,
      MIDDLE - 1,
      MIDDLE - LIMIT,
      MIDDLE + 700,
      MIDDLE - 700,
      ROWS - LIMIT / 2,
      ROWS,
    ];
    for (const offset of [...offsets, ...offsets.toReversed()]) {
      expect([offset, await page(offset)]).toEqual([
        offset,
        { names: whole.slice(offset, offset + LIMIT), total: ROWS },
      ]);
    }
  });

  it('has rows and total of one state of the list while others add and delete rows before it', async () => {
    const whole = (await expected(0, ROWS)).names;
    let writing = WRITERS.length;
    const write = async (count: number): Promise<void> => {
      const connection = new pg.Client({ connectionString: app.database.url });
      await connection.connect();
      try {
        const names = Array.from({ length: count }, (_, n) => `writer of ${count} ${n}`);
        for (let change = 0; change < CHANGES_OF_EACH_WRITER; change += 1) {
          await insertGuardrails(connection, `writer of ${count}`, 0, count, 2025);
          await deleteGuardrails(connection, names);
        }
      } finally {
        writing -= 1;
        await connection.end();
      }
    };
    const read = async (first: number): Promise<void> => {
      for (let offset = first; writing > 0; offset = offset > first + 600 ? first : offset + LIMIT) {
        const { names, total } = await page(offset);
        const added = total - ROWS;
        expect([offset, total, names]).toEqual([offset, total, whole.slice(offset - added, offset - added + LIMIT)]);
      }
    };

    await Promise.all([...WRITERS.map(write), read(MIDDLE - 300), read(MIDDLE)]);

    expect(await page(MIDDLE)).toEqual(await expected(MIDDLE));
  });
});
