/** Single files of tests, while one is being written: `npx jest test/e2e/keys/list-keys`. */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.e2e-spec.ts', '<rootDir>/{src,packages,test}/**/*.spec.ts'],
  globalSetup: '<rootDir>/test/support/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.mjs',
  // More than a test takes, but for those that say so: one that waits for what never comes ends by it.
  testTimeout: 120_000,
  // One more than the cores of a small machine: half of its time a worker waits for PostgreSQL, or for a process that a test has started.
  maxWorkers: 3,
  moduleFileExtensions: ['js', 'ts', 'mjs', 'json'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  // Sources import each other with the ending that they have after compilation.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  // Packages that are published as ES modules alone, which the CommonJS of the tests cannot load as they are.
  transformIgnorePatterns: [
    '/node_modules/(?!(@nestjs|@openrouter/sdk|uuid|re2js|file-type|strtok3|token-types|uint8array-extras|@tokenizer|@borewit|load-esm|helmet|commander|@opentelemetry/otlp-exporter-base|jose|@marcbachmann|openid-client|oauth4webapi|oidc-provider|eta|koa|@koa|nanoid|oidc-token-hash|quick-lru|jsesc|object-hash|debug|raw-body|mime-types|content-disposition|cookies|keygrip|http-errors|@noble)/)',
  ],
  transform: {
    '^.+\\.(ts|js)$': [
      '@swc/jest',
      {
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          keepClassNames: true,
          experimental: { keepImportAttributes: false },
        },
      },
    ],
  },
};
