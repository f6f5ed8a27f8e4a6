import { GatehouseProcess } from '../../support/processes/gatehouse-process.js';

// Starting processes takes its time where many of them do so at once.

describe('a service with an unusable configuration', () => {
  it('exits with every issue of the configuration before it starts anything', async () => {
    const service = GatehouseProcess.service({
      PORT: '70000',
      WORKERS: 'auto',
      DATABASE_URL: 'mysql://root:hidden@localhost/gatehouse',
      DATABASE_POOL_SIZE: '1',
      REDIS_URL: 'localhost:6379',
      ENCRYPTION_KEY: 'too-short',
      API_BASE_PATH: 'api/v1/',
      API_DIALECT: 'french',
      ZDR_VENDORS: 'anthropic,anthropic,openai,google',
      ANONYMOUS_OPERATIONS: 'deleteKeys',
      KEY_DELETION_RATE_LIMIT: '0',
      KEY_DELETION_RATE_WINDOW_S: '1.5',
      LOG_LEVEL: 'loud',
    });

    const { code, stdout, stderr } = await service.end();

    expect(code).toBe(1);
    expect(stdout).toBe('');
    const [headline, ...issues] = stderr.trimEnd().split('\n');
    expect(headline).toBe('The configuration has 13 issues:');
    expect(issues.map((issue) => /^- (\w+) /.exec(issue)?.[1]).sort()).toEqual(
      [
        'ANONYMOUS_OPERATIONS',
        'API_BASE_PATH',
        'API_DIALECT',
        'DATABASE_POOL_SIZE',
        'DATABASE_URL',
        'ENCRYPTION_KEY',
        'KEY_DELETION_RATE_LIMIT',
        'KEY_DELETION_RATE_WINDOW_S',
        'LOG_LEVEL',
        'PORT',
        'REDIS_URL',
        'WORKERS',
        'ZDR_VENDORS',
      ].sort(),
    );
    expect(stderr).toContain('- WORKERS is no longer supported: run replicas of the service instead (docs/scaling.md)');
    // Secrets are not repeated.
    expect(stderr).not.toMatch(/hidden|too-short/);
  });

  it('exits and asks for the encryption key when the database may hold data encrypted with another key', async () => {
    const service = GatehouseProcess.service({ DATABASE_URL: 'postgres://localhost:1/gatehouse' });

    const { code, stderr } = await service.end();

    expect(code).toBe(1);
    expect(stderr).toMatch(/^The configuration has 1 issue:\n- ENCRYPTION_KEY is required with DATABASE_URL: .*\n$/);
  });

  it('exits and reports that the database cannot be reached', async () => {
    const service = GatehouseProcess.service({
      DATABASE_URL: 'postgres://gatehouse:hidden@127.0.0.1:1/gatehouse',
      ENCRYPTION_KEY: '11'.repeat(32),
    });

    const { code, stdout, stderr } = await service.end();

    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('ECONNREFUSED 127.0.0.1:1');
    expect(stderr).not.toContain('hidden');
  });

  it('runs migrations through MIGRATION_DATABASE_URL', async () => {
    const service = GatehouseProcess.service({
      DATABASE_URL: 'postgres://gatehouse@127.0.0.1:1/gatehouse',
      MIGRATION_DATABASE_URL: 'postgres://gatehouse@127.0.0.1:2/gatehouse',
      ENCRYPTION_KEY: '11'.repeat(32),
    });

    const { code, stderr } = await service.end();

    expect(code).toBe(1);
    expect(stderr).toContain('ECONNREFUSED 127.0.0.1:2');
  });
});
