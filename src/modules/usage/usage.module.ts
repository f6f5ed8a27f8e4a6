import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ActivityController } from './activity/activity.controller.js';
import { ActivityRepository } from './activity/activity.repository.js';
import { ActivityService } from './activity/activity.service.js';
import { AnalyticsController } from './analytics/analytics.controller.js';
import { AnalyticsRepository } from './analytics/analytics.repository.js';
import { AnalyticsService } from './analytics/analytics.service.js';
import { CreditsController } from './credits/credits.controller.js';
import { CreditsRepository } from './credits/credits.repository.js';
import { CreditsService } from './credits/credits.service.js';
import { UsageTotalEntity } from './entities/usage-total.entity.js';

/** What was used and spent, answered from running totals (docs/interface/usage.md). */
@Module({
  imports: [TypeOrmModule.forFeature([UsageTotalEntity])],
  controllers: [ActivityController, AnalyticsController, CreditsController],
  providers: [
    ActivityRepository,
    ActivityService,
    AnalyticsRepository,
    AnalyticsService,
    CreditsRepository,
    CreditsService,
  ],
})
export class UsageModule {}
