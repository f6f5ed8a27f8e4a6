import { Column, Entity, PrimaryColumn } from 'typeorm';
import { countedTotal, pageStatement, toPage } from './page-statement.js';

@Entity({ name: 'things' })
class ThingEntity {
  @PrimaryColumn({ name: 'thing_id', type: 'uuid' })
  id: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}

describe('pageStatement', () => {
  const { name, text } = pageStatement({
    name: 'things_page',
    entity: ThingEntity,
    where: 'owner = $1 AND place = $2',
    parameters: 2,
    total: countedTotal(ThingEntity, '$1'),
    order: ['createdAt', 'id'],
  });

  it('has the given name', () => {
    expect(name).toBe('things_page');
  });

  it('adds limit and offset after the parameters of the condition', () => {
    const parameters = new Set(text.match(/\$\d+/g));

    expect(parameters).toEqual(new Set(['$1', '$2', '$3', '$4']));
    expect(text).toContain('LIMIT $3::bigint OFFSET $4::bigint');
  });
});

describe('a descending pageStatement', () => {
  const { text } = pageStatement({
    name: 'things_latest_first',
    entity: ThingEntity,
    where: 'owner = $1',
    parameters: 1,
    total: countedTotal(ThingEntity, '$1'),
    order: ['createdAt', 'id'],
    descending: true,
  });

  it('begins with the largest value', () => {
    expect(text).toContain('ORDER BY item."created_at" DESC, item."thing_id" DESC LIMIT $2::bigint OFFSET $3::bigint');
  });
});

describe('toPage', () => {
  it('returns the items beside the total', () => {
    const rows = [1, 2].map((item) => ({ total_count: '7', is_item: true, item }));

    expect(toPage(rows)).toEqual({ items: rows, totalCount: 7 });
  });

  it('returns no items for a row with the total only', () => {
    expect(toPage([{ total_count: '7', is_item: null as never, item: null }])).toEqual({ items: [], totalCount: 7 });
  });

  it('returns an empty page for no rows', () => {
    expect(toPage([])).toEqual({ items: [], totalCount: 0 });
  });

  it('returns totals beyond 32 bits', () => {
    expect(toPage([{ total_count: '5000000000', is_item: false }]).totalCount).toBe(5_000_000_000);
  });
});
