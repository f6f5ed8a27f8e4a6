import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The current edition of the catalog: one row that triggers update whenever a row of the catalog changes. */
@Entity({ name: 'catalog_edition' })
@Check('ck_catalog_edition_single', 'is_current')
export class CatalogEditionEntity {
  @PrimaryColumn({ name: 'is_current', type: 'boolean', primaryKeyConstraintName: 'pk_catalog_edition' })
  isCurrent: true;

  @Column({ type: 'uuid' })
  edition: string;
}
