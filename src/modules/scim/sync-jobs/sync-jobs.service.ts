import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { isUuid, newUuid } from '../../../persistence/identifiers.js';
import { Statements } from '../../../persistence/statements.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import type { ScimSyncJobPath, ScimSyncJobResponse } from '../dto/scim-sync-job.dto.js';
import { requireScim } from '../require-scim.js';
import { ScimSyncJobNotFound } from '../scim.errors.js';
import { toSyncJobResponse } from '../scim.mapper.js';
import { SyncJobsRepository } from './sync-jobs.repository.js';
import { SyncJobsWorker } from './sync-jobs.worker.js';

/** Jobs that derive the memberships of mapped workspaces anew (docs/interface/scim.md#sync-jobs). */
@Injectable()
export class SyncJobsService {
  constructor(
    private readonly repository: SyncJobsRepository,
    private readonly worker: SyncJobsWorker,
    private readonly organizations: OrganizationsService,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Asks for a job, or returns the one of the organization that has not ended.
   *
   * @throws ScimNotEnabled
   */
  async create(caller: ManagementPrincipal): Promise<ScimSyncJobResponse> {
    const { organizationId } = caller;
    await requireScim(this.organizations, organizationId);
    const job = await this.statements.transaction(async (tx) => {
      const id = newUuid();
      const isNew = (await this.repository.insert(tx, organizationId, id)) !== undefined;
      if (isNew) await this.audit.record(tx, organizationId, caller, { action: 'scim_sync_job.create', targetId: id });
      // One that ends between the two statements leaves none open.
      return (await this.repository.open(tx, organizationId)) ?? (await this.repository.find(tx, organizationId, id));
    });
    this.worker.wake();
    if (job === undefined) return this.create(caller);
    return { data: toSyncJobResponse(job) };
  }

  /** A job. @throws ScimNotEnabled, ScimSyncJobNotFound */
  async get({ organizationId }: ManagementPrincipal, { id }: ScimSyncJobPath): Promise<ScimSyncJobResponse> {
    await requireScim(this.organizations, organizationId);
    const job = isUuid(id) ? await this.repository.find(this.statements, organizationId, id) : undefined;
    if (job === undefined) throw new ScimSyncJobNotFound();
    return { data: toSyncJobResponse(job) };
  }
}
