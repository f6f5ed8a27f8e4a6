import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Environment } from '../config/environment.js';
import { ListCountEntity } from './count-list.js';
import { serviceConnectionOptions } from './connection-options.js';
import { ConnectionPool, openDataSource } from './connection-pool.js';
import type { DatabaseLog } from './lent-client.js';
import { planningOf } from './distributed-planning.js';
import { DatabaseHealth } from './database-health.js';
import { MonthPartitions } from './month-partitions.js';
import { Statements } from './statements.js';
import { BackgroundStatements } from './background-statements.js';

/** The connection pool, and the providers that run statements on it. */
@Module({})
export class DatabaseModule {
  /**
   * @param url the postgres:// URL of a migrated database
   * @param log says what code has used a connection of others
   * @param connects false for an application that only generates the OpenAPI document
   */
  static forRoot(environment: Environment, url: string, log: DatabaseLog, connects = true): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: async () => ({
            ...serviceConnectionOptions(environment, url, connects ? await planningOf(url) : undefined),
            autoLoadEntities: true,
            retryAttempts: 0,
            manualInitialization: !connects,
          }),
          ...(connects && { dataSourceFactory: (options) => openDataSource(options, log) }),
        }),
        TypeOrmModule.forFeature([ListCountEntity]),
      ],
      providers: [ConnectionPool, DatabaseHealth, Statements, BackgroundStatements, MonthPartitions],
      exports: [ConnectionPool, DatabaseHealth, Statements, BackgroundStatements, MonthPartitions],
    };
  }
}
