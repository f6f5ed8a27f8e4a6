import config from './jest.config.mjs';

/** The tests with the engine of ClickHouse, which fail without it: `npm run test:clickhouse`. */
export default {
  ...config,
  testTimeout: 600_000,
  testMatch: ['<rootDir>/test/**/*.clickhouse.spec.ts'],
  // They need no PostgreSQL.
  globalSetup: undefined,
  globalTeardown: undefined,
};
