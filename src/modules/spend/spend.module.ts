import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AdmissionService } from './admission.service.js';
import { BlockAdmissions } from './blocks/block-admissions.service.js';
import { BlocksRepository } from './blocks/blocks.repository.js';
import { IdleBlocks } from './blocks/idle-blocks.service.js';
import { BudgetStatesController } from './budget-states/budget-states.controller.js';
import { BudgetStatesRepository } from './budget-states/budget-states.repository.js';
import { BudgetStatesService } from './budget-states/budget-states.service.js';
import { DeadProcessesService } from './dead-processes.service.js';
import { LiveProcessEntity } from './entities/live-process.entity.js';
import { LimitRefusalEntity } from './entities/limit-refusal.entity.js';
import { SpendReservationEntity } from './entities/spend-reservation.entity.js';
import { SpendWindowEntity } from './entities/spend-window.entity.js';
import { LimitRefusalsRepository } from './limit-refusals.repository.js';
import { LimitRefusals } from './limit-refusals.service.js';
import { ProcessLeaseService } from './process-lease.service.js';
import { ProcessLeasesRepository } from './process-leases.repository.js';
import { ReservationsRepository } from './reservations.repository.js';

/** What was spent, by window, what is reserved, and the limits that both meet (docs/budgets.md). */
@Module({
  imports: [
    TypeOrmModule.forFeature([LimitRefusalEntity, LiveProcessEntity, SpendReservationEntity, SpendWindowEntity]),
  ],
  controllers: [BudgetStatesController],
  providers: [
    AdmissionService,
    BlockAdmissions,
    BlocksRepository,
    BudgetStatesRepository,
    BudgetStatesService,
    DeadProcessesService,
    IdleBlocks,
    LimitRefusals,
    LimitRefusalsRepository,
    ProcessLeaseService,
    ProcessLeasesRepository,
    ReservationsRepository,
  ],
  exports: [AdmissionService, BlockAdmissions, BlocksRepository, DeadProcessesService, IdleBlocks, ProcessLeaseService],
})
export class SpendModule {}
