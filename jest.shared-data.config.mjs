import config from './jest.config.mjs';

/** The tests with the real catalogs, which fail where the directory of catalogs is missing (test/e2e/catalog/shared-catalog.ts): `npm run test:shared-data`. */
export default {
  ...config,
  testTimeout: 600_000,
  testMatch: ['<rootDir>/test/**/*.shared-data.spec.ts'],
};
