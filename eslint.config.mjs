import eslint from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import jsdoc from 'eslint-plugin-jsdoc';
import tseslint from 'typescript-eslint';

const ENVIRONMENT_MESSAGE =
  'Only src/config and src/bootstrap read the environment of the process; other code receives an Environment.';

/** Tests and the benchmark, which are not shipped. */
const TESTS = ['test/**', '**/*.spec.ts', '**/*.fixture.mjs', 'bench/**'];

/** Files that may read the environment of the process. */
const READS_ENVIRONMENT = ['src/config/**', 'src/bootstrap/**', 'ormconfig.ts', '*.mjs', 'bin/**', ...TESTS];

/** Exported declarations that need a docstring. For methods and types it is optional. */
const DOCUMENTED = ['ArrowFunctionExpression', 'ClassDeclaration', 'FunctionDeclaration', 'TSInterfaceDeclaration'];

const FORWARD_REFERENCE = {
  name: '@nestjs/common',
  importNames: ['forwardRef'],
  message: 'Circular dependencies between modules are forbidden (docs/architecture.md#dependencies).',
};

const ENVIRONMENT_IMPORT = {
  selector: 'ImportDeclaration[source.value=/^(node:)?process$/] ImportSpecifier[imported.name="env"]',
  message: ENVIRONMENT_MESSAGE,
};

const STATEMENT_MESSAGE = 'Statements belong in repositories, whose methods are named after their purpose.';

/** What makes a statement on TypeORM's EntityManager: all but transaction(), which services open. */
const STATEMENT = [
  'CallExpression[callee.object.name="manager"]',
  'CallExpression[callee.object.property.name="manager"]',
  'CallExpression[callee.object.property.name="dataSource"][callee.property.name!="transaction"]',
].map((selector) => ({ selector, message: STATEMENT_MESSAGE }));

/** What is said of work that is not waited for, and of a timer that goes on. */
const LEFT_BEHIND_MESSAGE =
  'What goes on behind a request leaves its transaction: behindRequest or onItsOwn of src/concurrency/request-scope.ts.';

const WITHIN_SCOPE_CALL = 'CallExpression[callee.name=/^(onItsOwn|behindRequest)$/]';

/** Work that a request may leave behind, unless it leaves the transaction of the request (docs/adr/0020). */
const LEFT_BEHIND = [
  'UnaryExpression[operator="void"][argument.callee.object.type="ThisExpression"]',
  'CallExpression[callee.name="setInterval"]',
].map((selector) => ({ selector: `${selector}:not(${WITHIN_SCOPE_CALL} *)`, message: LEFT_BEHIND_MESSAGE }));

const LOOP = ':matches(ForOfStatement, ForInStatement, ForStatement, WhileStatement, DoWhileStatement)';

const CALLBACK =
  'CallExpression[callee.property.name=/^(map|flatMap|filter|forEach|every|some|find|findLast|reduce|sort|toSorted)$/] > :matches(ArrowFunctionExpression, FunctionExpression)';

/**
 * What may be searched for each entry of a list, by its name: lists that the code itself, the catalog or the operator bounds, the few parts of
 * one entry, and texts in which the next search begins where the last one ended.
 */
const SEARCHED = [
  ...['classes', 'entities', 'fields', 'further', 'passed', 'possible', 'tiers', 'variant', 'words'],
  ...['entries', 'ofItem'],
  ...['json', 'key', 'pair', 'piece', 'source', 'text'],
];

const SEARCH = `CallExpression[callee.property.name=/^(find|findIndex|findLast|findLastIndex|indexOf|includes|lastIndexOf)$/][callee.object.type="Identifier"][callee.object.name=/^(?!(${SEARCHED.join('|')})$)[a-z]/]`;

const COPY = 'CallExpression[callee.property.name=/^(concat|shift|splice|toSpliced|unshift)$/]';

/** Work that grows with the square of a list (docs/limits.md#work): counted blocks of code, as test/work has them, do not show all of it. */
const SQUARES = [
  ...[LOOP, CALLBACK].map((within) => ({
    selector: `${within} ${SEARCH}`,
    message: 'Look it up in a Map or a Set that is made before: a list of a client or a provider may be long.',
  })),
  ...[
    `${LOOP} ${COPY}`,
    `${LOOP} AssignmentExpression > ArrayExpression > SpreadElement`,
    `${LOOP} CallExpression[callee.property.name="set"] > ArrayExpression > SpreadElement`,
    'CallExpression[callee.property.name=/^reduce/] > ArrowFunctionExpression SpreadElement',
  ].map((selector) => ({
    selector,
    message: 'Push to one list, and join at the end: what is copied for each entry takes work with the square of them.',
  })),
];

