import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { generateKeyPairSync } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { queryRows } from '../../support/database/test-database.js';
import { sharedApplication, sharedReplica } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';
import { TokenService } from '../../support/network/token-service.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { wavFile } from '../../support/resources/recordings.js';
import { PIXEL } from '../inference/images/image-gateway.js';
import type { Ending } from '../../support/processes/gatehouse-process.js';
import { runCommand } from '../../support/processes/run-command.js';

interface Answered {
  readonly model: string;
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly usage: { readonly cost: number };
}

/** The commands on a page, each as its words; without those that only read a variable. */
async function commandsOf(page: string, heading: string): Promise<string[][]> {
  const text = await readFile(page, 'utf8');
  const section = text.slice(text.indexOf(`\n${heading}\n`) + 1).split('\n## ')[0]!;
  return [...section.matchAll(/^(?:.*\| )?gatehouse (.+)$/gm)].map(([, words]) => words!.split(' '));
}

/** A whole answer in the form of the path that was called; undefined for that of OpenAI. */
function answerOfCloud(path: string): object | undefined {
  const text = 'Hello yourself';
  if (path.includes(':generateContent')) {
    return { candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }] };
  }
  if (path.endsWith('/converse')) {
    return { output: { message: { role: 'assistant', content: [{ text }] } }, stopReason: 'end_turn' };
  }
  if (!/:rawPredict$|\/invoke$|\/messages$/.test(path)) return undefined;
  return { type: 'message', role: 'assistant', content: [{ type: 'text', text }], stop_reason: 'end_turn' };
}

/** The JSON documents on a page. */
async function documentsOf(page: string): Promise<string[]> {
  return [...(await readFile(page, 'utf8')).matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => json!);
}

