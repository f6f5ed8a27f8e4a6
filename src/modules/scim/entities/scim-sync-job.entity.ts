import { Check, Column, Entity, Index } from 'typeorm';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import type { SyncJobStatus } from '../dto/scim-sync-job.dto.js';

/** A job that derives the memberships of mapped workspaces anew (docs/interface/scim.md#sync-jobs). */
@Entity({ name: 'scim_sync_jobs' })
@Distributed('organization')
@Index('uq_scim_sync_jobs_open', ['organizationId'], { unique: true, where: 'finished_at IS NULL' })
@Index('ix_scim_sync_jobs_finished', ['organizationId', 'finishedAt'])
@Check('ck_scim_sync_jobs_status', `status IN ('queued', 'running', 'succeeded', 'failed')`)
@Check('ck_scim_sync_jobs_finished', `(status IN ('succeeded', 'failed')) = (finished_at IS NOT NULL)`)
@BelongsToOrganization('fk_scim_sync_jobs_organization')
export class ScimSyncJobEntity extends OrganizationRow {
  @Column({ type: 'text' })
  status: SyncJobStatus;

  @Column({ type: 'integer', nullable: true })
  syncedGroups: number | null;

  @Column({ type: 'integer', nullable: true })
  deletedGroups: number | null;

  @Column({ type: 'text', nullable: true })
  errorMessage: string | null;

  /** Until when a process has it; another one takes it over then. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leasedUntil: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  startedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finishedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
