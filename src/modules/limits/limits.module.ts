import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  LimitCounterEntity,
  LimitEntity,
  LimitExceptionEntity,
  LimitPopulationEntity,
} from './entities/limit.entity.js';

/** Limits by condition and group (docs/interface/limits.md). */
@Module({
  imports: [TypeOrmModule.forFeature([LimitCounterEntity, LimitEntity, LimitExceptionEntity, LimitPopulationEntity])],
})
export class LimitsModule {}
