import { readFileSync } from 'node:fs';
import { answerAsAsked } from '../inference/provider-answers.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { pasted } from './pasted.js';

const SECRET = 'sk-of-the-own-server-0123456789';

describe('the requests of docs/own-models.md for a model of an organization’s own', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);
  let server: ProviderServer;

  beforeAll(async () => {
    await app.factory.starterCatalog();
    server = await ProviderServer.start();
    server.answerWith(answerAsAsked);
  });
  afterAll(() => server.stop());

  it('can be pasted whole into bash, and are answered 201 up to a 200 of the own server', async () => {
    const { code, stdout, stderr } = await pasted(commands(), {});

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const answers = stdout.trimEnd().split('\n').filter(Boolean);
    expect(answers.map((answer) => JSON.parse(answer) as object)).toMatchObject([
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
  }, 120_000);

  /** All commands of the section in their order, with what is the reader's own. */
  function commands(): string {
    const [, section = ''] = /^## By the interface\n(.*)/ms.exec(readFileSync('docs/own-models.md', 'utf8')) ?? [];
    const blocks = [...section.matchAll(/^ *```\n([\s\S]*?)^ *```$/gm)].map(([, block]) => block);
    expect(blocks).toHaveLength(5);
    const own = {
      'http://localhost:3000/api/v1': `${app.origin}/api/v1`,
      'mk-gate-v2-...': organization.managementKey,
      'https://models.example.com/v1': server.baseUrl,
      'sk-...': SECRET,
    };
    return Object.entries(own).reduce((text, [shown, given]) => text.replaceAll(shown, given), blocks.join(''));
  }
});
