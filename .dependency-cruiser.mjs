// DESIGN.md: "Arrows point one way". Types count like values: what a file must not know, it must not know by type either.

/** Which other modules a feature module may ask. Every module may ask audit and organizations; installation may ask all. */
const ARROWS = {
  audit: [],
  catalog: [],
  guardrails: ['workspaces', 'catalog', 'keys'],
  keys: ['workspaces'],
  observability: ['workspaces', 'keys'],
  organizations: [],
  presets: ['workspaces', 'catalog'],
  scim: ['workspaces'],
  workspaces: [],
};

/** What a module shows to the others: itself, its services and errors, and plain words. */
const FACES = [
  '\\.module\\.ts$',
  '\\.service\\.ts$',
  '\\.errors\\.ts$',
  '/organizations/member-role\\.ts$',
  '/audit/audit(-trail|ed-event)\\.ts$',
  '/workspaces/workspace-tenants\\.ts$',
  '/keys/key-followers\\.ts$',
  '/keys/current-key-statement\\.ts$',
];

/** Where statements are made. A service that only opens a transaction imports no more of TypeORM than DataSource. */
const TALKS_TO_DATABASE = [
  '^src/database/',
  '^src/modules/[^/]+/entities/',
  '\\.repository\\.ts$',
  '^src/modules/catalog/import/catalog-import\\.service\\.ts$',
];

/** Services and commands that open a transaction, or look whether the database answers. */
const OPENS_TRANSACTIONS = [
  '^src/cli/',
  '^src/http/health/readiness\\.ts$',
  '^src/modules/installation/installation\\.service\\.ts$',
  '^src/modules/keys/authorization-codes\\.service\\.ts$',
];

/** Where Node.js or TypeORM's command line starts. */
const STARTS = '^(src/main|src/boot/workers/worker|src/cli/main|src/cli/openapi|ormconfig)\\.ts$';

const NOT_SHIPPED = '\\.(spec|fixture)\\.m?[jt]s$';