export default defineConfig(
  globalIgnores([
    'dist/',
    'coverage/',
    '.data/',
    'packages/console/src/api/schema.d.ts',
    'packages/console/src/api/descriptions.ts',
  ]),
  {
    name: 'gatehouse/everything',
    extends: [eslint.configs.recommended],
    // A rule that does not fit is changed here, for everybody and with its reason: comments that switch rules off have no
    // effect, and count as a warning.
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
      'object-shorthand': 'error',
    },
  },
  {
    name: 'gatehouse/media',
    // The first bytes of media are compared as characters, and many of them are control characters.
    files: ['src/modules/inference/pipeline/content/media-content.ts'],
    rules: { 'no-control-regex': 'off' },
  },
  {
    name: 'gatehouse/environment',
    ignores: READS_ENVIRONMENT,
    rules: {
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: ENVIRONMENT_MESSAGE }],
      'no-restricted-syntax': ['error', ENVIRONMENT_IMPORT],
    },
  },
  {
    name: 'gatehouse/scripts',
    files: ['**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(Object.getOwnPropertyNames(globalThis).map((name) => [name, 'readonly'])),
    },
  },
  {
    name: 'gatehouse/typescript',
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // One is marked only to stand out: OIDC_ALLOW_PRIVATE_ISSUERS allows http. The other is that of the newest revision of MCP, not of others.
      '@typescript-eslint/no-deprecated': [
        'error',
        {
          allow: [
            { from: 'package', package: 'openid-client', name: 'allowInsecureRequests' },
            { from: 'package', package: '@modelcontextprotocol/server', name: 'log' },
          ],
        },
      ],
      // The house is stricter here.
      '@typescript-eslint/ban-ts-comment': [
        'error',
        { 'ts-check': true, 'ts-expect-error': true, 'ts-ignore': true, 'ts-nocheck': true },
      ],
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/explicit-function-return-type': ['error', { allowExpressions: true }],
      '@typescript-eslint/explicit-member-accessibility': ['error', { accessibility: 'no-public' }],
      '@typescript-eslint/no-restricted-imports': ['error', { paths: [FORWARD_REFERENCE] }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],

      // And less strict here. A module is a class for its decorator's sake.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { boolean: true } }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // What came from outside is a record, and looks like one: body['limit_usd'].
      '@typescript-eslint/dot-notation': ['error', { allowIndexSignaturePropertyAccess: true }],
      // DTOs and entities are classes for their decorators' sake, and are written as plain objects everywhere.
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // The compiler takes no index for granted (noUncheckedIndexedAccess), so what the lines above prove has to be said.
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    name: 'gatehouse/outgoing-requests',
    files: ['src/**/*.ts'],
    ignores: TESTS,
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'fetch', message: 'Requests leave by src/http/outgoing, which knows proxies and checks addresses.' },
      ],
    },
  },
  {
    name: 'gatehouse/controllers',
    files: ['src/**/*.controller.ts'],
    // @Operation names the class of the answer, and the compiler compares it with what the method returns.
    rules: { '@typescript-eslint/explicit-function-return-type': 'off' },
  },
  {
    name: 'gatehouse/settings',
    files: ['src/config/environment.ts'],
    // The type of the configuration is that of the settings, each of which is declared once.
    rules: { '@typescript-eslint/explicit-function-return-type': 'off' },
  },
  {
    name: 'gatehouse/statements',
    files: ['src/modules/**/*.ts'],
    ignores: [
      '**/*.repository.ts',
      // The import is one long transaction over all tables of the catalog, and a module of its own in all but name.
      'src/modules/catalog/import/catalog-import.service.ts',
      // Takes the lock under which a deployment is set up, which belongs to no table.
      'src/modules/installation/installation.service.ts',
      ...TESTS,
    ],
    rules: {
      'no-restricted-syntax': ['error', ENVIRONMENT_IMPORT, ...STATEMENT, ...LEFT_BEHIND],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            FORWARD_REFERENCE,
            { name: 'typeorm', importNames: ['Repository'], message: STATEMENT_MESSAGE },
            { name: '@nestjs/typeorm', importNames: ['InjectRepository'], message: STATEMENT_MESSAGE },
          ],
        },
      ],
    },
  },
  {
    name: 'gatehouse/work',
    // What handles the bodies of requests and the answers of providers.
    files: ['src/modules/{codecs,content,inference}/**/*.ts'],
    ignores: ['**/*.repository.ts', ...TESTS],
    rules: { 'no-restricted-syntax': ['error', ENVIRONMENT_IMPORT, ...STATEMENT, ...SQUARES] },
  },
  {
    name: 'gatehouse/work-of-input',
    files: ['src/http/{input,validation}/**/*.ts'],
    ignores: TESTS,
    rules: { 'no-restricted-syntax': ['error', ENVIRONMENT_IMPORT, ...SQUARES] },
  },
  {
    name: 'gatehouse/docstrings',
    files: ['src/**/*.ts'],
    ignores: TESTS,
    plugins: { jsdoc },
    settings: { jsdoc: { mode: 'typescript' } },
    rules: {
      'jsdoc/check-alignment': 'error',
      'jsdoc/check-param-names': ['error', { checkDestructured: false, disableMissingParamChecks: true }],
      'jsdoc/check-tag-names': 'error',
      'jsdoc/no-types': 'error',
      'jsdoc/require-description': [
        'error',
        { contexts: DOCUMENTED.map((node) => `ExportNamedDeclaration > ${node}`) },
      ],
      'jsdoc/require-jsdoc': [
        'error',
        {
          publicOnly: true,
          require: { ClassDeclaration: false, FunctionDeclaration: false },
          contexts: DOCUMENTED,
        },
      ],
    },
  },
  {
    name: 'gatehouse/tests',
    files: TESTS,
    rules: {
      '@typescript-eslint/explicit-function-return-type': 'off',
      // A test says what it expects; that the compiler expects it too is no reason to leave it out.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // expect.any(String) and its like are of type any.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // A class may be there to be looked at only.
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/use-unknown-in-catch-callback-variable': 'off',
    },
  },
);
