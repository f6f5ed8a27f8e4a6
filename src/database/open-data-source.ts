import { DataSource, type DataSourceOptions } from 'typeorm';
import { CONNECTION_TIMEOUT_MS } from './connection-options.js';
import { poolOf } from './connection-pool.js';
import type { ServiceClientConfig } from './service-client.js';

/**
 * Opens the connection pool of the service. Only from then on connections have to be quick: the first is made while
 * everything else starts too, and no caller waits for it.
 */
export async function openDataSource(options?: DataSourceOptions): Promise<DataSource> {
  const dataSource = await new DataSource(options!).initialize();
  const clientConfig: ServiceClientConfig = poolOf(dataSource).options;
  clientConfig.openingTimeoutMillis = CONNECTION_TIMEOUT_MS;
  return dataSource;
}
