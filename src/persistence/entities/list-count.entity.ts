import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The number of rows of a list, maintained by triggers so that a page has its total without counting. The count is the sum
 * of several slots; each connection uses one of them, so that writers of the same list seldom wait for each other.
 */
@Entity({ name: 'list_counts' })
export class ListCountEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_list_counts' })
  organizationId: string;

  /** The table. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_list_counts' })
  list: string;

  /** The organization, or the organization and the workspace separated by a slash. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_list_counts' })
  scope: string;

  @PrimaryColumn({ type: 'smallint', primaryKeyConstraintName: 'pk_list_counts' })
  slot: number;

  @Column({ name: 'row_count', type: 'bigint' })
  rowCount: string;
}
