import { Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { ScimSyncJobPath, ScimSyncJobResponse } from '../dto/scim-sync-job.dto.js';
import { ScimNotEnabled, ScimSyncJobNotFound } from '../scim.errors.js';
import { SyncJobsService } from './sync-jobs.service.js';

/** The operations on sync jobs. */
@Controller('scim/sync-jobs')
@ApiTags('SCIM')
@Authenticated(['management_key'], 'scim')
export class SyncJobsController {
  constructor(private readonly jobs: SyncJobsService) {}

  @Post()
  @Operation({
    status: 202,
    type: ScimSyncJobResponse,
    summary: 'Create a SCIM sync job',
    description:
      'Asks for a job that derives the memberships of mapped workspaces anew from the groups of the directory. An organization has one at a time: the answer is the one that has not ended, if there is one.',
    unavailableStatus: 500,
    errors: [ScimNotEnabled],
  })
  createScimSyncJob(@CurrentPrincipal() caller: ManagementPrincipal) {
    return this.jobs.create(caller);
  }

  @Get(':id')
  @Operation({
    type: ScimSyncJobResponse,
    summary: 'Get a SCIM sync job',
    description: 'Returns a job. Jobs are kept for 90 days after their end.',
    unavailableStatus: 500,
    errors: [ScimSyncJobNotFound, ScimNotEnabled],
  })
  getScimSyncJob(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: ScimSyncJobPath) {
    return this.jobs.get(caller, input);
  }
}
