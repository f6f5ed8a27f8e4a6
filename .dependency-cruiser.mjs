// Dependencies point one way (docs/architecture.md). Type imports count as dependencies too.

/** The modules that a feature module may import. Every module may import audit, organization-limits and organizations; installation may import all. */
const MODULE_DEPENDENCIES = {
  alerts: ['configuration', 'keys', 'limits', 'observability', 'spend', 'workspaces'],
  audit: [],
  catalog: [],
  codecs: ['catalog'],
  configuration: ['encryption'],
  content: [],
  encryption: [],
  'external-users': [],
  federation: ['configuration', 'encryption', 'keys'],
  generations: ['encryption', 'labels', 'limits', 'observability', 'spend', 'usage'],
  inference: [
    'catalog',
    'codecs',
    'content',
    'generations',
    'guardrails',
    'inspectors',
    'keys',
    'labels',
    'limits',
    'observability',
    'presets',
    'providers',
    'rates',
    'response-cache',
    'routing',
    'spend',
    'workspaces',
  ],
  inspectors: ['catalog', 'configuration', 'content', 'encryption', 'limits', 'observability', 'providers'],
  replays: [
    'configuration',
    'content',
    'generations',
    'guardrails',
    'inference',
    'labels',
    'limits',
    'observability',
    'spend',
  ],
  routing: ['catalog', 'guardrails'],
  idempotency: [],
  guardrails: ['configuration', 'workspaces', 'catalog', 'content', 'keys', 'limits', 'providers'],
  keys: ['configuration', 'labels', 'rates', 'spend', 'usage', 'workspaces'],
  labels: [],
  limits: ['configuration', 'labels', 'workspaces'],
  observability: ['configuration', 'content', 'encryption', 'labels', 'workspaces', 'keys'],
  mcp: [
    'content',
    'encryption',
    'generations',
    'guardrails',
    'inference',
    'keys',
    'labels',
    'limits',
    'mcp-servers',
    'observability',
    'spend',
    'workspaces',
  ],
  'mcp-servers': ['configuration', 'encryption', 'observability', 'providers'],
  'organization-limits': [],
  organizations: [],
  oauth: ['keys', 'sign-in', 'workspaces'],
  presets: ['configuration', 'workspaces', 'catalog'],
  'private-models': ['configuration', 'catalog', 'codecs', 'observability', 'providers', 'workspaces'],
  providers: ['configuration', 'catalog', 'codecs', 'encryption', 'keys', 'observability', 'workspaces'],
  rates: [],
  'response-cache': ['encryption', 'workspaces'],
  scim: ['configuration', 'keys', 'workspaces'],
  'sign-in': ['configuration', 'encryption', 'keys', 'scim'],
  spend: ['labels', 'limits'],
  usage: [],
  workspaces: ['configuration', 'labels', 'rates'],
};

/** Files that may import TypeORM. */
const DATABASE_FILES = ['^src/persistence/', '^src/modules/[^/]+/entities/', '\\.repository\\.ts$'];

/** Services and commands that open a transaction or check the database, and may import TypeORM's DataSource. */
const TRANSACTION_FILES = [
  '^src/cli/',
  '^src/http/health/readiness\\.ts$',
  '^src/modules/installation/installation\\.service\\.ts$',
  '^src/modules/oauth/codes/authorization-codes\\.service\\.ts$',
];

/** The entry points of Node.js and of TypeORM's command line. */
const ENTRY_POINTS = '^(src/main|src/cli/main|src/cli/openapi|ormconfig)\\.ts$';

const NOT_SHIPPED = '\\.(spec|fixture)\\.m?[jt]s$';

/** The lists of what modules show to others. */
const FACES = '^src/modules/[^/]+/index\\.ts$';

/** Types of packages that have none, which no file names. */
const DECLARATIONS = '\\.d\\.ts$';

