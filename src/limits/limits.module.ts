import { Global, Module } from '@nestjs/common';
import { Quotas } from './quotas.js';
import { RedisConnection } from './redis-connection.js';
import { RequestRate } from './request-rate.js';
import { RequestSlots } from './request-slots.js';

/** What bounds the share of one organization in everything that all of them use (docs/limits.md). */
@Global()
@Module({
  providers: [Quotas, RedisConnection, RequestRate, RequestSlots],
  exports: [Quotas, RedisConnection, RequestRate, RequestSlots],
})
export class LimitsModule {}
