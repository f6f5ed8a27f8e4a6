import { DEFAULT_TIME_LIMITS } from '../support/application/time-limits.js';
import { TestApplication } from '../support/application/test-application.js';
import { singleStatement, statement } from '../../src/persistence/statement.js';
import { Statements } from '../../src/persistence/statements.js';

const SETTINGS = statement<Record<string, unknown>>(
  'test_settings',
  `SELECT current_setting('plan_cache_mode') AS plans, current_setting('work_mem') AS memory,
           current_setting('enable_seqscan') AS whole, current_setting('jit') AS compiled,
           current_setting('statement_timeout') AS work, current_setting('lock_timeout') AS lock,
           current_setting('idle_in_transaction_session_timeout') AS idle`,
);

const PLAN_OF_READ = singleStatement<Record<string, string>, []>(
  'test_plan',
  'EXPLAIN (COSTS OFF) SELECT id FROM notes WHERE id = 1',
);

describe('a connection of the service', () => {
  const settingsWith = async (
    options: string | undefined,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<object | undefined> => {
    const app = await TestApplication.start();
    const url = new URL(app.database.serviceUrl);
    if (options !== undefined) url.searchParams.set('options', options);
    const other = await TestApplication.start({
      database: { ...app.database, serviceUrl: url.href },
      variables: { ...DEFAULT_TIME_LIMITS, ...variables },
    });
    try {
      return await other.application.get(Statements).first(SETTINGS, []);
    } finally {
      await other.stop();
      await app.stop();
    }
  };

  it('plans each prepared statement once', async () => {
    expect(await settingsWith(undefined)).toMatchObject({ plans: 'force_generic_plan', work: '900ms' });
  });

  it('has the default time limits of a request', async () => {
    expect(await settingsWith(undefined)).toMatchObject({ work: '900ms', lock: '800ms', idle: '10s' });
  });

  it('has the time limits that follow from DATABASE_STATEMENT_TIMEOUT_MS', async () => {
    const variables = { DATABASE_STATEMENT_TIMEOUT_MS: '15000' };
    expect(await settingsWith(undefined, variables)).toMatchObject({ work: '15s', lock: '14900ms', idle: '15s' });
  });

  it('does not compile plans', async () => {
    expect(await settingsWith(undefined)).toMatchObject({ compiled: 'off' });
  });

  it('reads a row by its index also where the table is known to have one row only', async () => {
    const app = await TestApplication.start();
    try {
      await app.rows('CREATE TABLE notes AS SELECT 1 AS id');
      await app.rows('ALTER TABLE notes ADD CONSTRAINT pk_notes PRIMARY KEY (id)');
      await app.rows('ANALYZE notes');
      const plan = await app.application.get(Statements).rows(PLAN_OF_READ, []);
      expect(plan.map((line) => Object.values(line)[0]).join('\n')).toContain('using pk_notes');
    } finally {
      await app.stop();
    }
  });

  it('has the options of DATABASE_URL as well', async () => {
    expect(await settingsWith('-c work_mem=7MB')).toMatchObject({ plans: 'force_generic_plan', memory: '7MB' });
  });

  it('has the settings of DATABASE_URL instead of its own', async () => {
    const settings = await settingsWith('-c plan_cache_mode=auto -c enable_seqscan=on');
    expect(settings).toMatchObject({ plans: 'auto', whole: 'on', compiled: 'off' });
  });
});
