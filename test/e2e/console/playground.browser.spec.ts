import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import type { Key } from '../../../src/modules/keys/dto/key.dto.js';
import { endpointEntry, importCatalog, modelEntry } from '../../support/resources/catalog-entries.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { answerAsAsked, chunk, STREAM_HEAD } from '../inference/provider-answers.js';
import { ConsoleBrowser, consolePerTest } from './console-browser.js';

const MODEL = 'acme/writer';

/** What breaks out of quotes, substitutes, ends a document or turns the order of letters, if a snippet lets it. */
const HOSTILE = [
  `it's "here" \`backticks\` $(touch /tmp/x) \${HOME} $HOME !! \\' \\" \\n \\`,
  'EOF',
  'JSON',
  `'); process.exit(1); ('`,
  '""" + __import__("os").system("x") + """',
  '</script> {{7*7}} \u202e\u2066 \u2028 \u0007 é 😀',
].join('\n');

describe('the playground', () => {
  const variables: Record<string, string> = {};
  const provider = {} as { server: ProviderServer };
  beforeAll(async () => {
    provider.server = await ProviderServer.start();
    variables['PROVIDER_ALPHA_BASE_URL'] = provider.server.baseUrl;
    variables['PROVIDER_ALPHA_API_KEY'] = 'sk-provider-0123456789';
  });
  const context = consolePerTest(variables);
  beforeAll(async () => {
    await importCatalog(context.app, {
      providers: [{ slug: 'alpha', name: 'Alpha Cloud' }],
      models: [modelEntry(MODEL)],
      endpoints: [{ id: MODEL, endpoints: [endpointEntry('alpha', { provider_name: 'Alpha Cloud' })] }],
    });
  });
  beforeEach(() => provider.server.answerWith(answerAsAsked));
  afterAll(() => provider.server.stop());

  const page = () => context.ui.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const answerOf = (model: string) => page().getByRole('article', { name: `Answer of ${model}` });
  const snippet = async (kind: string): Promise<string> => {
    // That of the dialog where one is open.
    await page().getByLabel('Copy as').last().selectOption(kind);
    return (await page().locator('.snippets pre').last().textContent())!;
  };

  it('asks two models side by side as a key of the person, and shows cost, decision and record of each (200)', async () => {
    const key = await context.app.factory.key(context.organization, { name: 'Mine' });
    await context.ui.go('/playground');
    await page().getByLabel('Key', { exact: true }).waitFor();
    await page().getByLabel('Model', { exact: true }).fill(MODEL);
    await button('Compare with another model').click();
    await page().getByText('Guardrails that apply').waitFor();
    await page().getByLabel('System prompt').fill('Be short.');
    await page().getByLabel('Your message').fill('What is <b>new</b>?');
    await button('Send').click();
    await answerOf(MODEL).getByText('All is well.').waitFor();
    await answerOf('gatehouse/echo').getByText('What is <b>new</b>?').waitFor();
    await answerOf(MODEL).getByRole('link', { name: 'Its record' }).waitFor();
    await answerOf('gatehouse/echo').getByText('How it was decided').click();
    await answerOf('gatehouse/echo').getByText('It was answered').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    expect(provider.server.received.at(-1)!.body).toMatchObject({
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'What is <b>new</b>?' },
      ],
    });

    // What is said next has what was said before, to each model its own.
    await page().getByLabel('Your message').fill('And then?');
    await button('Send').click();
    for (const model of [MODEL, 'gatehouse/echo']) {
      await answerOf(model).nth(1).getByRole('link', { name: 'Its record' }).waitFor();
    }
    expect((provider.server.received.at(-1)!.body as { messages: unknown[] }).messages.slice(1)).toEqual([
      { role: 'user', content: 'What is <b>new</b>?' },
      { role: 'assistant', content: 'All is well.' },
      { role: 'user', content: 'And then?' },
    ]);
    const records = await context.app.rows<{ key_id: string }>(
      'SELECT key_id FROM generations WHERE organization_id = $1',
      [context.organization.organizationId],
    );
    expect(records).toEqual(Array.from({ length: 4 }, () => ({ key_id: key.id })));

    // The conversation is there when one comes back from a record.
    await answerOf(MODEL).first().getByRole('link', { name: 'Its record' }).click();
    await page().getByRole('heading', { name: 'Decision' }).waitFor();
    await page().goBack();
    await answerOf(MODEL).nth(1).getByText('All is well.').waitFor();
    expect(await page().getByLabel('System prompt').inputValue()).toBe('Be short.');
  });

  it('sends nothing before it knows which model is meant where none was chosen, and then that one (200)', async () => {
    await context.app.factory.key(context.organization);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page().route('**/guardrails/effective?*', async (route) => {
      await released;
      await route.continue();
    });
    await context.ui.go('/playground');
    await page().getByLabel('Your message').fill('Hello');
    expect(await button('Send').getAttribute('aria-disabled')).toBe('true');
    await button('Send').click({ force: true });
    expect(await page().getByLabel('Your message').inputValue()).toBe('Hello');
    release();
    await button('Send').click();
    await answerOf('gatehouse/echo').getByText('Hello').waitFor();
  });

  it('says in the words of the interface why a request is refused (403), with the way to its record', async () => {
    const key = await context.app.factory.key(context.organization);
    const { id } = await context.app.factory.guardrail(context.organization, {
      content_filters: [{ pattern: 'secret', action: 'block' }],
    });
    const json = { key_hashes: [key.hash] };
    await context.app.api.post(`/guardrails/${id}/assignments/keys`, { key: context.organization.managementKey, json });
    await context.ui.go('/playground');
    await page().getByLabel('Your message').fill('a secret');
    await button('Send').click();
    await answerOf('gatehouse/echo').getByRole('alert').waitFor();
    expect(await answerOf('gatehouse/echo').getByRole('alert').textContent()).toMatch(/\S/);
    await answerOf('gatehouse/echo').getByRole('link', { name: 'Its record' }).click();
    await page().getByText('403 content_blocked').waitFor();
    // The browser writes every 403 into its console.
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('403')]);
  });

  it('refuses a request as the limit of the key does that it meets (403)', async () => {
    await context.app.factory.key(context.organization, { limitUsd: 0 });
    await context.ui.go('/playground');
    await page().getByLabel('Model', { exact: true }).fill(MODEL);
    await page().getByLabel('Your message').fill('Hello');
    await button('Send').click();
    await answerOf(MODEL).getByText('Key limit exceeded').waitFor();
    expect(provider.server.received).toEqual([]);
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('403')]);
  });

  it('stops an answer that is on its way, and keeps what has come of it', async () => {
    await context.app.factory.key(context.organization);
    provider.server.answerWith((response) => {
      response.writeHead(200, STREAM_HEAD).write(chunk({ role: 'assistant', content: 'Once upon' }));
    });
    await context.ui.go('/playground');
    await page().getByLabel('Model', { exact: true }).fill(MODEL);
    await page().getByLabel('Your message').fill('Tell me');
    await button('Send').click();
    await answerOf(MODEL).getByText('Once upon').waitFor();
    await button('Stop').click();
    await button('Stop').waitFor({ state: 'detached' });
    await answerOf(MODEL).getByRole('link', { name: 'Its record' }).waitFor();
    expect(await answerOf(MODEL).textContent()).toContain('Once upon');
    expect(await answerOf(MODEL).getByRole('alert').count()).toBe(0);
    // Until the service has seen that nobody listens any more there is no record, which the browser writes into its console.
    expect(context.ui.complaints.splice(0).filter((complaint) => !complaint.includes('404'))).toEqual([]);
  });

  it('writes a request as code that sends exactly what was filled in, whatever that is', async () => {
    await context.app.factory.key(context.organization);
    await context.ui.go('/playground');
    await page().getByLabel('Model', { exact: true }).fill(`a'b"c\\`);
    await page().getByLabel('System prompt').fill(HOSTILE);
    await page().getByLabel('Your message').fill(HOSTILE);
    await page().getByText('Tools', { exact: true }).click();
    const tools = `[{"type":"function","function":{"name":"__proto__","description":"d'","parameters":{"__proto__":{"a-b":1},"type":"object"}}}]`;
    await page().getByLabel('Tools as JSON').fill(tools);
    const messages = [
      { role: 'system', content: HOSTILE },
      { role: 'user', content: HOSTILE },
    ];
    const chat = { model: `a'b"c\\`, messages, tools: JSON.parse(tools) as unknown };

    const curl = spawnSync('bash', ['--norc', '-c', `curl() { printf '%s\\0' "$@"; }; ${await snippet('curl')}`], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], GATEHOUSE_API_KEY: 'the key' },
    });
    const [url, , authorization, , , , body] = curl.stdout.split('\0');
    expect([url, authorization]).toEqual([
      `${context.app.origin}/api/v1/chat/completions`,
      'Authorization: Bearer the key',
    ]);
    expect(JSON.parse(body!)).toEqual(chat);
    expect(curl.stderr).toBe('');

    expect(await sentBy(await snippet('JavaScript, openai'))).toEqual(chat);
    const {
      max_tokens: most,
      system,
      messages: said,
      tools: offered,
    } = (await sentBy(await snippet('JavaScript, anthropic'))) as Record<string, unknown>;
    expect([most, system, said]).toEqual([1024, HOSTILE, [messages[1]]]);
    expect(offered).toMatchObject([{ name: '__proto__', input_schema: { type: 'object' } }]);
    expect(await sentBy(await snippet('JavaScript, AI SDK'))).toMatchObject({
      model: `a'b"c\\`,
      system: HOSTILE,
      messages: [messages[1]],
    });
    const python = await snippet('Python, openai');
    const parsed = spawnSync('python3', ['-c', PRINTED_CALL], { input: python, encoding: 'utf8' });
    expect(parsed.stderr).toBe('');
    expect(JSON.parse(parsed.stdout)).toEqual(chat);
    // Nothing in the browser turns the order of letters.
    expect(python).not.toMatch(/[\u202e\u2066]/);
  });

  it('shows a new key with the address and a request that is answered as it is (200), and the key in the list', async () => {
    await context.ui.go('/playground');
    await page().getByText('you have none that is in use').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Create a key').click();
    await page().getByLabel('Name', { exact: true }).fill('First');
    await button('Create the key').click();
    const secret = (await page().locator('.secret code').textContent())!;
    await page().getByRole('dialog').getByText(`${context.app.origin}/api/v1`, { exact: true }).waitFor();
    const text = await snippet('curl');
    expect(await context.ui.barriers()).toEqual([]);
    expect(text).not.toContain(secret);
    // Not in this process, which answers it.
    const ran = await promisify(execFile)('bash', ['--norc', '-c', text], {
      env: { PATH: process.env['PATH'], GATEHOUSE_API_KEY: secret },
    });
    expect(JSON.parse(ran.stdout)).toMatchObject({ model: 'gatehouse/echo', choices: [{ finish_reason: 'stop' }] });
    await button('I have kept it').click();
    await page().getByLabel('Your message').waitFor();
    await context.ui.go('/keys');
    await page().getByRole('link', { name: 'First' }).waitFor();
  });

  it('offers nobody the keys of other people, or those that are disabled', async () => {
    const other = await context.app.factory.member(context.organization.organizationId);
    await context.app.factory.key(context.organization, { name: 'Of another', userId: other });
    const disabled = await context.app.factory.key(context.organization, { name: 'Disabled' });
    const { managementKey } = context.organization;
    const path = `/keys/${disabled.hash}`;
    await context.app.api.patch<{ data: Key }>(path, { key: managementKey, json: { disabled: true } });
    await context.app.factory.key(context.organization, { name: 'Mine' });
    await context.ui.go('/playground');
    await page().getByLabel('Key', { exact: true }).waitFor();
    expect(await page().getByLabel('Key', { exact: true }).locator('option').allTextContents()).toEqual(['Mine']);
  });

  it('can be used in a window that is 320 pixels wide', async () => {
    await context.app.factory.key(context.organization, { name: 'K'.repeat(100) });
    const narrow = await ConsoleBrowser.open(context.browser, context.app, context.organization, 320);
    try {
      await narrow.go('/playground');
      await narrow.page.getByLabel('Your message').fill('W'.repeat(300));
      await narrow.page.getByRole('button', { name: 'Send' }).click();
      await narrow.page.getByRole('link', { name: 'Its record' }).waitFor();
      expect(await narrow.overflows()).toBe(false);
      expect(narrow.complaints).toEqual([]);
    } finally {
      await narrow.close();
    }
  });
});

