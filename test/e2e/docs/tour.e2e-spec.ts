import { readFileSync } from 'node:fs';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { GatehouseProcess } from '../../support/processes/gatehouse-process.js';
import { pasted } from './pasted.js';

describe('the tour of the README', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(async () => {
    await GatehouseProcess.killAll();
    await database.drop();
  });

  it('can be pasted whole into bash, and its requests are answered 200 but for the 400 that it shows', async () => {
    const variables = { DATABASE_URL: database.url, ENCRYPTION_KEY: '11'.repeat(32) };
    const origin = await GatehouseProcess.service(variables).origin();

    const { code, stdout, stderr } = await pasted(tourAt(origin), variables);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(answers).toMatchObject([
      { data: { name: 'Production', content_filter_builtins: [{ slug: 'email', label: '[EMAIL]' }] } },
      { error: { code: 400, metadata: { issues: [{ path: 'limit' }] } } },
      { data: { outcome: 'admitted' } },
      { assigned_count: 1 },
      { data: { guardrails: [{ name: 'Production' }], available_models: ['gatehouse/echo'] } },
      { choices: [{ message: { content: 'Write to [EMAIL]' } }] },
      { data: { id: answers[5]!['id'], model: expect.stringContaining('gatehouse/echo') as string } },
      { data: [{ action: expect.any(String) as string }, { action: expect.any(String) as string }] },
    ]);
  }, 120_000);
});

/** All commands of the tour in their order. @param origin of the service in place of the README's */
function tourAt(origin: string): string {
  const [, tour = ''] = /^## A tour\n(.*?)^## /ms.exec(readFileSync('README.md', 'utf8')) ?? [];
  const blocks = [...tour.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block);
  expect(blocks.length).toBeGreaterThan(4);
  return blocks.join('').replaceAll('http://localhost:3000', origin);
}
