import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The last link of an organization's chain. Whoever adds one holds this row. */
@Entity({ name: 'audit_heads' })
export class AuditHeadEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_audit_heads' })
  organizationId: string;

  @Column({ type: 'bigint' })
  sequence: string;

  @Column({ type: 'bytea' })
  hash: Buffer;
}
