import pg from 'pg';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type PageRow, pageStatement, resumedPageStatement, toPage } from '../../src/persistence/page-statement.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database/test-database.js';

@Entity({ name: 'things' })
class ThingEntity {
  @PrimaryColumn({ name: 'thing_id', type: 'integer' })
  id: number;

  @Column({ name: 'made_at', type: 'integer' })
  madeAt: number;
}

/** An odd number, of which neither half is the other. */
const COUNT = 7;

type ResumedRow = PageRow<ThingEntity> & { readonly is_current: boolean };

describe.each([
  ['an ascending', false],
  ['a descending', true],
])('%s page statement', (_name, descending) => {
  let database: TestDatabase;
  let client: pg.Client;

  const parts = {
    name: 'things_page',
    entity: ThingEntity,
    where: 'thing_id < $1',
    parameters: 1,
    total: '(SELECT count(*) FROM things WHERE thing_id < $1)',
    order: ['madeAt', 'id'] as const,
    descending,
    version: "'now'",
  };
  const statement = pageStatement(parts);
  const resumed = resumedPageStatement({ ...parts, name: 'things_page_resumed' });

  beforeAll(async () => {
    database = await createEmptyDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    // Pairs of rows have the same time of creation, and one row is not requested.
    await client.query(
      `CREATE TABLE things AS SELECT n AS thing_id, n / 2 AS made_at FROM generate_series(0, ${COUNT}) n`,
    );
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('returns at every offset the rows and the total of the whole list', async () => {
    const ids = Array.from({ length: COUNT }, (_, id) => id);
    const whole = descending ? ids.toReversed() : ids;

    for (let offset = 0; offset <= COUNT + 1; offset += 1) {
      for (let limit = 1; limit <= COUNT + 1; limit += 1) {
        const { rows } = await client.query<PageRow<ThingEntity>>({ ...statement, values: [COUNT, limit, offset] });
        const page = toPage(rows);
        expect([offset, limit, page.items.map(({ id }) => id), page.totalCount]).toEqual([
          offset,
          limit,
          whole.slice(offset, offset + limit),
          COUNT,
        ]);
      }
    }
  });

  it('returns the same rows from every start row before or behind them', async () => {
    const ids = Array.from({ length: COUNT }, (_, id) => id);
    const whole = descending ? ids.toReversed() : ids;

    for (const [known, id] of whole.entries()) {
      for (let offset = 0; offset < COUNT; offset += 1) {
        for (let limit = 1; limit <= COUNT + 1; limit += 1) {
          // A page with the known row inside of it has rows on both sides of that.
          if (known > offset && known < offset + limit) continue;
          const values = [COUNT, limit, offset - known, 'now', Math.floor(id / 2), id];
          const { rows } = await client.query<ResumedRow>({ ...resumed, values });
          const page = toPage(rows);
          expect([known, offset, limit, page.items.map((item) => item.id), page.totalCount]).toEqual([
            known,
            offset,
            limit,
            whole.slice(offset, offset + limit),
            COUNT,
          ]);
          expect(rows[0]?.is_current).toBe(true);
        }
      }
    }
  });

  it('returns no rows from a start row of another version of the list, and reports it', async () => {
    for (const distance of [-2, 0, 2]) {
      const { rows } = await client.query<ResumedRow>({ ...resumed, values: [COUNT, 1, distance, 'earlier', 1, 3] });

      expect(rows).toMatchObject([{ is_current: false, is_item: null, id: null }]);
    }
  });
});
