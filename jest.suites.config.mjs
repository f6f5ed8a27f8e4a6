import config from './jest.config.mjs';

/** All tests but the exhaustive ones, in a few suites that load the service once each: `npm test`. */
export default {
  ...config,
  testSequencer: '<rootDir>/test/suites/longest-first.mjs',
  // The plans have a snapshot, which Jest keeps by the file of its test.
  testMatch: ['<rootDir>/test/suites/*.suite.ts', '<rootDir>/test/database/plans.e2e-spec.ts'],
};