describe('the commands of the documentation for servers of the operator’s own', () => {
  const clouds: Record<string, string> = {};
  let tokens: TokenService;

  // Before the application, which reads at its start where token services are.
  beforeAll(async () => {
    tokens = await TokenService.start();
    tokens.answer('/token', { body: { access_token: 'issued-token', expires_in: 3_600 } });
    tokens.answer('/TENANT/oauth2/v2.0/token', { body: { access_token: 'issued-token', expires_in: 3_600 } });
    clouds['GOOGLE_TOKEN_URL'] = `${tokens.url}/token`;
    clouds['GCE_METADATA_HOST'] = tokens.url.slice('http://'.length);
    clouds['AZURE_METADATA_URL'] = tokens.url;
    clouds['AZURE_AUTHORITY_HOST'] = tokens.url;
  });

  afterAll(() => tokens.stop());

  const app = sharedApplication({ variables: clouds });
  const replica = sharedReplica(app);
  const organization = sharedOrganization(app);
  let server: ProviderServer;
  let directory: string;
  let key: string;

  beforeAll(async () => {
    server = await ProviderServer.start();
    directory = await mkdtemp(path.join(os.tmpdir(), 'gatehouse-own-servers-'));
    await app.factory.starterCatalog();
    key = (await app.factory.key(organization)).plaintext;
  });

  afterAll(async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  beforeEach(() =>
    server.answerWith((response, { path: called, body }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      if (body === undefined) return void response.end('{"object":"list","data":[]}');
      const ofCloud = answerOfCloud(called);
      if (ofCloud !== undefined) return void response.end(JSON.stringify(ofCloud));
      const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };
      const message = { role: 'assistant', content: 'Hello yourself' };
      const { model, input } = body as { model: string; input?: unknown };
      const answer =
        input === undefined
          ? {
              id: 'one',
              object: 'chat.completion',
              created: 1,
              choices: [{ index: 0, message, finish_reason: 'stop' }],
            }
          : { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.5, 0.5] }] };
      response.end(JSON.stringify({ ...answer, model, usage }));
    }),
  );

  const gatehouse = async (words: readonly string[], variables: Record<string, string> = {}): Promise<Ending> => {
    const ending = await runCommand(words, {
      DATABASE_URL: app.database.url,
      ENCRYPTION_KEY: '11'.repeat(32),
      INIT_CWD: directory,
      ...variables,
    });
    expect({ words, code: ending.code, stderr: ending.stderr }).toEqual({ words, code: 0, stderr: '' });
    return ending;
  };

  /** The words with the address of the test's server in place of the one on the page, whose path it keeps. */
  const here = (words: readonly string[]): string[] =>
    words.map((word, index) =>
      words[index - 1] === '--base-url' ? new URL(new URL(word).pathname, server.baseUrl).href : word,
    );

  /** What follows an option. */
  const valueOf = (words: readonly string[], option: string): string => words[words.indexOf(option) + 1]!;

  const ask = async (model: string, through = app): Promise<Answered> => {
    const json = { model, messages: [{ role: 'user', content: 'Hello' }] };
    const answer = await through.api.post<Answered>('/chat/completions', { key, json });
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
    return answer.body;
  };

  it('connect both examples of docs/providers.md, whose models then answer 200 on every replica', async () => {
    const commands = await commandsOf('docs/providers.md', '## Your own servers');

    expect(commands.map(([, , provider]) => provider)).toEqual(['inferact-vllm', 'ollama']);
    for (const words of commands) {
      const { stdout } = await gatehouse(here(words));
      const [model, upstreamId] = valueOf(words, '--model').split('=') as [string, string];

      expect(stdout).toContain(`${model} has an endpoint there now, at $`);
      for (const through of [app, replica]) {
        expect((await ask(model, through)).choices[0]!.message.content).toBe('Hello yourself');
        expect(server.received.at(-1)).toMatchObject({ path: '/v1/chat/completions', body: { model: upstreamId } });
      }
    }
  });

  it('add the model of docs/own-models.md, which then answers on every replica at exactly its price, and 400 once it is removed', async () => {
    const connecting = await commandsOf('docs/own-models.md', '## 1. Connect the server');
    const adding = await commandsOf('docs/own-models.md', '## 2. Add the model');
    const removing = await commandsOf('docs/own-models.md', '## Listing and removing');
    const outputs: string[] = [];
    for (const words of [...connecting, ...adding]) outputs.push((await gatehouse(here(words))).stdout);

    expect(outputs[0]).toContain('Provider my-vllm is added to the catalog.');
    expect(outputs[0]).toContain('gatehouse model add author/slug --provider my-vllm');
    expect(outputs[1]).toContain('my-vllm answers 200');
    expect(outputs[2]).toContain('Model acme/chat is added');
    for (const through of [app, replica]) {
      // 1,000 tokens at $0.20 and 100 at $0.80 for a million.
      expect(await ask('acme/chat', through)).toMatchObject({ model: 'acme/chat', usage: { cost: 0.00028 } });
      expect(server.received.at(-1)!.body).toMatchObject({ model: 'llama-70b' });
    }

    const [listing, removed] = [await gatehouse(removing[0]!), await gatehouse(removing[1]!)];
    expect(listing.stdout).toContain('acme/chat  32768 tokens  my-vllm $0.2/$0.8  (own)\n');
    expect(removed.stdout).toBe('Model acme/chat is removed, with 1 endpoint.\n');
    for (const through of [app, replica]) {
      const json = { model: 'acme/chat', messages: [{ role: 'user', content: 'Hello' }] };
      expect((await through.api.post('/chat/completions', { key, json })).status).toBe(400);
    }
  });

  it('add a model for embeddings, which then answers 200', async () => {
    await gatehouse(['provider', 'connect', 'my-embedder', '--base-url', server.baseUrl]);
    await gatehouse(
      'model add acme/embed --provider my-embedder --embeddings --context 8192 --prompt-price 0.02 --alias acme/vectors'.split(
        ' ',
      ),
    );

    const answer = await app.api.post<Answered>('/embeddings', {
      key,
      json: { model: 'acme/vectors', input: 'Hello' },
    });

    expect([answer.status, server.received.at(-1)!.body]).toMatchObject([200, { model: 'embed', input: 'Hello' }]);
    expect(answer.body.usage.cost).toBe(0.00002);
  });

  it('add the models of docs/own-models.md for rerank, audio and images, which then answer 200 at the prices of their units', async () => {
    await gatehouse(['provider', 'connect', 'my-vllm', '--base-url', server.baseUrl]);
    const adding = await commandsOf('docs/own-models.md', '## Models for rerank, audio and images');
    for (const words of adding) await gatehouse(words);
    const answers: Record<string, object> = {
      '/v1/rerank': { results: [{ index: 0, relevance_score: 0.9 }], usage: { total_tokens: 1_000 } },
      '/v1/audio/transcriptions': { text: 'Hello', usage: { type: 'duration', seconds: 2 } },
      '/v1/images/generations': { created: 1, data: [{ b64_json: PIXEL }] },
    };
    server.answerWith((response, { path: called }) => {
      if (called === '/v1/audio/speech') response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('ID3 audio');
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[called]));
    });

    const recording = { data: wavFile(2).toString('base64'), format: 'wav' };
    for (const [called, json, upstreamModel, cost] of [
      ['/rerank', { model: 'acme/ranker', query: 'Hello', documents: ['Hello'] }, 'ranker', 0.0001],
      ['/audio/transcriptions', { model: 'acme/scribe', input_audio: recording }, ['whisper-1'], 0.0002],
      ['/audio/speech', { model: 'acme/speaker', input: 'Hello', voice: 'alloy' }, 'kokoro', undefined],
      ['/images', { model: 'acme/painter', prompt: 'Hello', n: 1 }, 'flux', 0.02],
    ] as const) {
      const answer = await app.api.post<Answered>(called, { key, json });
      expect([called, answer.status]).toEqual([called, 200]);
      if (cost !== undefined) expect([called, answer.body.usage.cost]).toEqual([called, cost]);
      expect(server.received.at(-1)!.body).toMatchObject({ model: upstreamModel });
    }
    const listed = (await gatehouse(['model', 'list', '--own'])).stdout;
    expect(listed).toContain('acme/scribe  448 tokens  my-vllm $0.0001 a second  (own)\n');
    expect(listed).toContain('acme/speaker  4096 tokens  my-vllm $0.000015 a character  (own)\n');
    expect(listed).toContain('acme/ranker  8192 tokens  my-vllm $0.1/$0  (own)\n');
  });

  it('import the examples of docs/interface/catalog-import.md as they are written, so that their models answer 200', async () => {
    await gatehouse(['provider', 'connect', 'my-vllm', '--base-url', server.baseUrl]);
    const documents = await documentsOf('docs/interface/catalog-import.md');

    expect(documents).toHaveLength(2);
    for (const [index, document] of documents.entries()) {
      await writeFile(path.join(directory, `example-${index}.json`), document);
      await gatehouse(['catalog', 'import', `example-${index}.json`]);
    }
    expect((await ask('acme/chat')).usage.cost).toBe(0.00028);
    expect(server.received.at(-1)!.body).toMatchObject({ model: 'chat' });
    expect((await ask('acme/latest')).model).toBe('acme/vision');
    expect(server.received.at(-1)!.body).toMatchObject({ model: 'vision-7b' });
    expect((await app.api.post('/embeddings', { key, json: { model: 'acme/embed', input: 'Hello' } })).status).toBe(
      200,
    );
  });

  it.each([
    ['## Azure OpenAI', 5],
    ['## Amazon Bedrock', 4],
    ['## Google Vertex', 3],
  ])(
    'connect a cloud by each command of the part %s of docs/cloud-providers.md, so that its model answers 200 unless the machine has no identity',
    async (heading, count) => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
      await writeFile(
        path.join(directory, 'key.json'),
        JSON.stringify({ client_email: 'gate@acme.example', private_key: pem }),
      );
      const commands = await commandsOf('docs/cloud-providers.md', heading);
      expect(commands).toHaveLength(count);
      for (const words of commands) {
        const secret = words.includes('--api-key-env') ? { [valueOf(words, '--api-key-env')]: 'cloud-key' } : {};
        const variables = { ...secret, AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'secret', ...clouds };
        const { stdout } = await gatehouse([...words, '--base-url', server.baseUrl], variables);
        // Nothing is at this address that could issue them.
        if (/managed-identity|web-identity|metadata/.test(words.join(' '))) {
          expect(stdout).toContain('It does not work yet: ');
          continue;
        }
        const [, provider = ''] = /^Provider (\S+) is connected/m.exec(stdout) ?? [];
        const [model] = valueOf(words, '--model').split('=') as [string];
        const json = { model, messages: [{ role: 'user', content: 'Hello' }], provider: { only: [provider] } };
        const answer = await app.api.post('/chat/completions', { key, json });
        expect([words.join(' '), answer.status]).toEqual([words.join(' '), 200]);
      }
    },
  );

  it('leave no trace of a model that cannot be added', async () => {
    const state = (): Promise<object[]> =>
      queryRows(app.database.url, 'SELECT id, is_own, in_model_list FROM models ORDER BY id');
    const before = await state();

    for (const [line, message] of [
      [
        'acme/new --provider my-vllm',
        'model acme/new needs pricing, with prompt and completion\nA new model needs --context, --prompt-price, --completion-price.\n',
      ],
      ['acme/new --provider my-vllm --prompt-price 1 --completion-price 2', 'needs context_length'],
      ['acme/new --provider my-vllm --context 100 --prompt-price 1', 'A new model needs --completion-price.'],
      ['acme/new --provider my-vllm --context 100 --prompt-price -1 --completion-price 2', 'US dollars for a million'],
      ['acme/new --provider my-vllm --context 1e400 --prompt-price 1 --completion-price 2', 'a whole number of tokens'],
      [
        'acme/new --provider My_VLLM --context 100 --prompt-price 1 --completion-price 2',
        'It is made of small letters, digits',
      ],
      [
        'new --provider my-vllm --context 100 --prompt-price 1 --completion-price 2',
        'Its form is author/slug, as acme/chat.',
      ],
      ['acme/new:31b --provider my-vllm --context 100 --prompt-price 1 --completion-price 2', '31b is no variant'],
      ['acme/new --provider my-vllm --context 100 --input-cache-write-1h-price 10', 'Prices are given together'],
      ['acme/new --provider my-vllm --unit-price image=0.02', 'needs context_length'],
      ['acme/new --provider my-vllm --context 100 --unit-price minute=1', 'one of request, second, character, image'],
      ['acme/new --provider my-vllm --context 100 --unit-price second', 'as second=0.0001'],
      ['acme/new --context 100', "required option '--provider <id>' not specified"],
      ['acme/new --provider my-vllm --input smell', 'smell is not one of text, image'],
    ] as const) {
      const ending = await runCommand(['model', 'add', ...line.split(' ')], {
        DATABASE_URL: app.database.url,
        ENCRYPTION_KEY: '11'.repeat(32),
      });
      expect({ line, code: ending.code, stderr: ending.stderr }).toEqual({
        line,
        code: 1,
        stderr: expect.stringContaining(message) as string,
      });
    }
    expect(await state()).toEqual(before);
  });
});
