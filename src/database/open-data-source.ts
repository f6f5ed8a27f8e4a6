import { DataSource, type DataSourceOptions } from 'typeorm';
import { poolOf } from './connection-pool.js';
import type { ServiceClientConfig } from './service-client.js';
import { TimeLimits } from './time-limits.js';

/**
 * Opens the connection pool of the service. Only from then on connections have to be quick: the first is made while
 * everything else starts too, and no caller waits for it.
 */
export async function openDataSource(options?: DataSourceOptions): Promise<DataSource> {
  const dataSource = await new DataSource(options!).initialize();
  const pool = poolOf(dataSource);
  const clientConfig: ServiceClientConfig = pool.options;
  clientConfig.openingTimeoutMillis = TimeLimits.of(pool).connection;
  return dataSource;
}
