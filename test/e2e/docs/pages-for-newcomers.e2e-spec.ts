import { readFileSync } from 'node:fs';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { GatehouseProcess } from '../../support/processes/gatehouse-process.js';
import { answerAsAsked } from '../inference/provider-answers.js';
import { pasted } from './pasted.js';

const SECRET = 'sk-of-the-own-server-0123456789';

/** The command, as docs/own-models.md says what stands for it. */
const GATEHOUSE = 'gatehouse() { npm run --silent gatehouse -- "$@"; }\n';

describe('the pages for newcomers', () => {
  let database: TestDatabase;
  let server: ProviderServer;

  beforeAll(async () => {
    database = await createTestDatabase();
    server = await ProviderServer.start();
    server.answerWith((response, request) => {
      if (request.path !== '/v1/models') return answerAsAsked(response, request);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
    });
  });

  afterAll(async () => {
    await GatehouseProcess.killAll();
    await server.stop();
    await database.drop();
  });

  it('can be pasted whole into bash one behind the other, in one organization: answered 200 and 201 but for the 400 that is shown', async () => {
    const variables = {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: '11'.repeat(32),
      ALLOW_PRIVATE_UPSTREAMS: 'true',
    };
    const origin = await GatehouseProcess.service(variables).origin();
    const pages = [
      blocksOf('README.md', /^## A tour\n(.*?)^## /ms, 'bash'),
      blocksOf('docs/how-to/first-hour.md'),
      blocksOf('docs/how-to/team.md'),
      GATEHOUSE,
      blocksOf('docs/own-models.md', /^# (.*?)^## By the interface/ms),
      blocksOf('docs/own-models.md', /^## By the interface\n(.*)/ms),
    ];
    const own = {
      'http://localhost:3000': origin,
      '--api-key-env OPENAI_API_KEY': `--api-key-env OPENAI_API_KEY --base-url ${server.baseUrl}`,
      'http://10.0.0.5:8000/v1': server.baseUrl,
      'https://models.example.com/v1': server.baseUrl,
      'mk-gate-v2-...': '$K',
      'sk-...': SECRET,
    };
    const lines = Object.entries(own).reduce((text, [shown, given]) => text.replaceAll(shown, given), pages.join(''));

    const { code, stdout, stderr } = await pasted(lines, variables);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const answers = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(answers).toMatchObject([
      // The tour.
      { data: { name: 'Production', content_filter_builtins: [{ slug: 'email', label: '[EMAIL]' }] } },
      { error: { code: 400, metadata: { issues: [{ path: 'limit' }] } } },
      { data: { outcome: 'admitted', models: [{ requested: 'gatehouse/echo', model: 'gatehouse/echo' }] } },
      { assigned_count: 1 },
      { data: { guardrails: [{ name: 'Production' }], available_models: ['gatehouse/echo'] } },
      { choices: [{ message: { content: 'Write to [EMAIL]' } }] },
      { data: { id: answers[5]!['id'], model: expect.stringContaining('gatehouse/echo') as string } },
      { data: [{ action: expect.any(String) as string }, { action: expect.any(String) as string }] },
      // The team: a budget, a key in the workspace, a member.
      { data: { limit_usd: 500 } },
      { data: { name: 'Checkout', workspace_id: expect.any(String) as string } },
      { data: { email: 'jane.doe@example.com' } },
      // A model of one's own, on the command line and by the interface, where there are two workspaces by now.
      { model: 'acme/chat', choices: [{ message: { content: 'All is well.' } }] },
      { data: { slug: 'acme-servers' } },
      { data: { provider: 'acme-servers' } },
      { data: { status: 'active', model_slug: 'openai/gpt-oss-120b' } },
      { provider: 'Acme servers', choices: [{ message: { content: 'All is well.' } }] },
    ]);
    expect(stdout).not.toContain(SECRET);
    expect(server.received.at(-1)).toMatchObject({
      headers: { authorization: `Bearer ${SECRET}` },
      body: { model: 'gpt-oss' },
    });
  }, 900_000);
});

/** All commands of a page, or of a part of it, in their order. @param language of the blocks that have commands */
function blocksOf(page: string, part = /(.*)/s, language = ''): string {
  const [, text = ''] = part.exec(readFileSync(page, 'utf8')) ?? [];
  const blocks = [...text.matchAll(new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'))];
  expect(blocks.length).toBeGreaterThan(0);
  return blocks.map(([, block]) => block).join('');
}
