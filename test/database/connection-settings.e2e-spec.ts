import { TestApplication } from '../support/test-application.js';
import { Statements } from '../../src/database/statements.js';

const SETTINGS = {
  name: 'test_settings',
  text: `SELECT current_setting('plan_cache_mode') AS plans, current_setting('work_mem') AS memory,
           current_setting('statement_timeout') AS work`,
};

describe('a connection of the service', () => {
  const settingsWith = async (options: string | undefined): Promise<object | undefined> => {
    const app = await TestApplication.start();
    const url = new URL(app.database.url);
    if (options !== undefined) url.searchParams.set('options', options);
    const other = await TestApplication.start({ database: { ...app.database, url: url.href } });
    try {
      return await other.application.get(Statements).first(SETTINGS, []);
    } finally {
      await other.stop();
      await app.stop();
    }
  };

  it('plans each statement once', async () => {
    expect(await settingsWith(undefined)).toMatchObject({ plans: 'force_generic_plan', work: '900ms' });
  });

  it('has the options of DATABASE_URL beside that', async () => {
    expect(await settingsWith('-c work_mem=7MB')).toMatchObject({ plans: 'force_generic_plan', memory: '7MB' });
  });

  it('plans as the options of DATABASE_URL say, where they say it', async () => {
    expect(await settingsWith('-c plan_cache_mode=auto')).toMatchObject({ plans: 'auto' });
  });
});
