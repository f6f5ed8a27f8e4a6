import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrors } from '../../http/errors/constraint-errors.js';
import { AuditModule } from '../audit/audit.module.js';
import { ConfigurationModule } from '../configuration/configuration.module.js';
import { GenerationsModule } from '../generations/generations.module.js';
import { GuardrailsModule } from '../guardrails/guardrails.module.js';
import { InferenceModule } from '../inference/inference.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { ReplayJobEntity } from './entities/replay-job.entity.js';
import { GuardrailReplays } from './guardrail-replays.service.js';
import { PlanReplays } from './plan-replays.service.js';
import { ReplayRunner } from './replay-runner.service.js';
import { ReplayGuardrailController, ReplayLimitController, ReplaysController } from './replays.controller.js';
import { REPLAYS_CONSTRAINT_ERRORS } from './replays.errors.js';
import { ReplaysRepository } from './replays.repository.js';
import { ReplaysService } from './replays.service.js';

/** Replays of guardrails and limits over recorded traffic (docs/interface/replays.md). */
@Module({
  imports: [
    TypeOrmModule.forFeature([ReplayJobEntity]),
    AuditModule,
    ConfigurationModule,
    GenerationsModule,
    GuardrailsModule,
    InferenceModule,
    LimitsModule,
  ],
  controllers: [ReplayGuardrailController, ReplayLimitController, ReplaysController],
  providers: [GuardrailReplays, PlanReplays, ReplayRunner, ReplaysRepository, ReplaysService],
})
export class ReplaysModule {
  constructor(errors: ConstraintErrors) {
    errors.add(REPLAYS_CONSTRAINT_ERRORS);
  }
}
