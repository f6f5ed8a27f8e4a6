import config from './jest.config.mjs';

/** The tests with the real catalogs, which fail where those are not in `../shared/data`: `npm run test:shared-data`. */
export default {
  ...config,
  testMatch: ['<rootDir>/test/**/*.shared-data.spec.ts'],
};
