import config from './jest.config.mjs';

/** The tests in a browser, which fail where there is no Chromium: `npm run test:browser`. */
export default {
  ...config,
  testTimeout: 600_000,
  testMatch: ['<rootDir>/test/**/*.browser.spec.ts'],
};