export default {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'No circular dependencies.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'packages-are-self-contained',
      comment: 'Packages import nothing from src.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^src/' },
    },
    {
      name: 'packages-have-one-entry-point',
      comment: 'src imports only the index.ts of a package; its tests read the examples of content detectors too.',
      severity: 'error',
      from: { path: '^(src/|ormconfig)' },
      to: { path: '^packages/', pathNot: ['^packages/[^/]+/index\\.ts$', '^packages/content-detectors/corpus/'] },
    },
    {
      name: 'config-is-self-contained',
      comment: 'config imports nothing else from src.',
      severity: 'error',
      from: { path: '^src/config/' },
      to: { path: '^(src/(?!config/)|catalog/)' },
    },
    {
      name: 'foundation-does-not-depend-on-modules',
      comment:
        'http, auth, telemetry, persistence, concurrency and config depend neither on modules nor on the files that create the application.',
      severity: 'error',
      from: { path: '^src/(http|auth|telemetry|persistence|concurrency|config)/' },
      to: { path: '^src/(?!(http|auth|telemetry|persistence|concurrency|config)/)' },
    },
    {
      name: 'auth-is-above-http-and-persistence',
      comment: 'auth may depend on http; http, telemetry and persistence do not depend on auth.',
      severity: 'error',
      from: { path: '^src/(http|telemetry|persistence)/' },
      to: { path: '^src/auth/' },
    },
    {
      name: 'persistence-depends-on-concurrency-and-config-only',
      comment: 'persistence imports nothing from src except concurrency and config.',
      severity: 'error',
      from: { path: '^src/persistence/' },
      to: { path: '^src/(?!(persistence|concurrency|config)/)' },
    },
    {
      name: 'concurrency-depends-on-config-only',
      comment: 'concurrency imports nothing from src except config.',
      severity: 'error',
      from: { path: '^src/concurrency/' },
      to: { path: '^src/(?!(concurrency|config)/)' },
    },
    {
      name: 'telemetry-does-not-depend-on-http',
      comment: 'http uses telemetry, and not the other way.',
      severity: 'error',
      from: { path: '^src/telemetry/' },
      to: { path: '^src/http/' },
    },
    {
      name: 'http-does-not-depend-on-persistence',
      comment:
        'Except for the readiness check, the error for an unavailable database, and the slots, which are as many as connections.',
      severity: 'error',
      from: {
        path: '^src/http/',
        pathNot: [
          '^src/http/health/readiness\\.ts$',
          '^src/http/errors/unavailability\\.ts$',
          '^src/http/request-limits/request-slots\\.ts$',
          '\\.spec\\.ts$',
        ],
      },
      to: { path: '^src/persistence/' },
    },
    {
      name: 'modules-depend-on-the-foundation-only',
      comment: 'modules -> auth, http, telemetry, persistence, concurrency, config.',
      severity: 'error',
      from: { path: '^src/modules/' },
      to: { path: '^src/(?!(modules|auth|http|telemetry|concurrency|persistence|config)/)' },
    },
    ...Object.entries(MODULE_DEPENDENCIES).map(([module, allowed]) => ({
      name: `${module}-depends-on-${allowed.join('-and-') || 'no-module'}`,
      comment: 'Modules depend on each other as in MODULE_DEPENDENCIES.',
      severity: 'error',
      from: { path: `^src/modules/${module}/`, pathNot: NOT_SHIPPED },
      to: {
        path: '^src/modules/',
        pathNot: `^src/modules/(${[module, 'audit', 'organization-limits', 'organizations', ...allowed].join('|')})/`,
      },
    })),
    {
      name: 'every-module-declares-dependencies',
      comment: 'Add a new module to MODULE_DEPENDENCIES.',
      severity: 'error',
      from: {
        path: '^src/modules/',
        pathNot: `^src/modules/(${[...Object.keys(MODULE_DEPENDENCIES), 'installation'].join('|')})/`,
      },
      to: {},
    },
    {
      name: 'no-module-depends-on-installation',
      comment: 'installation sets up deployments and depends on other modules.',
      severity: 'error',
      from: { path: '^src/modules/(?!installation/)' },
      to: { path: '^src/modules/installation/' },
    },
    {
      name: 'faces-are-lists',
      comment:
        'The index.ts of a module lists what others may import, which test/architecture/module-faces.spec.ts compares; an import names the file itself (docs/adr/0025-faces-are-lists.md).',
      severity: 'error',
      from: {},
      to: { path: FACES },
    },
    {
      name: 'errors-are-defined-in-errors-files',
      comment: 'So that all reasons can be listed, and compared with docs/interface/errors.md.',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.errors\\.ts$' },
      to: { path: '^src/http/errors/(define-error|issue-kind)\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'controllers-use-services-only',
      comment: 'A controller imports services, not repositories, mappers or entities.',
      severity: 'error',
      from: { path: '\\.controller\\.ts$', pathNot: '^src/http/' },
      to: { path: ['\\.(repository|mapper|entity)\\.ts$', '^node_modules/(@nestjs/)?typeorm/'] },
    },
    {
      name: 'layers-point-one-way',
      comment: 'controller -> service -> repository, mapper -> entities, dto; never the other way.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/.*\\.(repository|mapper|entity|dto|errors)\\.ts$' },
      to: { path: '^src/modules/$1/.*\\.(service|controller|module)\\.ts$' },
    },
    {
      name: 'dtos-do-not-depend-on-entities',
      comment: 'Only mappers depend on both DTOs and entities.',
      severity: 'error',
      from: { path: '\\.dto\\.ts$' },
      to: { path: ['/entities/', '^node_modules/(@nestjs/)?typeorm/'] },
    },
    {
      name: 'no-imports-of-commands',
      comment: 'cli and main are entry points.',
      severity: 'error',
      from: { pathNot: '^src/cli/' },
      to: { path: '^src/(cli/|main\\.ts$)' },
    },
    {
      name: 'commands-are-loaded-by-name',
      comment: 'Only the command that is named is loaded: help comes without the service behind it.',
      severity: 'error',
      from: { path: '^src/cli/(main|command-line)\\.ts$' },
      to: {
        path: '^src/',
        pathNot: ['^src/cli/command-line\\.ts$', '^src/config/version\\.ts$'],
        dependencyTypesNot: ['dynamic-import'],
      },
    },
    {
      name: 'only-entry-points-use-bootstrap',
      comment: 'bootstrap contains the steps of main and cli around the application.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(cli|bootstrap)/', '^src/main\\.ts$'] },
      to: { path: '^src/bootstrap/' },
    },
    {
      name: 'only-entry-points-create-the-application',
      comment: 'Only main, bootstrap and cli import the whole application.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(bootstrap|cli)/', '^src/(main|app\\.setup)\\.ts$'] },
      to: { path: '^src/app\\.' },
    },
    {
      name: 'queries-in-repositories',
      comment: 'Only repositories and persistence import TypeORM, and files that open transactions.',
      severity: 'error',
      from: { path: '^src/', pathNot: [...DATABASE_FILES, ...TRANSACTION_FILES] },
      to: { path: '^node_modules/typeorm/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'repositories-are-injected-in-repositories',
      comment: '@nestjs/typeorm is imported in repositories and modules only.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['\\.(repository|module)\\.ts$'] },
      to: { path: '^node_modules/@nestjs/typeorm/' },
    },
    {
      name: 'requests-leave-in-one-place',
      comment:
        'Only http/outgoing sends requests, so that every answer has its listener for errors (docs/deploy/egress.md).',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/http/outgoing/', NOT_SHIPPED] },
      to: { path: '^node_modules/undici/' },
    },
    {
      name: 'nothing-unused',
      comment: 'Every file is reachable from an entry point; use in a test is not enough.',
      severity: 'error',
      from: { path: ENTRY_POINTS },
      to: { path: '^src/', pathNot: [ENTRY_POINTS, NOT_SHIPPED, DECLARATIONS, FACES], reachable: false },
    },
    {
      name: 'no-orphan',
      comment: 'No file without imports that is not imported either.',
      severity: 'error',
      from: { orphan: true, pathNot: [NOT_SHIPPED, DECLARATIONS] },
      to: {},
    },
    {
      name: 'sources-need-no-tests',
      comment: 'Shipped files do not import tests, fixtures or the benchmark.',
      severity: 'error',
      from: { path: '^(src/|packages/|ormconfig)', pathNot: NOT_SHIPPED },
      to: { path: ['^(test|bench)/', NOT_SHIPPED] },
    },
    {
      name: 'no-development-dependency',
      comment: 'Development dependencies are not installed in production. Those of the console are bundled with it.',
      severity: 'error',
      from: { path: '^(src/|packages/|ormconfig)', pathNot: [NOT_SHIPPED, '^packages/console/'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-unlisted-dependency',
      comment: 'package.json lists every imported package.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-bundled'] },
    },
    {
      name: 'no-unresolved',
      comment: 'Every import can be resolved.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: '^(node_modules|dist)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
