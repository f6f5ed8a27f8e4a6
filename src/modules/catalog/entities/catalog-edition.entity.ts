import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Which edition of the catalog is in force: the one row that triggers renew whenever a row of the catalog changes. */
@Entity({ name: 'catalog_edition' })
@Check('ck_catalog_edition_single', 'is_current')
export class CatalogEditionEntity {
  @PrimaryColumn({ name: 'is_current', type: 'boolean', primaryKeyConstraintName: 'pk_catalog_edition' })
  isCurrent: true;

  @Column({ type: 'uuid' })
  edition: string;
}
