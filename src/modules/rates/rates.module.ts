import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseRates } from './database-rates.js';
import { RateUseEntity } from './entities/rate-use.entity.js';
import { RateUsesRepository } from './rate-uses.repository.js';
import { RatesService } from './rates.service.js';

/** Requests and tokens per minute of keys and workspaces (docs/limits.md#rates). */
@Module({
  imports: [TypeOrmModule.forFeature([RateUseEntity])],
  providers: [DatabaseRates, RateUsesRepository, RatesService],
  exports: [RatesService],
})
export class RatesModule {}
