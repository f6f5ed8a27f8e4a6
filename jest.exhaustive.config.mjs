import config from './jest.config.mjs';

/** The tests that try very many inputs, much data or many processes: `npm run test:exhaustive`. */
export default {
  ...config,
  testTimeout: 600_000,
  testMatch: ['<rootDir>/{src,packages,test}/**/*.exhaustive.spec.ts'],
};
