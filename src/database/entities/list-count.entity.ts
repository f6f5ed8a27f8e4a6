import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * How many rows a list has, kept by triggers so that a page can tell the total without counting. A count is spread over
 * slots, one of which a connection uses, so that writers of one list seldom wait for each other; their sum counts.
 */
@Entity({ name: 'list_counts' })
export class ListCountEntity {
  /** The table. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_list_counts' })
  list: string;

  /** Whose rows: the organization, or organization and workspace with a slash between. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_list_counts' })
  scope: string;

  @PrimaryColumn({ type: 'smallint', primaryKeyConstraintName: 'pk_list_counts' })
  slot: number;

  @Column({ name: 'row_count', type: 'bigint' })
  rowCount: string;
}
