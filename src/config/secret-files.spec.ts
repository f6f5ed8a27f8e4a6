import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readEnvironment } from './environment.js';
import { variablesRead } from './environment.fixture.js';
import { SECRET_VARIABLES } from './secret-files.js';

describe('secrets of files', () => {
  let directory: string;

  beforeAll(() => {
    directory = mkdtempSync(path.join(os.tmpdir(), 'gatehouse-secrets-'));
  });

  afterAll(() => rmSync(directory, { recursive: true }));

  const file = (name: string, content: string): string => {
    const at = path.join(directory, name);
    writeFileSync(at, content);
    return at;
  };

  const issuesOf = (variables: Record<string, string>): string => {
    try {
      readEnvironment(variables);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('are read for every variable that holds one, without the end of the line', () => {
    const environment = readEnvironment({
      DATABASE_URL_FILE: file('database', 'postgres://user:secret@db/gatehouse\n'),
      MIGRATION_DATABASE_URL_FILE: file('migration', 'postgres://owner:secret@db/gatehouse\r\n'),
      REDIS_URL_FILE: file('redis', 'redis://:secret@cache'),
      ENCRYPTION_KEY_FILE: file('key', `${'11'.repeat(32)},${'22'.repeat(32)}\n`),
      METRICS_TOKEN_FILE: file('token', 'scraper\n'),
      CONTENT_ANALYZER_URL_FILE: file('analyzer', 'http://user:secret@analyzer\n'),
      CONTENT_CLASSIFIER_URL_FILE: file('classifier', 'http://classifier\n'),
      CONTENT_CLASSIFIER_KEY_FILE: file('classifier-key', 'secret\n'),
      OTEL_EXPORTER_OTLP_ENDPOINT_FILE: file('endpoint', 'http://collector:4318\n'),
      OTEL_EXPORTER_OTLP_HEADERS_FILE: file('headers', 'authorization=secret\n'),
      PROVIDER_OPENAI_API_KEY_FILE: file('openai', 'sk-secret\n'),
    });

    expect(environment).toMatchObject({
      databaseUrl: 'postgres://user:secret@db/gatehouse',
      migrationDatabaseUrl: 'postgres://owner:secret@db/gatehouse',
      redisUrl: 'redis://:secret@cache',
      encryptionKeys: [Buffer.alloc(32, 0x11), Buffer.alloc(32, 0x22)],
      metricsToken: 'scraper',
      contentAnalyzerUrl: 'http://user:secret@analyzer',
      contentClassifierUrl: 'http://classifier',
      contentClassifierKey: 'secret',
      otlpEndpoint: 'http://collector:4318',
      otlpHeaders: { authorization: 'secret' },
    });
    expect(environment.providers).toEqual(new Map([['openai', { apiKey: 'sk-secret' }]]));
  });

  it('are an issue where the file cannot be read, is empty or much too long, or the variable is set as well', () => {
    const missing = path.join(directory, 'missing');

    expect(issuesOf({ METRICS_TOKEN_FILE: missing })).toContain(
      `- METRICS_TOKEN_FILE names ${missing}, which cannot be read (ENOENT)`,
    );
    expect(issuesOf({ METRICS_TOKEN_FILE: directory })).toContain('which cannot be read (EISDIR)');
    expect(issuesOf({ METRICS_TOKEN_FILE: file('empty', ' \n') })).toContain('which is empty');
    expect(issuesOf({ METRICS_TOKEN_FILE: file('long', 'x'.repeat(70_000)) })).toContain('too long for a secret');
    const both = issuesOf({ METRICS_TOKEN_FILE: file('token', 'hidden'), METRICS_TOKEN: 'hidden' });
    expect(both).toContain('- METRICS_TOKEN_FILE and METRICS_TOKEN are both set: one of them is enough');
    expect(both).not.toContain('hidden');
  });

  it('do not repeat what is wrong with the secret', () => {
    const issues = issuesOf({ PROVIDER_OPENAI_API_KEY_FILE: file('spaces', 'sk hidden') });

    expect(issues).toContain('- PROVIDER_OPENAI_API_KEY must be printable ASCII');
    expect(issues).not.toContain('hidden');
  });

  it('are those of all variables whose names say that they hold one', () => {
    const named = [...variablesRead()].filter((name) =>
      /_KEY$|TOKEN$|DATABASE_URL$|REDIS_URL|HEADERS|SECRET|PASSWORD/.test(name),
    );
    // They say what becomes of a key, how many requests it may send, or where secrets are, and hold none; a container sets the last one, or a
    // file of its own.
    const others = [
      'FIRST_MANAGEMENT_KEY',
      'REFUSAL_RECORDS_PER_KEY',
      'CONFIG_SECRETS_DIR',
      'AWS_CONTAINER_AUTHORIZATION_TOKEN',
    ];
    const secrets = named.filter((name) => !others.includes(name));

    expect(SECRET_VARIABLES).toEqual(expect.arrayContaining(secrets));
    expect(readFileSync('docs/operations.md', 'utf8')).toContain('## Secrets in files');
  });
});
