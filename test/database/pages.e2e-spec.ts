import pg from 'pg';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type PageRow, pageStatement, toPage } from '../../src/persistence/page-statement.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database/test-database.js';

@Entity({ name: 'things' })
class ThingEntity {
  @PrimaryColumn({ name: 'thing_id', type: 'integer' })
  id: number;

  @Column({ name: 'made_at', type: 'integer' })
  madeAt: number;
}

const COUNT = 7;

describe.each([
  ['an ascending', false],
  ['a descending', true],
])('%s page statement', (_name, descending) => {
  let database: TestDatabase;
  let client: pg.Client;

  const statement = pageStatement<ThingEntity, [below: number]>({
    name: 'things_page',
    entity: ThingEntity,
    where: 'thing_id < $1',
    parameters: 1,
    total: '(SELECT count(*) FROM things WHERE thing_id < $1)',
    order: ['madeAt', 'id'],
    descending,
  });

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
});
