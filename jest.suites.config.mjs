import config from './jest.config.mjs';

/** All tests but the exhaustive ones, in a few suites that load the service once each: `npm test`. */
export default {
  ...config,
  testMatch: ['<rootDir>/test/suites/*.suite.ts'],
};
