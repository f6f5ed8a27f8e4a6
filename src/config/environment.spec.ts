import { randomBytes } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { ConfigurationError } from './variable-reader.js';
import { readEnvironment } from './environment.js';
import { KEY, variablesRead } from './environment.fixture.js';

type Variables = Readonly<Record<string, string | undefined>>;

describe('readEnvironment', () => {
  it('has a default for every variable', () => {
    expect(readEnvironment({})).toMatchObject({
      port: 3000,
      host: '0.0.0.0',
      trustedProxies: undefined,
      databaseUrl: undefined,
      dataDirectory: undefined,
      redisUrl: undefined,
      apiBasePath: '/api/v1',
      apiDialect: 'specification',
      zdrVendors: ['anthropic', 'openai', 'google', 'xai'],
      anonymousOperations: new Set(),
      dataRegion: 'global',
      keyDeletionRateLimit: 600,
      corsOrigins: new Set(),
      maximumConnections: undefined,
      requestBodyMemoryPerOrganizationMib: 32,
      requestBodyMemoryMib: 256,
      allowPrivateDestinations: false,
      allowPrivateUpstreams: false,
      operatorOrganizationId: undefined,
      allowPrivateImageAddresses: false,
      oidcAllowPrivateIssuers: false,
      tokenExchangesPerMinute: 600,
      signInsPerMinute: 300,
      keyDeletionRateWindowSeconds: 60,
      dnsServers: [],
      encryptionKeys: [],
      logLevel: 'info',
    });
  });

  it('reads every variable', () => {
    const environment = readEnvironment(
      {
        PORT: '8080',
        HOST: '127.0.0.1',
        TRUST_PROXY: 'loopback, 10.0.0.0/8',
        DATABASE_URL: 'postgresql://user:password@db:5432/gatehouse',
        MIGRATION_DATABASE_URL: 'postgresql://user:password@db:5433/gatehouse',
        DATABASE_STATEMENT_TIMEOUT_MS: '600000',
        DNS_TIMEOUT_MS: '100',
        PATTERN_TIMEOUT_MS: '600000',
        CONTENT_CLASSIFIER_LABELS: 'Attack, label_2',
        CONTENT_CLASSIFIER_THRESHOLD: '.25',
        DATA_DIR: '/somewhere',
        REDIS_URL: 'rediss://cache:6379',
        API_BASE_PATH: '/gateway/api/v1',
        API_DIALECT: 'public',
        ZDR_VENDORS: 'mistralai, openai ,google,x-ai',
        ANONYMOUS_OPERATIONS: 'one, two',
        DATA_REGION: 'europe',
        KEY_DELETION_RATE_LIMIT: '1',
        KEY_DELETION_RATE_WINDOW_S: '86400',
        ALLOW_PRIVATE_DESTINATIONS: 'true',
        ALLOW_PRIVATE_UPSTREAMS: 'true',
        OPERATOR_ORGANIZATION_ID: 'org_019aa3f05b1e7c409d0e3d1c2b4a5f64',
        ALLOW_PRIVATE_IMAGE_ADDRESSES: 'true',
        OIDC_ALLOW_PRIVATE_ISSUERS: 'true',
        TOKEN_EXCHANGES_PER_MINUTE: '10',
        SIGN_INS_PER_MINUTE: '20',
        ENCRYPTION_KEY: `${KEY.toString('base64')},${KEY.toString('hex').toUpperCase()}`,
        LOG_LEVEL: 'silent',
      },
      ['one', 'two', 'three'],
    );

    expect(environment).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      trustedProxies: ['loopback', '10.0.0.0/8'],
      databaseUrl: 'postgresql://user:password@db:5432/gatehouse',
      migrationDatabaseUrl: 'postgresql://user:password@db:5433/gatehouse',
      databaseStatementTimeoutMs: 600_000,
      dnsTimeoutMs: 100,
      patternTimeoutMs: 600_000,
      contentClassifierLabels: new Set(['ATTACK', 'LABEL_2']),
      contentClassifierThreshold: 0.25,
      dataDirectory: '/somewhere',
      redisUrl: 'rediss://cache:6379',
      apiBasePath: '/gateway/api/v1',
      apiDialect: 'public',
      zdrVendors: ['mistralai', 'openai', 'google', 'x-ai'],
      anonymousOperations: new Set(['one', 'two']),
      dataRegion: 'europe',
      keyDeletionRateLimit: 1,
      keyDeletionRateWindowSeconds: 86_400,
      allowPrivateDestinations: true,
      allowPrivateUpstreams: true,
      operatorOrganizationId: 'org_019aa3f05b1e7c409d0e3d1c2b4a5f64',
      allowPrivateImageAddresses: true,
      oidcAllowPrivateIssuers: true,
      tokenExchangesPerMinute: 10,
      signInsPerMinute: 20,
      encryptionKeys: [KEY, KEY],
      logLevel: 'silent',
    });
  });

  it('bounds the memory of inference by half of the heap, and by three bodies where that is less', () => {
    const half = Math.floor(getHeapStatistics().heap_size_limit / 2);
    const gibibyte = 1024 ** 3;
    expect(readEnvironment({}).inferenceMemory).toBe(Math.max(half, 60 * 1024 ** 2));
    const large = { INFERENCE_BODY_LIMIT: '1GiB', INFERENCE_MEMORY_PER_ORGANIZATION: '1GiB' };
    expect(readEnvironment(large).inferenceMemory).toBe(Math.max(half, 3 * gibibyte));
    expect(readEnvironment({ INFERENCE_MEMORY: '2GiB' }).inferenceMemory).toBe(2 * gibibyte);
  });

  it('bounds the memory of inference of an organization by a quarter of the heap, and by two bodies where that is less', () => {
    const quarter = Math.floor(getHeapStatistics().heap_size_limit / 4);
    expect(readEnvironment({}).inferenceMemoryPerOrganization).toBe(Math.max(quarter, 40 * 1024 ** 2));
    const large = { INFERENCE_BODY_LIMIT: '1GiB' };
    expect(readEnvironment(large).inferenceMemoryPerOrganization).toBe(Math.max(quarter, 2 * 1024 ** 3));
    const small = { INFERENCE_BODY_LIMIT: '101MiB', INFERENCE_MEMORY_PER_ORGANIZATION: '100MiB' };
    expect(() => readEnvironment(small)).toThrow(/INFERENCE_BODY_LIMIT/);
  });

  it('treats empty and blank values as absent', () => {
    const empty = Object.fromEntries([...variablesRead()].map((name) => [name, ' ']));

    expect(readEnvironment(empty)).toEqual(readEnvironment({}));
  });

  it.each([
    ['PORT', ['-1', '65536', '3000.5', '3e3', '0x10', 'http', '1 2', '１']],
    ['DATABASE_STATEMENT_TIMEOUT_MS', ['0', '99', '600001', '0.9', '1s']],
    ['DNS_TIMEOUT_MS', ['99', '600001']],
    ['PATTERN_TIMEOUT_MS', ['99', '600001']],
    ['CONTENT_ANALYZER_URL', ['analyzer:5002', 'ftp://analyzer']],
    ['CONTENT_ANALYZER_ON_FAILURE', ['allow', 'Pass']],
    ['CONTENT_ANALYZER_TIMEOUT_MS', ['99', '600001']],
    ['CONTENT_ANALYZER_TOTAL_TIMEOUT_MS', ['99', '3600001']],
    ['CONTENT_CLASSIFIER_URL', ['classifier:8080', 'ftp://classifier']],
    ['CONTENT_CLASSIFIER_THRESHOLD', ['0', '0.0', '1.1', '-0.5', 'half', '1e-1']],
    ['CONTENT_CLASSIFIER_ON_FAILURE', ['allow', 'Pass']],
    ['CONTENT_CLASSIFIER_TIMEOUT_MS', ['99', '600001']],
    ['CONTENT_CLASSIFIER_TOTAL_TIMEOUT_MS', ['99', '3600001']],
    ['GENERATION_RETENTION_DAYS', ['0', '36501', '1.5']],
    ['KEY_DELETION_RATE_LIMIT', ['0', '-1', '1000001', 'many', 'Infinity']],
    ['KEY_DELETION_RATE_WINDOW_S', ['0', '86401', '1m']],
    [
      'CORS_ORIGINS',
      [
        '*',
        'null',
        'app.example.com',
        'https://app.example.com/',
        'https://APP.example.com',
        'https://app.example.com:443',
        'https://*.example.com, https://app.example.com/path',
        'https://user@app.example.com',
        'ftp://app.example.com',
      ],
    ],
    ['MAXIMUM_CONNECTIONS', ['0', '-1', '1000001', 'many']],
    ['REQUEST_BODY_MEMORY_PER_ORGANIZATION_MIB', ['0', '65537', '1.5', '32MiB']],
    ['REQUEST_BODY_MEMORY_MIB', ['0', '65537', '-1']],
    ['INFERENCE_BODY_LIMIT', ['20', '0MiB', '-1MiB', '1.5MiB', '2GiB', '20MB']],
    ['INFERENCE_MEMORY_PER_ORGANIZATION', ['256', '65GiB', 'much']],
    ['INFERENCE_MEMORY', ['1024', '65GiB', 'much', '59MiB']],
    [
      'API_BASE_PATH',
      ['api/v1', '/', '/api/v1/', '//api', '/api v1', '/api?x', '/:id', '/api/*', '/console', '/console/api/v1'],
    ],
    ['API_DIALECT', ['Public', 'openapi']],
    ['ALLOW_PRIVATE_DESTINATIONS', ['yes', '1', 'TRUE']],
    ['CONSOLE', ['off', '0', 'FALSE']],
    ['DATA_REGION', ['eu', 'Europe', 'global,us', '*']],
    ['LOG_LEVEL', ['verbose', 'INFO']],
    [
      'ZDR_VENDORS',
      [
        'openai',
        'a,b,c',
        'a,b,c,d,e',
        'a,a,b,c',
        'x-ai,xai,a,b',
        'A,b,c,d',
        'a,b,c,other',
        'a,b,c,d_e',
        'a,b,c,-d',
        ',',
      ],
    ],
    ['ANONYMOUS_OPERATIONS', ['createGuardrail', 'getmodel', 'getModel;listImageModels', '*']],
    ['REDIS_URL', ['localhost:6379', 'http://localhost', 'redis']],
    ['DATABASE_URL', ['localhost/gatehouse', 'mysql://localhost/gatehouse', 'postgres']],
  ])('rejects an invalid %s', (name, values) => {
    for (const value of values) {
      const variables = { ENCRYPTION_KEY: KEY.toString('base64'), [name]: value };
      expect([value, namesWithIssues(variables)]).toEqual([value, [name]]);
    }
  });

  it.each([
    ['too short', Buffer.alloc(31).toString('base64')],
    ['too long', Buffer.alloc(33).toString('base64')],
    ['in hex, but too short', 'ab'.repeat(31)],
    ['a passphrase', 'correct horse battery staple'],
    [
      'a passphrase that a lenient decoder would make 32 bytes of',
      'correct horse battery staple, and 43 letters of it all',
    ],
    [
      'base64 with something in the middle',
      `${KEY.toString('base64').slice(0, 20)} ${KEY.toString('base64').slice(20)}`,
    ],
    ['one good and one bad', `${KEY.toString('base64')},x`],
  ])('rejects an encryption key that is %s', (_name, value) => {
    expect(new Set(namesWithIssues({ ENCRYPTION_KEY: value }))).toEqual(new Set(['ENCRYPTION_KEY']));
  });

  it('requires an encryption key with an external database, and none with the embedded one', () => {
    expect(namesWithIssues({ DATABASE_URL: 'postgres://localhost/gatehouse' })).toEqual(['ENCRYPTION_KEY']);
    expect(namesWithIssues({ DATABASE_URL: 'postgres://localhost/gatehouse', ENCRYPTION_KEY: ',' })).toEqual([
      'ENCRYPTION_KEY',
    ]);
    expect(readEnvironment({}).encryptionKeys).toEqual([]);
  });

  it('rejects MIGRATION_DATABASE_URL without DATABASE_URL', () => {
    const migrations = { MIGRATION_DATABASE_URL: 'postgres://localhost/gatehouse' };
    expect(namesWithIssues(migrations)).toEqual(['MIGRATION_DATABASE_URL']);
    const given = { DATABASE_URL: 'postgres://pooler/gatehouse', ENCRYPTION_KEY: KEY.toString('base64') };
    expect(readEnvironment({ ...given, ...migrations })).toMatchObject({
      migrationDatabaseUrl: migrations.MIGRATION_DATABASE_URL,
    });
    expect(namesWithIssues({ ...given, MIGRATION_DATABASE_URL: 'mysql://localhost/gatehouse' })).toEqual([
      'MIGRATION_DATABASE_URL',
    ]);
  });

  it('reports every issue at once, one on each line', () => {
    const issuey = {
      PORT: 'x',
      DATABASE_URL: 'x',
      REDIS_URL: 'x',
      API_BASE_PATH: 'x',
      API_DIALECT: 'x',
      ZDR_VENDORS: 'x',
      ANONYMOUS_OPERATIONS: 'x',
      KEY_DELETION_RATE_LIMIT: 'x',
      KEY_DELETION_RATE_WINDOW_S: 'x',
      ALLOW_PRIVATE_DESTINATIONS: 'x',
      ENCRYPTION_KEY: 'x',
      LOG_LEVEL: 'x',
    };

    expect(namesWithIssues(issuey).sort()).toEqual(Object.keys(issuey).sort());
    expect(() => readEnvironment(issuey)).toThrow(/^The configuration has 12 issues:\n(- [A-Z_]+ .+\n?){12}$/);
    expect(() => readEnvironment({ PORT: 'x' })).toThrow(/^The configuration has 1 issue:\n- PORT /);
  });

  it('repeats no secret in an issue', () => {
    const secret = randomBytes(12).toString('hex');
    const issuey = {
      DATABASE_URL: `mysql://user:${secret}@db/gatehouse`,
      REDIS_URL: `http://:${secret}@cache`,
      ENCRYPTION_KEY: `${secret},${KEY.toString('base64')}`,
      METRICS_TOKEN: `not a token ${secret}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `ftp://user:${secret}@collector`,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization ${secret}`,
    };

    expect(issuesOf(issuey).length).toBeGreaterThanOrEqual(6);
    expect(issuesOf(issuey).join()).not.toContain(secret);
  });
});

describe('the variable DNS_SERVERS', () => {
  it('accepts addresses with and without a port', () => {
    const servers = ['192.0.2.53', '192.0.2.54:5353', '2001:db8::53', '[2001:db8::54]:5353'];

    expect(readEnvironment({ DNS_SERVERS: servers.join(', ') }).dnsServers).toEqual(servers);
  });

  it.each([
    'ns.example.com',
    '192.0.2.53:0',
    '192.0.2.53:65536',
    '192.0.2',
    '[192.0.2.53]:53',
    '2001:db8::53:x',
    ':53',
  ])('rejects %s', (server) => {
    expect(namesWithIssues({ DNS_SERVERS: `192.0.2.53,${server}` })).toEqual(['DNS_SERVERS']);
  });
});

/** The issues of a configuration that has some. */
function issuesOf(variables: Variables): readonly string[] {
  try {
    readEnvironment(variables);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.issues;
    throw error;
  }
  throw new Error('there was no issue');
}

/** The names of the variables that have issues. */
function namesWithIssues(variables: Variables): string[] {
  return issuesOf(variables).map((issue) => issue.split(' ')[0]!);
}