/** What a program of a snippet gives to its library, which is a stand-in. */
async function sentBy(program: string): Promise<unknown> {
  const sent: unknown[] = [];
  const create = (request: unknown): unknown => {
    sent.push(request);
    return { choices: [{ message: { content: '' } }], content: [], text: '' };
  };
  class Library {
    chat = { completions: { create } };
    messages = { create };
  }
  const sandbox = createContext({
    OpenAI: Library,
    Anthropic: Library,
    createOpenAICompatible: () => (model: string) => model,
    generateText: create,
    tool: (value: unknown) => value,
    jsonSchema: (value: unknown) => value,
    process: { env: { GATEHOUSE_API_KEY: 'the key' } },
    console: { log: () => undefined },
  });
  const body = program.replace(/^import .*$/gm, '');
  await (runInContext(`(async () => {${body}\n})()`, sandbox) as Promise<void>);
  return JSON.parse(JSON.stringify(sent[0]));
}

/** Prints what a call of `create` in a program has, without running it. */
const PRINTED_CALL = `
import ast, json, sys
calls = [n for n in ast.walk(ast.parse(sys.stdin.read())) if isinstance(n, ast.Call) and getattr(n.func, "attr", "") == "create"]
print(json.dumps({k.arg: ast.literal_eval(k.value) for k in calls[0].keywords}))
`;
