import { DEFAULT_TIME_LIMITS } from '../support/application/time-limits.js';
import { TestApplication } from '../support/application/test-application.js';
import { statement } from '../../src/persistence/statement.js';
import { Statements } from '../../src/persistence/statements.js';

const SETTINGS = statement<Record<string, unknown>>(
  'test_settings',
  `SELECT current_setting('plan_cache_mode') AS plans, current_setting('work_mem') AS memory,
           current_setting('statement_timeout') AS work, current_setting('lock_timeout') AS lock,
           current_setting('idle_in_transaction_session_timeout') AS idle`,
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

  it('has the options of DATABASE_URL as well', async () => {
    expect(await settingsWith('-c work_mem=7MB')).toMatchObject({ plans: 'force_generic_plan', memory: '7MB' });
  });

  it('uses the plan_cache_mode of DATABASE_URL if it has one', async () => {
    expect(await settingsWith('-c plan_cache_mode=auto')).toMatchObject({ plans: 'auto' });
  });
});
