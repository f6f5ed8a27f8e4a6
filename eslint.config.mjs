import eslint from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import jsdoc from 'eslint-plugin-jsdoc';
import tseslint from 'typescript-eslint';

const ENVIRONMENT_MESSAGE = 'Only src/boot reads the environment of the process; everything else gets an Environment.';

const TESTS = ['test/**/*.ts', '**/*.spec.ts', 'bench/**/*.ts'];

export default defineConfig(
  globalIgnores(['dist/', 'coverage/', '.data/']),
  {
    // A rule that does not fit is changed here, with its reason, for everybody. Comments that switch rules off have no effect.
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
  },
  eslint.configs.recommended,
  {
    rules: {
      'consistent-return': 'off', // TypeScript sees it (noImplicitReturns would be its name), through never and void as well.
      curly: ['error', 'multi-line'],
      eqeqeq: 'error',
      'no-console': 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-warning-comments': ['error', { terms: ['eslint-disable', 'eslint-enable', 'prettier-ignore', 'fixme', 'xxx'] }],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@nestjs/common',
              importNames: ['forwardRef'],
              message: 'Modules do not refer to each other in circles (DESIGN.md).',
            },
          ],
        },
      ],
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: ENVIRONMENT_MESSAGE }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ImportDeclaration[source.value=/^(node:)?process$/] ImportSpecifier[imported.name="env"]', message: ENVIRONMENT_MESSAGE },
      ],
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/ban-ts-comment': [
        'error',
        { 'ts-check': true, 'ts-expect-error': true, 'ts-ignore': true, 'ts-nocheck': true },
      ],
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/explicit-function-return-type': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/promise-function-async': 'off',
    },
  },
);
