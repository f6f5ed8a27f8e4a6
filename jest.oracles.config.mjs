import config from './jest.config.mjs';

/** The tests in which official clients of providers read what the simulated ones send, and say what requests have: `npm run test:oracles`. */
export default {
  ...config,
  testMatch: ['<rootDir>/test/**/*.oracle.spec.ts'],
  // They need no PostgreSQL.
  globalSetup: undefined,
  globalTeardown: undefined,
};
