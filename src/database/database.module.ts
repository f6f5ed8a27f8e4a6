import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DATABASE_ENTITIES } from './entities/index.js';
import { serviceConnectionOptions } from './connection-options.js';
import { ConnectionPool } from './connection-pool.js';
import { DatabaseHealth } from './database-health.js';
import { LargeRows } from './large-rows.js';
import { openDataSource } from './open-data-source.js';
import { PageReader } from './page-reader.js';
import { Statements } from './statements.js';
import { UnlimitedStatements } from './unlimited-statements.js';

/** The connection pool, and the ways to use it. */
@Module({})
export class DatabaseModule {
  /**
   * @param url a postgres:// URL of a database that is migrated
   * @param poolSize how many connections this process opens at most
   * @param statementTimeout what PostgreSQL may take for one statement of a request, in milliseconds
   * @param connects false for an application that only describes itself and answers nothing
   */
  static at(url: string, poolSize: number, statementTimeout: number, connects = true): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({
            ...serviceConnectionOptions(url, poolSize, statementTimeout),
            autoLoadEntities: true,
            retryAttempts: 0,
            manualInitialization: !connects,
          }),
          ...(connects && { dataSourceFactory: openDataSource }),
        }),
        TypeOrmModule.forFeature(DATABASE_ENTITIES),
      ],
      providers: [ConnectionPool, DatabaseHealth, LargeRows, PageReader, Statements, UnlimitedStatements],
      exports: [ConnectionPool, DatabaseHealth, LargeRows, PageReader, Statements, UnlimitedStatements],
    };
  }
}
