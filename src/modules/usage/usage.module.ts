import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ActivityController } from './activity/activity.controller.js';
import { ActivityRepository } from './activity/activity.repository.js';
import { ActivityService } from './activity/activity.service.js';
import { AnalyticsController } from './analytics/analytics.controller.js';
import { AnalyticsRepository } from './analytics/analytics.repository.js';
import { AnalyticsService } from './analytics/analytics.service.js';
import { LongQueries } from './analytics/long-queries.js';
import { CreditsController } from './credits/credits.controller.js';
import { CreditsRepository } from './credits/credits.repository.js';
import { CreditsService } from './credits/credits.service.js';
import { UsageAdditionEntity } from './entities/usage-addition.entity.js';
import { UsageTotalEntity } from './entities/usage-total.entity.js';
import { KeyLastUseRepository } from './last-use/key-last-use.repository.js';
import { UsageRollUpRepository } from './totals/usage-roll-up.repository.js';
import { UsageRollUpService } from './totals/usage-roll-up.service.js';

/** What was used and spent, answered from running totals (docs/interface/usage.md). */
@Module({
  imports: [TypeOrmModule.forFeature([UsageAdditionEntity, UsageTotalEntity])],
  controllers: [ActivityController, AnalyticsController, CreditsController],
  providers: [
    ActivityRepository,
    ActivityService,
    AnalyticsRepository,
    AnalyticsService,
    KeyLastUseRepository,
    LongQueries,
    CreditsRepository,
    CreditsService,
    UsageRollUpRepository,
    UsageRollUpService,
  ],
  exports: [KeyLastUseRepository, UsageRollUpService],
})
export class UsageModule {}
