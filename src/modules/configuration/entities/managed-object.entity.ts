import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';

/** An object that files of an owner configure (docs/configuration.md#owners). */
@Entity({ name: 'managed_objects' })
@Distributed('organization')
@Index('ix_managed_objects_owner', ['organizationId', 'owner'])
@Index('ix_managed_objects_drifted', ['organizationId'], { where: 'drifted_at IS NOT NULL' })
@BelongsToOrganization('fk_managed_objects_organization')
export class ManagedObjectEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_managed_objects' })
  organizationId: string;

  /** The list of files that it is in. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_managed_objects' })
  section: string;

  /** As the interface has it: of a key its hash. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_managed_objects' })
  objectId: string;

  @Column({ type: 'text' })
  owner: string;

  @Column({ type: 'text' })
  name: string;

  /** Digests of its secrets, by their places, to see whether one has changed at its source. */
  @Column({ type: 'jsonb' })
  secretDigests: Readonly<Record<string, string>>;

  @Column({ type: 'text' })
  file: string;

  @Column({ type: 'timestamptz', precision: 3 })
  appliedAt: Date;

  /** When it was changed by other means than its files; null if it was not since they were applied. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  driftedAt: Date | null;
}
