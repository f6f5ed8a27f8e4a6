import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AdmissionService } from './admission.service.js';
import { BudgetStatesController } from './budget-states/budget-states.controller.js';
import { BudgetStatesRepository } from './budget-states/budget-states.repository.js';
import { BudgetStatesService } from './budget-states/budget-states.service.js';
import { LiveProcessEntity } from './entities/live-process.entity.js';
import { SpendReservationEntity } from './entities/spend-reservation.entity.js';
import { SpendWindowEntity } from './entities/spend-window.entity.js';
import { ProcessLeaseService } from './process-lease.service.js';
import { ReservationsRepository } from './reservations.repository.js';

/** What was spent, by window, what is reserved, and the limits that both meet (docs/budgets.md). */
@Module({
  imports: [TypeOrmModule.forFeature([LiveProcessEntity, SpendReservationEntity, SpendWindowEntity])],
  controllers: [BudgetStatesController],
  providers: [
    AdmissionService,
    BudgetStatesRepository,
    BudgetStatesService,
    ProcessLeaseService,
    ReservationsRepository,
  ],
  exports: [AdmissionService, ProcessLeaseService],
})
export class SpendModule {}
