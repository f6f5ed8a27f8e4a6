import config from './jest.config.mjs';

/** The public conformance suite of MCP, which is installed apart, against the endpoint for tools: `npm run test:conformance`. */
export default {
  ...config,
  testTimeout: 300_000,
  testMatch: ['<rootDir>/test/**/*.conformance.spec.ts'],
};
