import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditTrail } from './audit-trail.js';
import { AuditHeadLogService } from './audit-head-log.service.js';
import { AuditHeadsRepository } from './audit-heads.repository.js';
import { AuditVerificationRepository } from './audit-verification.repository.js';
import { AuditVerificationService } from './audit-verification.service.js';
import { AuditController } from './audit.controller.js';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';
import { AUDIT_ENTITIES } from './entities/index.js';

/** Who did what, when and from where. */
@Module({
  imports: [TypeOrmModule.forFeature(AUDIT_ENTITIES)],
  controllers: [AuditController],
  providers: [
    AuditTrail,
    AuditHeadLogService,
    AuditHeadsRepository,
    AuditRepository,
    AuditService,
    AuditVerificationRepository,
    AuditVerificationService,
  ],
  exports: [AuditTrail, AuditHeadLogService, AuditVerificationService],
})
export class AuditModule {}
