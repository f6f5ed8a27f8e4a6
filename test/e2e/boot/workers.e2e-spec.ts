import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import http, { type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { ApiClient } from '../../support/network/api-client.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { sendRawRequest } from '../../support/network/raw-request.js';
import { GatehouseProcess } from '../../support/processes/gatehouse-process.js';
import { until } from '../../support/time/until.js';
import { chunk, STREAM_END, STREAM_HEAD } from '../inference/provider-answers.js';
import { scrape, valueOf, type Scrape } from '../metrics/scrape.js';

const TOKEN = 'token-for-tests';

const MODEL = 'openai/gpt-5.4-mini';

/** Far more than a test takes: a shutdown that waits for its end does not end. */
const FOREVER = '3600000';

const ENCRYPTION_KEY = '11'.repeat(32);

// Each test stands on what the one before it has left: the same service goes on, or a service on the same database.
describe('a service of two workers', () => {
  let database: TestDatabase;
  let provider: ProviderServer;
  let service: GatehouseProcess;
  let origin: string;
  let key: string;
  /** What the provider has begun to answer, in the order of the requests. */
  const answers: ServerResponse[] = [];

  const start = async (): Promise<void> => {
    service = GatehouseProcess.service({
      WORKERS: '2',
      DATABASE_URL: database.url,
      ENCRYPTION_KEY,
      METRICS_TOKEN: TOKEN,
      SHUTDOWN_DRAIN_TIMEOUT_MS: FOREVER,
      PROVIDER_OPENAI_BASE_URL: provider.baseUrl,
      PROVIDER_OPENAI_API_KEY: 'sk-provider',
    });
    origin = await service.origin();
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    provider = await ProviderServer.start();
    provider.answerWith((response) => {
      response.writeHead(200, STREAM_HEAD);
      response.write(chunk({ content: 'Yes' }));
      answers.push(response);
    });
    await start();
    const [managementKey] = /mk-gate-v2-\w+-[0-9a-f]+/.exec(service.output)!;
    const api = new ApiClient(`${origin}/api/v1`);
    const { body } = await api.post<{ key: string }>('/keys', { key: managementKey, json: { name: 'of a test' } });
    ({ key } = body);
  }, 120_000);

  afterAll(async () => {
    await GatehouseProcess.killAll();
    await provider.stop();
    await database.drop();
  });

  /** On a connection of its own. */
  const live = async (): Promise<number> =>
    (await sendRawRequest('GET', `${origin}/health/live`, ['connection', 'close'])).status;

  /** A connection that comes while all workers stop may be taken by their first process, and left: then another one is tried. */
  const untilRefused = (): Promise<void> => {
    const isRefused = (): Promise<boolean> =>
      live().then(
        () => false,
        () => true,
      );
    return until(() => Promise.race([isRefused(), delay(1_000, false)]));
  };

  const scraped = (): Promise<Scrape> => scrape(`${origin}/metrics`, TOKEN);

  /** The answers to {@link live} in all processes. */
  const answered = (sums: Scrape): number =>
    valueOf(sums, 'gatehouse_http_request_duration_seconds_count', { operation: 'live', status: '200' });

  /** Streams on a connection of its own. @returns the answer when its first token is there */
  const stream = async (): Promise<IncomingMessage> => {
    const request = http.request(`${origin}/api/v1/chat/completions`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    request.end(JSON.stringify({ model: MODEL, stream: true, messages: [{ role: 'user', content: 'Hi' }] }));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  };

  /** The text of a stream to its end. @returns undefined where its connection has broken */
  const textOf = async (response: IncomingMessage): Promise<string | undefined> => {
    try {
      const chunks: string[] = [];
      for await (const bytes of response.setEncoding('utf8')) chunks.push(String(bytes));
      return chunks.join('');
    } catch {
      return undefined;
    }
  };

  it('says once where it is, answers 200 on one port, and counts in one scrape what both have answered, whichever is asked', async () => {
    expect(service.output.match(/Gatehouse is running\./g)).toHaveLength(1);
    expect(service.output.match(/mk-gate-v2-/g)).toHaveLength(1);
    const before = await scraped();
    expect(before.samples.some(({ labels }) => labels['operation'] === 'live')).toBe(false);

    const statuses = [await live(), await live(), await live(), await live()];
    const scrapes = await Promise.all([scraped(), scraped()]);

    expect(statuses).toEqual([200, 200, 200, 200]);
    expect(scrapes.map(answered)).toEqual([4, 4]);
    expect(valueOf(scrapes[0], 'gatehouse_workers')).toBe(2);
    expect(valueOf(scrapes[0], 'gatehouse_build_info')).toBe(1);
    // Each has half of DATABASE_POOL_SIZE.
    expect(valueOf(scrapes[0], 'gatehouse_database_pool_max_connections')).toBe(20);
  });

  it('loses only the streams (200) of a worker that is killed, replaces it, and loses nothing of the sums', async () => {
    const [killed] = workersOf(service);
    // Connections are handed out in turns.
    const streams = [await stream(), await stream()];
    const texts = streams.map(textOf);
    const before = await scraped();
    expect(valueOf(before, 'gatehouse_inference_active_streams')).toBe(2);

    process.kill(killed!, 'SIGKILL');
    const broken = await Promise.race(texts);
    for (const answer of answers.splice(0)) answer.end(STREAM_END);

    expect(broken).toBeUndefined();
    const whole = (await Promise.all(texts)).filter((text) => text !== undefined);
    expect(whole).toHaveLength(1);
    expect(whole[0]).toMatch(/data: \[DONE\]\n\n$/);
    await until(() => Promise.resolve(workersOf(service).length === 3));
    const statuses = [await live(), await live()];
    const after = await scraped();
    expect(statuses).toEqual([200, 200]);
    expect(answered(after)).toBe(answered(before) + 2);
    expect(valueOf(after, 'gatehouse_workers')).toBe(2);
    expect(service.output).toMatch(/"message":"a worker has ended unexpectedly \(process \d+, killed by SIGKILL\);/);
  });

  it('lets streams (200) go on to their end when a terminal sends SIGINT to all processes and the first sends it once more', async () => {
    const streams = [await stream(), await stream()];
    const texts = streams.map(textOf);

    for (const worker of alive(service)) process.kill(worker, 'SIGINT');
    service.signal('SIGINT');
    await untilRefused();
    for (const answer of answers.splice(0)) answer.end(STREAM_END);

    for (const text of await Promise.all(texts)) expect(text).toMatch(/data: \[DONE\]\n\n$/);
    const { code, signal, stdout, stderr } = await service.end();
    expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' });
    expect(stdout.match(/"message":"stopp(ing|ed)"/g)).toEqual(['"message":"stopping"', '"message":"stopped"']);
    expect(alive(service)).toEqual([]);
  });

  it('lets streams (200) go on to their end in workers whose first process is killed, and takes no further request', async () => {
    await start();
    const streams = [await stream(), await stream()];
    const texts = streams.map(textOf);

    service.signal('SIGKILL');
    await untilRefused();
    for (const answer of answers.splice(0)) answer.end(STREAM_END);

    for (const text of await Promise.all(texts)) expect(text).toMatch(/data: \[DONE\]\n\n$/);
    await until(() => Promise.resolve(alive(service).length === 0));
    expect(await service.end()).toMatchObject({ signal: 'SIGKILL' });
    expect(service.output.match(/"message":"the process that has started this worker is gone"/g)).toHaveLength(2);
  });
});

describe('a service of two workers that cannot start', () => {
  const CONFIGURED = { WORKERS: '2', ENCRYPTION_KEY };

  afterEach(() => GatehouseProcess.killAll());

  it('says once that its port is taken, and ends with exit code 1', async () => {
    const database = await createTestDatabase();
    const holder = http.createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };

    const service = GatehouseProcess.service({ ...CONFIGURED, DATABASE_URL: database.url, PORT: String(port) });
    const { code, stdout, stderr } = await service.end();

    expect(code).toBe(1);
    expect(stderr).toBe(
      `Port ${port} of 127.0.0.1 is taken by another process. Stop that one, or set PORT to a port that is free.\n`,
    );
    expect(stdout).not.toContain('Gatehouse is running.');
    holder.close();
    await database.drop();
  });

  it('says once that its database cannot be reached, and ends with exit code 1', async () => {
    const DATABASE_URL = 'postgres://gatehouse:hidden@127.0.0.1:1/gatehouse';

    const service = GatehouseProcess.service({ ...CONFIGURED, DATABASE_URL, DATABASE_WAIT_MS: '0' });

    expect(await service.end()).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: 'PostgreSQL at 127.0.0.1:1/gatehouse cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n',
    });
  });
});

/** The process ids of all workers that have listened, in the order in which they did. */
function workersOf(service: GatehouseProcess): number[] {
  const lines = service.output.matchAll(/"process_id":(\d+),"message":"a worker listens"/g);
  return [...lines].map(([, processId]) => Number(processId));
}

/** The processes of workers that have not ended. */
function alive(service: GatehouseProcess): number[] {
  return workersOf(service).filter((processId) => {
    try {
      return process.kill(processId, 0);
    } catch {
      return false;
    }
  });
}
