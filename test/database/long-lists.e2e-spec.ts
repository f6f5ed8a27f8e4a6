import pg from 'pg';
import { DEEP_ROWS } from '../../src/persistence/page-statement.js';
import type { Statement } from '../../src/persistence/statement.js';
import { Statements } from '../../src/persistence/statements.js';
import { ORGANIZATION_USERS_PAGE } from '../../src/modules/organizations/organizations.repository.js';
import type { NewOrganization } from '../../src/modules/installation/installation.service.js';
import { GUARDRAILS_PAGE } from '../../src/modules/guardrails/guardrails.repository.js';
import { rowsReadBy } from './explained-statements.js';
import { TestApplication } from '../support/application/test-application.js';

/** Long enough that some pages are far from both ends. */
const ROWS = 3 * DEEP_ROWS;
const MIDDLE = ROWS / 2;
const LIMIT = 50;

/** Each connection adds its own number of rows at the start of the list and deletes them again, so that totals tell which. */
const WRITERS = [1, 2, 4, 8];
const CHANGES_OF_EACH_WRITER = 15;

interface Listed {
  readonly names: readonly string[];
  readonly total: number;
}

/** What the service has asked the database for. */
interface Asked {
  readonly statement: Statement;
  readonly values: readonly unknown[];
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

  afterEach(() => jest.restoreAllMocks());

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

  /** The same page by reading the whole list. */
  async function expected(offset: number, limit = LIMIT): Promise<Listed> {
    const rows = await app.rows<{ name: string }>(
      'SELECT name FROM guardrails WHERE organization_id = $1 ORDER BY created_at, id',
      [organization.organizationId],
    );
    return { names: rows.slice(offset, offset + limit).map(({ name }) => name), total: rows.length };
  }

  /** Records the statements of requests that have one of these names. */
  function recordStatements(...names: string[]): Asked[] {
    const asked: Asked[] = [];
    const statements = app.application.get(Statements);
    const rows = statements.rows.bind(statements);
    jest.spyOn(statements, 'rows').mockImplementation((statement, values) => {
      if (names.includes(statement.name)) asked.push({ statement, values });
      return rows(statement, values);
    });
    return asked;
  }

  it('reads only its own rows and those up to a remembered page, forwards and backwards', async () => {
    const asked = recordStatements(GUARDRAILS_PAGE.versioned.name, GUARDRAILS_PAGE.resumed.name);
    await page(MIDDLE);
    await page(MIDDLE + LIMIT);
    await page(MIDDLE - LIMIT);

    await client.query('ANALYZE guardrails');
    const reads: (number | undefined)[] = [];
    for (const { statement, values } of asked) {
      reads.push((await rowsReadBy(client, statement, values))['guardrails']);
    }
    expect(asked.map(({ statement }) => statement.name)).toEqual([
      GUARDRAILS_PAGE.versioned.name,
      GUARDRAILS_PAGE.resumed.name,
      GUARDRAILS_PAGE.resumed.name,
    ]);
    expect(reads).toEqual([MIDDLE + LIMIT, 2 * LIMIT, LIMIT]);
  });

  it('has the same rows as the list, at offsets in any order', async () => {
    const whole = (await expected(0, ROWS)).names;
    const offsets = [
      MIDDLE,
      MIDDLE + 1,
      MIDDLE - 1,
      MIDDLE - LIMIT,
      MIDDLE + 700,
      MIDDLE - 700,
      DEEP_ROWS,
      ROWS - DEEP_ROWS,
    ];
    for (const offset of [...offsets, ...offsets.toReversed()]) {
      expect([offset, await page(offset)]).toEqual([
        offset,
        { names: whole.slice(offset, offset + LIMIT), total: ROWS },
      ]);
    }
  });

  it('is correct after a row before it was deleted', async () => {
    await page(MIDDLE);
    await deleteGuardrails(client, ['row 7']);

    expect(await page(MIDDLE)).toEqual(await expected(MIDDLE));
    expect((await page(MIDDLE)).names[0]).toBe(`row ${MIDDLE + 1}`);
  });

  it('is correct after one row before it was added and another deleted, which leaves the total unchanged', async () => {
    await page(MIDDLE);
    await client.query('BEGIN');
    await deleteGuardrails(client, [`row ${ROWS - 1}`]);
    await insertGuardrails(client, 'early', 0, 1, 2025);
    const before = await page(MIDDLE);
    await client.query('COMMIT');

    expect(before).toEqual({ names: (await expected(MIDDLE + 1)).names, total: ROWS });
    expect(await page(MIDDLE)).toEqual(await expected(MIDDLE));
    expect((await page(MIDDLE)).names[0]).toBe(`row ${MIDDLE - 1}`);
  });

  it('is still read from a remembered page after a row was updated, and has the update', async () => {
    const asked = recordStatements(GUARDRAILS_PAGE.resumed.name);
    await page(MIDDLE);
    await app.rows('UPDATE guardrails SET name = $2 WHERE organization_id = $1 AND name = $3', [
      organization.organizationId,
      'renamed',
      `row ${MIDDLE}`,
    ]);

    expect((await page(MIDDLE)).names.slice(0, 2)).toEqual(['renamed', `row ${MIDDLE + 1}`]);
    expect(asked).toHaveLength(1);
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

  it('has organization members with their users, read from a remembered page', async () => {
    await client.query(
      `INSERT INTO users (id, name, email, created_at)
       SELECT 'user_' || $1::text || n, 'Member ' || n, 'member@example.com', now() FROM generate_series(1, $2::integer) AS n`,
      [organization.organizationId, ROWS],
    );
    await client.query(
      `INSERT INTO organization_members (id, organization_id, user_id, role, created_at)
       SELECT gen_random_uuid(), $1, 'user_' || $1::text || n, 'member', now() + n * interval '1 millisecond'
       FROM generate_series(1, $2::integer) AS n`,
      [organization.organizationId, ROWS],
    );
    const asked = recordStatements(ORGANIZATION_USERS_PAGE.resumed.name);
    const users = async (offset: number): Promise<string[]> => {
      const path = `/organization/members?offset=${offset}&limit=${LIMIT}`;
      const answer = await app.api.get<{ data: { id: string }[] }>(path, { key: organization.managementKey });
      return answer.body.data.map(({ id }) => id);
    };
    const rows = await app.rows<{ user_id: string }>(
      'SELECT user_id FROM organization_members WHERE organization_id = $1 ORDER BY created_at, id',
      [organization.organizationId],
    );
    const whole = rows.map(({ user_id }) => user_id);

    for (const offset of [MIDDLE, MIDDLE + LIMIT, MIDDLE - LIMIT]) {
      expect(await users(offset)).toEqual(whole.slice(offset, offset + LIMIT));
    }
    expect(asked).toHaveLength(2);
  });
});
