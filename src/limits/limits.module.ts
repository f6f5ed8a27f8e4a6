import { Global, Module } from '@nestjs/common';
import { LargeRows } from './large-rows.js';
import { LoopTurns } from './loop-turns.js';
import { Quotas } from './quotas.js';
import { RedisConnection } from './redis-connection.js';
import { ReplicaMessages } from './replica-messages.js';
import { RequestRateLimit } from './request-rate-limit.js';
import { RequestSlots } from './request-slots.js';

/** Limits on what one organization uses of shared resources (docs/limits.md). */
@Global()
@Module({
  providers: [LargeRows, LoopTurns, Quotas, RedisConnection, ReplicaMessages, RequestRateLimit, RequestSlots],
  exports: [LargeRows, LoopTurns, Quotas, RedisConnection, ReplicaMessages, RequestRateLimit, RequestSlots],
})
export class LimitsModule {}
