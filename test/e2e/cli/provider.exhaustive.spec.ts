import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEmptyDatabase, queryRows, type TestDatabase } from '../../support/database/test-database.js';
import { type Ending, GatehouseProcess } from '../../support/processes/gatehouse-process.js';
import { runCommand } from '../../support/processes/run-command.js';

const KEY = 'sk-command-0123456789-LAST';

// Each test stands on what the ones before it have left in a database that was empty at first.
describe('gatehouse provider', () => {
  let database: TestDatabase;
  let upstream: Server;
  let baseUrl: string;
  let status = 200;
  const received: IncomingMessage[] = [];

  beforeAll(async () => {
    database = await createEmptyDatabase();
    upstream = createServer((request, response) => {
      received.push(request);
      response.writeHead(status, { location: '/elsewhere' }).end(`{"error":"${KEY}"}`);
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
    await gatehouse(['init', '--organization', 'Example', '--email', 'a@example.com']);
  });

  afterAll(async () => {
    await GatehouseProcess.killAll();
    upstream.closeAllConnections();
    await new Promise((resolve) => upstream.close(resolve));
    await database.drop();
  });

  const gatehouse = (words: readonly string[], variables: Record<string, string> = {}): Promise<Ending> =>
    (words.includes('--api-key-stdin') ? inProcessOfItsOwn : runCommand)(words, {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: '11'.repeat(32),
      ...variables,
    });

  // Its standard input is empty.
  const inProcessOfItsOwn = GatehouseProcess.command.bind(GatehouseProcess);

  const provider = async (words: readonly string[], variables: Record<string, string> = {}): Promise<Ending> => {
    const ending = await gatehouse(['provider', ...words], variables);
    // No credential is ever shown, and no trace of the program.
    expect(`${ending.stdout}${ending.stderr}`).not.toMatch(new RegExp(`${KEY}|^\\s+at `, 'm'));
    return ending;
  };

  it('list: shows the builtin provider alone at first', async () => {
    const { code, stdout } = await provider(['list']);

    expect([code, stdout]).toEqual([0, 'gatehouse  echo  (builtin)\n']);
  });

  it('connect: stores the key of a variable encrypted, and list shows it masked', async () => {
    const words = [
      'connect',
      'openai',
      '--base-url',
      `${baseUrl}/`,
      '--api-key-env',
      'OPENAI',
      '--timeout',
      'gap=1000',
    ];
    const { code, stdout, stderr } = await provider(words, { OPENAI: KEY });

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Provider openai is connected.');
    const rows = await queryRows(
      database.url,
      'SELECT provider, protocol, base_url, timeouts FROM provider_connections',
    );
    expect(rows).toEqual([{ provider: 'openai', protocol: 'openai', base_url: baseUrl, timeouts: { gap: 1_000 } }]);
    const shown = await provider(['list']);
    expect(shown.stdout).toContain(`openai  openai  ${baseUrl}  sk-c...LAST  (database)\n`);
    const json = JSON.parse((await provider(['list', '--json'])).stdout) as { providers: object[] };
    expect(json.providers).toHaveLength(2);
    expect(json.providers[1]).toMatchObject({ provider: 'openai', api_key: 'sk-c...LAST', usable: true });
  });

  it('test: reports the status of the models with the stored key, follows no redirect, and fails without a 200', async () => {
    const works = await provider(['test', 'openai']);

    expect([works.code, works.stdout]).toEqual([0, expect.stringContaining(`openai answers 200 at ${baseUrl}/models`)]);
    expect(received.at(-1)).toMatchObject({ url: '/v1/models', headers: { authorization: `Bearer ${KEY}` } });
    for (status of [302, 401]) {
      const count = received.length;
      const { code, stderr } = await provider(['test', 'openai']);
      expect([code, stderr]).toEqual([1, `openai answers ${status} at ${baseUrl}/models: [redacted]\n`]);
      expect(received).toHaveLength(count + 1);
    }
  });

  it('test: speaks the protocol that the environment says to a server that answers 200, and says why nothing answers', async () => {
    status = 200;
    const variables = { PROVIDER_OPENAI_PROTOCOL: 'anthropic', PROVIDER_OPENAI_API_KEY: 'sk-environment' };

    expect((await provider(['test', 'openai'], variables)).code).toBe(0);
    expect(received.at(-1)!.headers).toMatchObject({
      'x-api-key': 'sk-environment',
      'anthropic-version': '2023-06-01',
    });
    const elsewhere = { PROVIDER_OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
    const { code, stderr } = await provider(['test', 'openai'], elsewhere);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^openai does not answer at http:\/\/127\.0\.0\.1:9\/v1\/models: \S/),
    ]);
    expect((await provider(['test', 'gatehouse'])).code).toBe(0);
    expect((await provider(['test', 'groq'])).stderr).toBe('groq is not connected.\n');
  });

  it.each([
    [
      ['connect', 'opnai', '--api-key-env', 'KEY'],
      'The catalog has no provider opnai. For a server of your own, give its address: --base-url URL',
    ],
    [['connect', 'My_Server', '--base-url', 'http://127.0.0.1/v1'], 'The id of a provider is made of small letters'],
    [
      ['connect', 'azure', '--api-key-env', 'KEY'],
      'give --base-url https://RESOURCE.openai.azure.com/openai/v1 (docs/cloud-providers.md#azure-openai)',
    ],
    [['connect', 'groq'], 'groq wants an API key'],
    [['connect', 'groq', '--api-key-env', 'NOT_SET'], 'The variable NOT_SET is not set.'],
    [['connect', 'groq', '--api-key-stdin'], 'Standard input is empty.'],
    [['connect', 'groq', '--api-key-stdin', '--api-key-env', 'X'], 'cannot be used with option'],
    [
      ['connect', 'groq', '--protocol', 'echo'],
      'Allowed choices are openai, openai-responses, anthropic, gemini, converse.',
    ],
    [['connect', 'groq', '--model', 'nothing'], 'Its form is author/slug=name.'],
    [['connect', 'groq', '--timeout', 'gap=1s'], 'Its form is step=milliseconds'],
    [['disconnect', 'groq'], 'There is no stored connection to groq.'],
  ])('%j: exits with an error and changes nothing', async (words, message) => {
    const { code, stderr } = await provider(words, { KEY });

    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(await queryRows(database.url, 'SELECT provider FROM provider_connections')).toEqual([
      { provider: 'openai' },
    ]);
  });

  it('connect: changes nothing with a key of encryption that is not the one of the database', async () => {
    const variables = { ENCRYPTION_KEY: '22'.repeat(32), GROQ: KEY };
    const { code, stderr } = await provider(['connect', 'groq', '--api-key-env', 'GROQ'], variables);

    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^Nothing was changed: no key of ENCRYPTION_KEY is the one/),
    ]);
    const shown = await provider(['list'], variables);
    expect(shown.stdout).toContain('an API key that no key of ENCRYPTION_KEY decrypts');
  });

  it('disconnect: removes the connection', async () => {
    expect((await provider(['disconnect', 'openai', '--json'])).stdout).toBe(
      '{"provider":"openai","connected":false}\n',
    );
    expect(await queryRows(database.url, 'SELECT provider FROM provider_connections')).toEqual([]);
  });
});
