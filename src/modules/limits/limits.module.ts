import { Module } from '@nestjs/common';
import { ConfigurationModule } from '../configuration/configuration.module.js';
import { LimitsConfiguration } from './limits.configuration.js';

import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrors } from '../../http/errors/constraint-errors.js';
import { AuditModule } from '../audit/audit.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import {
  LimitCounterEntity,
  LimitEntity,
  LimitExceptionEntity,
  LimitPopulationEntity,
} from './entities/limit.entity.js';
import { LimitExceptionsService } from './limit-exceptions.service.js';
import { LimitsInForce } from './limits-in-force.service.js';
import { LimitsController } from './limits.controller.js';
import { LIMITS_CONSTRAINT_ERRORS } from './limits.errors.js';
import { LimitsRepository } from './limits.repository.js';
import { LimitsService } from './limits.service.js';

/** Limits by condition and group (docs/interface/limits.md). */
@Module({
  imports: [
    ConfigurationModule,
    TypeOrmModule.forFeature([LimitCounterEntity, LimitEntity, LimitExceptionEntity, LimitPopulationEntity]),
    AuditModule,
    OrganizationsModule,
    WorkspacesModule,
  ],
  controllers: [LimitsController],
  providers: [LimitsConfiguration, LimitExceptionsService, LimitsInForce, LimitsRepository, LimitsService],
  exports: [LimitsInForce, LimitsService],
})
export class LimitsModule {
  constructor(errors: ConstraintErrors) {
    errors.add(LIMITS_CONSTRAINT_ERRORS);
  }
}
