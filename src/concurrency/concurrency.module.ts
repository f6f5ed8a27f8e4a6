import { type DynamicModule, Module } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { LoopTurns } from './loop-turns.js';
import { RedisConnection, type RedisLog } from './redis-connection.js';
import { ReplicaMessages } from './replica-messages.js';

/** What organizations share: the event loop, and with the other replicas what they learn. */
@Module({})
export class ConcurrencyModule {
  /** @param logger says when Redis is unreachable */
  static forRoot(logger: RedisLog): DynamicModule {
    const redis = {
      provide: RedisConnection,
      inject: [Environment],
      useFactory: (environment: Environment) => new RedisConnection(environment, logger),
    };
    return {
      module: ConcurrencyModule,
      global: true,
      providers: [LoopTurns, redis, ReplicaMessages],
      exports: [LoopTurns, RedisConnection, ReplicaMessages],
    };
  }
}
