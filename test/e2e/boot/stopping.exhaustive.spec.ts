import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { ApiClient, readAnswer } from '../../support/network/api-client.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { createTestDatabase, queryRows, type TestDatabase } from '../../support/database/test-database.js';
import { GatehouseProcess } from '../../support/processes/gatehouse-process.js';
import { until } from '../../support/time/until.js';
import { chunk, STREAM_END, STREAM_HEAD } from '../inference/provider-answers.js';

const MODEL = 'openai/gpt-5.4-mini';

/** Says when the process handles SIGTERM. */
const ANNOUNCES_HANDLER = `data:text/javascript,${encodeURIComponent(
  "process.on('newListener', (name) => name === 'SIGTERM' && process.stdout.write('handles SIGTERM\\n'))",
)}`;

/** Far more than a test takes: a shutdown that waits for its end does not end. */
const FOREVER = '3600000';

const STREAMS = [
  ['chat completions', '/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
  ['messages', '/messages', { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 100 }],
  ['responses', '/responses', { input: 'Hi' }],
  ['completions', '/completions', { prompt: 'Hi' }],
] as const;

describe('a service that is asked to stop', () => {
  let database: TestDatabase;
  let provider: ProviderServer;
  let key: string | undefined;

  beforeAll(async () => {
    database = await createTestDatabase();
    provider = await ProviderServer.start();
  });

  afterEach(() => GatehouseProcess.killAll());

  afterAll(async () => {
    await provider.stop();
    await database.drop();
  });

  const started = async (
    variables: Readonly<Record<string, string>>,
  ): Promise<{ service: GatehouseProcess; origin: string; key: string }> => {
    const configured = {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: '11'.repeat(32),
      PROVIDER_OPENAI_BASE_URL: provider.baseUrl,
      PROVIDER_OPENAI_API_KEY: 'sk-provider',
    };
    const service = GatehouseProcess.service({ ...configured, ...variables });
    const origin = await service.origin();
    key ??= await createKey(`${origin}/api/v1`, configured);
    return { service, origin, key };
  };

  const ask = (origin: string, key: string, operation: string, body: object): Promise<Response> =>
    fetch(`${origin}/api/v1${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, ...body }),
    });

  /** What the provider answers with from now on: the head of a stream and one token. @returns the responses, as they come */
  const begunStreams = (): ServerResponse[] => {
    const responses: ServerResponse[] = [];
    provider.answerWith((response) => {
      response.writeHead(200, STREAM_HEAD);
      response.write(chunk({ content: 'Yes' }));
      responses.push(response);
    });
    return responses;
  };

  it('is not ready any more, answers 503 to say so, and answers new connections 200 while the delay lasts', async () => {
    const { service, origin, key } = await started({ SHUTDOWN_DELAY_MS: '600000' });

    service.signal('SIGTERM');
    await service.said(/"message":"stopping"/);
    const ready = await fetch(`${origin}/health/ready`);
    const live = await fetch(`${origin}/health/live`);
    const models = await fetch(`${origin}/api/v1/models`, { headers: { authorization: `Bearer ${key}` } });

    expect([ready.status, await ready.json()]).toMatchObject([503, { checks: { service: 'stopping' } }]);
    expect([live.status, models.status]).toEqual([200, 200]);
    expect([ready, live, models].map(({ headers }) => headers.get('connection'))).toEqual(['close', 'close', 'close']);
  }, 120_000);

  it('takes no delay where a person stops it from a terminal', async () => {
    const { service } = await started({ SHUTDOWN_DELAY_MS: '600000' });

    service.signal('SIGINT');

    expect(await service.end()).toMatchObject({ code: 0, signal: null });
  });

  it('lets a stream (200) go on to its end, and then ends', async () => {
    const { service, origin, key } = await started({ SHUTDOWN_DRAIN_TIMEOUT_MS: FOREVER });
    const responses = begunStreams();
    const answer = await ask(origin, key, '/chat/completions', {
      stream: true,
      messages: [{ role: 'user', content: 'Hi' }],
    });
    service.signal('SIGTERM');
    await until(() =>
      fetch(origin).then(
        () => false,
        () => true,
      ),
    );

    responses[0]!.end(STREAM_END);

    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(/data: \[DONE\]\n\n$/);
    expect(await service.end()).toMatchObject({ code: 0, signal: null });
  }, 120_000);

  it('ends what is left of streams (200) with an error event of their form, and charges what came', async () => {
    const { service, origin, key } = await started({ SHUTDOWN_DRAIN_TIMEOUT_MS: '0' });
    begunStreams();
    const answers = await Promise.all(
      STREAMS.map(([, operation, body]) => ask(origin, key, operation, { ...body, stream: true })),
    );
    const ids = answers.map(({ headers }) => headers.get('x-generation-id'));

    service.signal('SIGTERM');
    const read = await Promise.all(answers.map(readAnswer));
    const texts = read.map(({ text }) => text);

    expect(answers.map(({ status }) => status)).toEqual(STREAMS.map(() => 200));
    const [chat, messages, responses, completions] = texts;
    expect(chat).toMatch(/"error":\{"code":503,"message":"The gateway is being stopped[^\n]*"finish_reason":"error"/);
    expect(completions).toMatch(/"error":\{"code":503,"message":"The gateway is being stopped/);
    expect(messages).toMatch(/event: error\ndata: [^\n]*The gateway is being stopped/);
    expect(responses).toMatch(/event: response.failed\ndata: [^\n]*The gateway is being stopped/);
    // The connection ends without the end of the answer, so that no client takes it for complete.
    expect(read.map(({ isWhole }) => isWhole)).toEqual(STREAMS.map(() => false));
    for (const text of texts) expect(text).not.toMatch(/\[DONE\]|message_stop|response.completed/);
    expect(await service.end()).toMatchObject({ code: 0, signal: null });
    const records = await queryRows<{ has_tokens: boolean; is_charged: boolean; reason: string }>(
      database.url,
      `SELECT completion_tokens > 0 AS has_tokens, cost_usd > 0 AS is_charged, details->>'finishReason' AS reason
       FROM generations WHERE id = ANY($1)`,
      [ids],
    );
    expect(records).toEqual(STREAMS.map(() => ({ has_tokens: true, is_charged: true, reason: 'error' })));
  }, 120_000);

  it('answers what waits for its provider with 503', async () => {
    const { service, origin, key } = await started({ SHUTDOWN_DRAIN_TIMEOUT_MS: '0' });
    let asked = 0;
    provider.answerWith(() => void (asked += 1));
    const answers = ['/chat/completions', '/chat/completions'].map((operation, index) =>
      ask(origin, key, operation, { stream: index === 1, messages: [{ role: 'user', content: 'Hi' }] }),
    );
    await until(() => Promise.resolve(asked === 2));

    service.signal('SIGTERM');

    for (const answer of await Promise.all(answers)) {
      expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toMatchObject([
        503,
        '1',
        { error: { metadata: { reason: 'service_stopping' } } },
      ]);
    }
    expect(await service.end()).toMatchObject({ code: 0, signal: null });
  }, 120_000);
});

describe('a process that is asked to stop before it has loaded the service', () => {
  afterEach(() => GatehouseProcess.killAll());

  it('ends with exit code 0 and without a word', async () => {
    const service = GatehouseProcess.service({
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
      ENCRYPTION_KEY: '11'.repeat(32),
      NODE_OPTIONS: `--import ${ANNOUNCES_HANDLER}`,
    });
    await service.said(/handles SIGTERM/);

    const ending = await service.stop();

    expect(ending).toEqual({ code: 0, signal: null, stdout: 'handles SIGTERM\n', stderr: '' });
  });

  it('has nothing but node:* and its handlers loaded by then', () => {
    const loaded = new Set<string>();
    const load = (file: string): void => {
      if (loaded.has(file)) return;
      loaded.add(file);
      const imports = readFileSync(file, 'utf8').matchAll(/^import (?!type )[^;]*?'([^']+)';/gm);
      for (const [, name = ''] of imports) {
        if (name.startsWith('node:')) continue;
        load(path.join(path.dirname(file), name.replace(/\.js$/, '.ts')));
      }
    };

    load('src/main.ts');

    expect([...loaded]).toEqual(['src/main.ts', 'src/bootstrap/shutdown.ts']);
  });
});

/** Creates an API key with the command line and the service. */
async function createKey(url: string, variables: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await GatehouseProcess.command(['management-key', '--json'], variables);
  const { management_key: managementKey } = JSON.parse(stdout) as { management_key: string };
  const created = await new ApiClient(url).post<{ key: string }>('/keys', {
    key: managementKey,
    json: { name: 'of a test' },
  });
  return created.body.key;
}