export default {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'No file needs itself, however far around.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'config-stands-alone',
      comment: 'config imports nothing else of src.',
      severity: 'error',
      from: { path: '^src/config/' },
      to: { path: '^(src/(?!config/)|catalog/)' },
    },
    {
      name: 'foundation-knows-no-module',
      comment:
        'http, auth, database, limits and config know nothing of modules, nor of what puts the application together.',
      severity: 'error',
      from: { path: '^src/(http|auth|database|limits|config)/' },
      to: { path: '^src/(?!(http|auth|database|limits|config)/)' },
    },
    {
      name: 'auth-is-above-http-and-database',
      comment: 'auth knows http; http and database do not know auth.',
      severity: 'error',
      from: { path: '^src/(http|database)/' },
      to: { path: '^src/auth/' },
    },
    {
      name: 'modules-stand-on-the-foundation',
      comment: 'modules -> auth, http, limits, database, config.',
      severity: 'error',
      from: { path: '^src/modules/' },
      to: { path: '^src/(?!(modules|auth|http|database|limits|config)/)' },
    },
    ...Object.entries(ARROWS).map(([module, asked]) => ({
      name: `${module}-asks-${asked.join('-and-') || 'nobody'}`,
      comment: 'Between modules only the arrows of DESIGN.md.',
      severity: 'error',
      from: { path: `^src/modules/${module}/` },
      to: {
        path: '^src/modules/',
        pathNot: `^src/modules/(${[module, 'audit', 'organizations', ...asked].join('|')})/`,
      },
    })),
    {
      name: 'every-module-has-arrows',
      comment: 'A new module is entered in ARROWS first.',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: `^src/modules/(${[...Object.keys(ARROWS), 'installation'].join('|')})/` },
      to: {},
    },
    {
      name: 'nobody-asks-installation',
      comment: 'installation sets deployments up, above all modules.',
      severity: 'error',
      from: { path: '^src/modules/(?!installation/)' },
      to: { path: '^src/modules/installation/' },
    },
    {
      name: 'modules-meet-at-their-faces',
      comment:
        'Between modules only services (and modules, errors and plain words): never an entity, a repository or a DTO.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: { path: '^src/modules/', pathNot: ['^src/modules/$1/', ...FACES] },
    },
    {
      name: 'rows-stay-in-their-module',
      comment: 'Entities and repositories are for their own module.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/modules/' },
      to: { path: '^src/modules/.*(/entities/|\\.repository\\.ts$|\\.mapper\\.ts$)' },
    },
    {
      name: 'controllers-ask-services',
      comment: 'A controller has no way past its service.',
      severity: 'error',
      from: { path: '\\.controller\\.ts$', pathNot: '^src/http/' },
      to: { path: ['\\.(repository|mapper|entity)\\.ts$', '^node_modules/(@nestjs/)?typeorm/'] },
    },
    {
      name: 'rows-and-answers-know-no-service',
      comment: 'controller -> service -> repository, mapper -> entities, dto; never back.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/.*\\.(repository|mapper|entity|dto|errors)\\.ts$' },
      to: { path: '^src/modules/$1/.*\\.(service|controller|module)\\.ts$' },
    },
    {
      name: 'answers-know-no-rows',
      comment: 'A DTO is what goes over the wire; only a mapper knows both.',
      severity: 'error',
      from: { path: '\\.dto\\.ts$' },
      to: { path: ['/entities/', '^node_modules/(@nestjs/)?typeorm/'] },
    },
    {
      name: 'nobody-imports-the-commands',
      comment: 'cli and main are where things start.',
      severity: 'error',
      from: { pathNot: '^src/cli/' },
      to: { path: '^src/(cli/|main\\.ts$)' },
    },
    {
      name: 'only-starters-boot',
      comment: 'boot is what main and cli do before and after there is an application.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(cli|boot)/', '^src/main\\.ts$'] },
      to: { path: '^src/boot/' },
    },
    {
      name: 'only-starters-assemble',
      comment: 'The application as a whole is for main, with its steps in boot, and cli.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(boot|cli)/', '^src/(main|app\\.setup)\\.ts$'] },
      to: { path: '^src/app\\.' },
    },
    {
      name: 'queries-in-repositories',
      comment: 'TypeORM as a value only where statements are made, and DataSource where transactions are opened.',
      severity: 'error',
      from: { path: '^src/', pathNot: [...TALKS_TO_DATABASE, ...OPENS_TRANSACTIONS] },
      to: { path: '^node_modules/typeorm/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'repositories-are-injected-in-repositories',
      comment: 'InjectRepository in repositories, TypeOrmModule in modules, and @nestjs/typeorm nowhere else.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['\\.(repository|module)\\.ts$'] },
      to: { path: '^node_modules/@nestjs/typeorm/' },
    },
    {
      name: 'nothing-unused',
      comment: 'Every file is reached from where something starts; a test alone is no use.',
      severity: 'error',
      from: { path: STARTS },
      to: { path: '^src/', pathNot: [STARTS, NOT_SHIPPED], reachable: false },
    },
    {
      name: 'no-orphan',
      comment: 'A file that imports nothing and that nothing imports.',
      severity: 'error',
      from: { orphan: true, pathNot: NOT_SHIPPED },
      to: {},
    },
    {
      name: 'sources-need-no-tests',
      comment: 'What is shipped does not need what is not.',
      severity: 'error',
      from: { path: '^(src/|ormconfig)', pathNot: NOT_SHIPPED },
      to: { path: ['^(test|bench)/', NOT_SHIPPED] },
    },
    {
      name: 'no-development-dependency',
      comment: 'They are not there in production.',
      severity: 'error',
      from: { path: '^(src/|ormconfig)', pathNot: NOT_SHIPPED },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-unlisted-dependency',
      comment: 'package.json names every package that is imported.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-bundled'] },
    },
    {
      name: 'no-unresolved',
      comment: 'Imports lead somewhere.',
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
