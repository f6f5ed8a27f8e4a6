import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditTrail } from './audit-trail.js';
import { AuditHeadLogService } from './audit-head-log.service.js';
import { AuditHeadsRepository } from './audit-heads.repository.js';
import { AuditVerificationRepository } from './audit-verification.repository.js';
import { AuditVerificationService } from './audit-verification.service.js';
import { AuditController } from './audit.controller.js';
import { AuditExportService } from './export/audit-export.service.js';
import { AuditRepository } from './audit.repository.js';
import { DeploymentTrail } from './deployment-trail.service.js';
import { AuditService } from './audit.service.js';
import {
  AuditEventEntity,
  AuditHeadEntity,
  AuditHeadLogEntity,
  AuditLargeChangesEntity,
  AuditLinkEntity,
} from './entities/audit-trail.entity.js';

/** The audit trail: who did what, when and from where. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      AuditEventEntity,
      AuditHeadEntity,
      AuditHeadLogEntity,
      AuditLargeChangesEntity,
      AuditLinkEntity,
    ]),
  ],
  controllers: [AuditController],
  providers: [
    AuditExportService,
    AuditTrail,
    AuditHeadLogService,
    AuditHeadsRepository,
    AuditRepository,
    AuditService,
    AuditVerificationRepository,
    AuditVerificationService,
    DeploymentTrail,
  ],
  exports: [
    AuditExportService,
    AuditTrail,
    AuditHeadLogService,
    AuditService,
    AuditVerificationService,
    DeploymentTrail,
  ],
})
export class AuditModule {}
