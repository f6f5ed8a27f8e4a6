import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EncryptionModule } from '../encryption/encryption.module.js';
import { EncryptedContents } from './content/encrypted-contents.js';
import { GenerationContentsRepository } from './content/generation-contents.repository.js';
import { GenerationEntity } from './entities/generation.entity.js';
import { GenerationPartitionsRepository } from './generation-partitions.repository.js';
import { GenerationPartitionsService } from './generation-partitions.service.js';
import { GenerationsController } from './generations.controller.js';
import { GenerationListController } from './listing/generation-list.controller.js';
import { GenerationListRepository } from './listing/generation-list.repository.js';
import { GenerationListService } from './listing/generation-list.service.js';
import { LiveGenerationsService } from './listing/live-generations.service.js';
import { StandingCallers } from '../../auth/standing-callers.js';
import { GenerationErasureHook } from './erasure/generation-erasure.hook.js';
import { GenerationErasureRepository } from './erasure/generation-erasure.repository.js';
import { GenerationFeedbackRepository } from './feedback/generation-feedback.repository.js';
import { GenerationFeedbackService } from './feedback/generation-feedback.service.js';
import { LateGenerations } from './late-generations.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { SpendModule } from '../spend/spend.module.js';
import { ExpiredReservationsService } from './expired-reservations.service.js';
import { GenerationsRepository } from './generations.repository.js';
import { GenerationsService } from './generations.service.js';

/** The records of inference requests. */
@Module({
  imports: [
    AuditModule,
    EncryptionModule,
    OrganizationsModule,
    SpendModule,
    TypeOrmModule.forFeature([GenerationEntity]),
  ],
  controllers: [GenerationsController, GenerationListController],
  providers: [
    EncryptedContents,
    ExpiredReservationsService,
    LateGenerations,
    GenerationContentsRepository,
    GenerationErasureHook,
    GenerationErasureRepository,
    GenerationFeedbackRepository,
    GenerationFeedbackService,
    GenerationListRepository,
    GenerationListService,
    GenerationPartitionsRepository,
    GenerationPartitionsService,
    GenerationsRepository,
    GenerationsService,
    LiveGenerationsService,
    StandingCallers,
  ],
  exports: [
    EncryptedContents,
    ExpiredReservationsService,
    GenerationPartitionsService,
    GenerationsService,
    StandingCallers,
  ],
})
export class GenerationsModule {}
