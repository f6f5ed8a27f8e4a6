import { DataOf } from '../../../http/openapi/response-envelopes.js';
import { EnumField, IntegerField, TextField, TimestampField, UuidField } from '../../../http/validation/fields.js';
import { PathIdField } from '../../../http/validation/id-fields.js';

/** Where a job stands. */
export const SYNC_JOB_STATUSES = ['queued', 'running', 'succeeded', 'failed'] as const;

export type SyncJobStatus = (typeof SYNC_JOB_STATUSES)[number];

/** Which job. */
export class ScimSyncJobPath {
  @PathIdField('The id of the job.', '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f72')
  id: string;
}

/** A job that derives the memberships of mapped workspaces anew from the groups (docs/interface/scim.md#sync-jobs). */
export class ScimSyncJob {
  @UuidField({ description: 'The id of the job.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f72' })
  id: string;

  @EnumField(SYNC_JOB_STATUSES, { description: 'Where the job stands.', example: 'succeeded' })
  status: SyncJobStatus;

  @IntegerField({
    description: 'The groups that were visited; null before the job has succeeded.',
    example: 12,
    nullable: true,
  })
  synced_groups: number | null;

  @IntegerField({
    description: 'The groups that were found to be gone; null before the job has succeeded.',
    example: 0,
    nullable: true,
  })
  deleted_groups: number | null;

  @TextField({
    description: 'Why the job has failed, in a stable text; null otherwise.',
    example: null,
    nullable: true,
  })
  error_message: string | null;

  @TimestampField({ description: 'When the job was asked for.' })
  created_at: string;

  @TimestampField({ description: 'When it began; null before.', nullable: true })
  started_at: string | null;

  @TimestampField({ description: 'When it ended; null before.', nullable: true })
  finished_at: string | null;
}

/** The answer to createScimSyncJob and getScimSyncJob. */
export class ScimSyncJobResponse extends DataOf(ScimSyncJob) {}
