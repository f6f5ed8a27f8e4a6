import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { GatehouseProcess } from '../../support/processes/gatehouse-process.js';

// Starting processes takes its time where many of them do so at once.

describe('a service with an unusable configuration', () => {
  it('exits with every issue of the configuration before it starts anything', async () => {
    const service = GatehouseProcess.service({
      PORT: '70000',
      WORKERS: 'many',
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
    expect(stderr).toContain('- WORKERS must be auto, or a whole number from 1 to 64');
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
      DATABASE_WAIT_MS: '0',
    });

    const { code, stdout, stderr } = await service.end();

    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toBe('PostgreSQL at 127.0.0.1:1/gatehouse cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n');
  });

  it('exits with one line for a password that PostgreSQL refuses, without waiting', async () => {
    const url = new URL(process.env['GATEHOUSE_TEST_SERVER_URL']!);
    const database = Object.assign(new URL(url), { username: 'nobody', password: 'hidden' });
    const service = GatehouseProcess.service({
      DATABASE_URL: database.href,
      ENCRYPTION_KEY: '11'.repeat(32),
      DATABASE_WAIT_MS: '3600000',
    });

    const { code, stdout, stderr } = await service.end();

    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^PostgreSQL at [^ ]+ refuses the connection: [^\n]*"nobody"[^\n]*\n$/);
    expect(stderr).not.toContain('hidden');
  });

  it('names a file .env that it cannot read', async () => {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'gatehouse-environment-'));
    await mkdir(path.join(directory, '.env'));

    const { code, stdout, stderr } = await GatehouseProcess.service({}, directory).end();

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `The configuration has 1 issue:\n- The file ${path.join(directory, '.env')} cannot be read (EISDIR)\n`,
    );
    await rm(directory, { recursive: true });
  });

  it('runs migrations through MIGRATION_DATABASE_URL', async () => {
    const service = GatehouseProcess.service({
      DATABASE_URL: 'postgres://gatehouse@127.0.0.1:1/gatehouse',
      MIGRATION_DATABASE_URL: 'postgres://gatehouse@127.0.0.1:2/gatehouse',
      ENCRYPTION_KEY: '11'.repeat(32),
      DATABASE_WAIT_MS: '0',
    });

    const { code, stderr } = await service.end();

    expect(code).toBe(1);
    expect(stderr).toContain('ECONNREFUSED 127.0.0.1:2');
  });
});
