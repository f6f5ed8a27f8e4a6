import { DESTINATION_SAMPLES, SECRET_MARK } from '../../../../../test/support/resources/destination-samples.js';
import { DESTINATION_TYPES, type DestinationType } from '../../destination-settings.js';
import type { GenerationEvent, OutgoingGeneration } from '../generation-event.js';
import {
  CANARY,
  FAILED_GENERATION,
  generationEvent,
  oddFields,
  outgoing,
  withoutContent,
} from '../../../../../test/support/delivery/generation-events.js';
import { sharedReceiver, targetOf } from '../../../../../test/support/delivery/receiver.js';
import { adapterOf } from './destination-adapters.js';

const TYPES = [...DESTINATION_TYPES];

/** The description of a tool, which nothing else has in it. */
const TOOL = 'TOOL-3f9a';

/** Where each type's samples are sent, and the headers that say by whom. */
const REQUESTS: Readonly<Record<DestinationType, readonly [string, Readonly<Record<string, string>>]>> = {
  arize: [
    'POST https://otlp.arize.com/v1/traces',
    {
      authorization: secret('apiKey'),
      'arize-space-id': secret('spaceKey'),
      api_key: secret('apiKey'),
      space_id: secret('spaceKey'),
      'arize-interface': 'otel',
    },
  ],
  braintrust: [
    'POST https://api.braintrust.dev/otel/v1/traces',
    { authorization: `Bearer ${secret('apiKey')}`, 'x-bt-parent': 'project_id:project-1' },
  ],
  clickhouse: [
    'POST https://clickhouse.example.com:8443/',
    { 'x-clickhouse-user': 'a-long-user-name', 'x-clickhouse-key': secret('password') },
  ],
  datadog: ['POST https://api.us5.datadoghq.com/api/intake/llm-obs/v1/trace/spans', { 'dd-api-key': secret('apiKey') }],
  grafana: [
    'POST https://otlp-gateway.grafana.net/otlp/v1/traces',
    { authorization: basic(`1234567890:${secret('apiKey')}`) },
  ],
  langfuse: [
    'POST https://us.cloud.langfuse.com/api/public/otel/v1/traces',
    { authorization: basic(`${secret('publicKey')}:${secret('secretKey')}`), 'x-langfuse-ingestion-version': '4' },
  ],
  langsmith: [
    'POST https://api.smith.langchain.com/otel/v1/traces',
    { 'x-api-key': secret('apiKey'), 'langsmith-project': 'a-long-project-name', 'x-tenant-id': 'workspace-1' },
  ],
  newrelic: ['POST https://otlp.eu01.nr-data.net/v1/traces', { 'api-key': secret('licenseKey') }],
  opik: [
    'POST https://www.comet.com/opik/api/v1/private/otel/v1/traces',
    { authorization: secret('apiKey'), 'comet-workspace': 'a-long-workspace', projectname: 'a-long-project' },
  ],
  'otel-collector': ['POST https://otel.example.com/v1/traces', {}],
  posthog: ['POST https://us.i.posthog.com/batch/', {}],
  ramp: ['POST https://api.ramp.com/developer/v1/ai-usage/gateway', { authorization: `Bearer ${secret('apiKey')}` }],
  s3: [
    `PUT https://s3.example.com/gateway-traces/gateway-traces/2026-11-26/${generationEvent().id}-1795703072.json`,
    { 'x-amz-security-token': secret('sessionToken') },
  ],
  sentry: [
    'POST https://o1.ingest.sentry.io/api/1/integration/otlp/v1/traces',
    // The host of a DSN is written in lower case, and so is no key.
    { 'x-sentry-auth': `sentry sentry_key=0123${SECRET_MARK}4567` },
  ],
  snowflake: [
    'POST https://organization-account.snowflakecomputing.com/api/v2/statements',
    {
      authorization: `Bearer ${secret('token')}`,
      'x-snowflake-authorization-token-type': 'PROGRAMMATIC_ACCESS_TOKEN',
      accept: 'application/json',
    },
  ],
  weave: [
    'POST https://trace.wandb.ai/otel/v1/traces',
    { authorization: basic(`api:${secret('apiKey')}`), project_id: 'a-long-team-name/a-long-project' },
  ],
  webhook: [`PUT https://hooks.example.com/traces/${SECRET_MARK}`, { 'webhook-id': generationEvent().id }],
};

function secret(name: string): string {
  return `abcd-${SECRET_MARK}-${name}-wxyz`;
}

function basic(pair: string): string {
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

describe('a destination', () => {
  const receiver = sharedReceiver();

  async function deliver(type: DestinationType, generations: OutgoingGeneration[], changes: object = {}) {
    const config = { ...DESTINATION_SAMPLES[type].config, ...changes };
    return adapterOf(type).deliver(generations, targetOf(config), receiver);
  }

  /** Everything that a type sends of a generation: address, headers and body. */
  async function sentOf(type: DestinationType, generation: OutgoingGeneration): Promise<string> {
    receiver.reset();
    await expect(deliver(type, [generation])).resolves.toEqual({ outcome: 'delivered' });
    const { path, headers, body } = receiver.last;
    return `${decodeURIComponent(path)}\n${JSON.stringify(headers)}\n${body.toString()}`;
  }

  it.each(TYPES)('of type %s is called by its address and with its credentials', async (type) => {
    await expect(deliver(type, [outgoing()])).resolves.toEqual({ outcome: 'delivered' });
    const [request, headers] = REQUESTS[type];
    const url = receiver.urls[0]!.split('?')[0]!;
    expect(`${receiver.last.method} ${url}`).toBe(request);
    expect(receiver.last.headers).toMatchObject(headers);
    const contentType =
      type === 'weave' ? 'application/x-protobuf' : type === 'clickhouse' ? 'application/x-ndjson' : 'application/json';
    expect(receiver.last.headers['content-type']).toBe(contentType);
    const isPlain = ['datadog', 'ramp', 's3', 'snowflake', 'webhook'].includes(type);
    expect(receiver.last.headers['content-encoding']).toBe(isPlain ? undefined : 'gzip');
  });

  it.each(TYPES)('of type %s gets the content', async (type) => {
    await expect(sentOf(type, outgoing())).resolves.toContain(CANARY);
  });

  it.each(TYPES)('of type %s gets the definitions of tools', async (type) => {
    const tools = [
      { type: 'function', function: { name: 'look_up', description: TOOL, parameters: { type: 'object' } } },
    ];
    await expect(sentOf(type, outgoing({ content: { ...generationEvent().content!, tools } }))).resolves.toContain(
      TOOL,
    );
  });

  it.each(TYPES)('of type %s that is to have no content gets nothing of it', async (type) => {
    const all = { cost: true, identity: true, requestContext: true };
    const prompt: GenerationEvent['content'] = {
      input: { prompt: CANARY },
      output: { completion: CANARY, reasoning: null, toolCalls: [] },
    };
    const generations = [
      outgoing({}, all),
      outgoing(FAILED_GENERATION, all),
      outgoing({ ...FAILED_GENERATION, isCancelled: true }, all),
      outgoing({ operation: 'embeddings', content: prompt }, all),
    ];
    for (const generation of generations) {
      const sent = await sentOf(type, withoutContent(generation));
      expect(sent).not.toContain(CANARY);
      expect(sent).not.toMatch(/gen_ai\.(?:prompt|completion|input\.messages|output\.messages|tool\.definitions)/);
      expect(sent).toContain(generation.event.externalUser);
    }
  });

  it.each(TYPES)('of type %s gets the same bytes when a delivery is repeated', async (type) => {
    const generations = [outgoing(), outgoing({ ...FAILED_GENERATION, id: 'gen-1795703073-x' })];
    const batch = generations.slice(0, adapterOf(type).limits.generations);
    await deliver(type, batch);
    await deliver(type, JSON.parse(JSON.stringify(batch)) as OutgoingGeneration[]);
    const [first, second] = receiver.received;
    expect(second!.raw.equals(first!.raw)).toBe(true);
    expect(second!.path).toBe(first!.path);
  });

  it.each(TYPES)('of type %s takes every odd generation', async (type) => {
    const odd = { ...oddFields(), long: 'ł'.repeat(1_000_000), list: Array.from({ length: 100_000 }, () => 1) };
    const content = { ...generationEvent().content!, input: { messages: [null, 5, odd, [odd]] } };
    const generations = [
      outgoing({ trace: odd, metadata: odd, parameters: odd, externalUser: null, sessionId: null, content: null }),
      outgoing({ trace: odd, metadata: odd, parameters: odd, content }, { requestContext: true }),
      outgoing({ startedAt: Number.NaN, endedAt: Infinity, firstTokenMs: Number.NaN, attempts: [] }),
    ];
    for (const generation of generations) {
      await expect(deliver(type, [generation])).resolves.toEqual({ outcome: 'delivered' });
      expect(receiver.last.body.length).toBeLessThanOrEqual(adapterOf(type).limits.bytes);
      expect(receiver.last.body.toString()).not.toMatch(/\\ud[89a-f]/i);
    }
    expect({}).not.toHaveProperty('polluted');
  });

  it.each(TYPES)('of type %s gets a generation without content that is larger than its requests', async (type) => {
    const { limits } = adapterOf(type);
    const messages = Array.from({ length: 100 }, () => ({ role: 'user', content: '"ł'.repeat(limits.bytes / 250) }));
    const generation = outgoing({
      trace: Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`key-${index}`, 'v'.repeat(20_000)])),
      content: { ...generationEvent().content!, input: { messages } },
    });
    if (limits.bytes > 30_000_000) return;
    await expect(deliver(type, [generation])).resolves.toEqual({ outcome: 'delivered' });
    expect(receiver.last.body.length).toBeLessThanOrEqual(limits.bytes);
    expect(receiver.last.body.toString()).toContain('customer-1');
  });

  it.each(TYPES.filter((type) => adapterOf(type).limits.generations > 1))(
    'of type %s is not sent a batch that is too large, which is to be halved',
    async (type) => {
      const content = { ...generationEvent().content!, input: { prompt: 'x'.repeat(5_000) } };
      const count = Math.ceil(adapterOf(type).limits.bytes / 4_000);
      const batch = Array.from({ length: count }, (_, index) => outgoing({ id: `gen-${index}`, content }));
      await expect(deliver(type, batch)).resolves.toMatchObject({ outcome: 'refused', status: null });
      expect(receiver.received).toEqual([]);
    },
    300_000,
  );

  it.each(TYPES)('of type %s has its headers, but not those that say how a request is sent', async (type) => {
    const headers = {
      'X-Team': 'search',
      HOST: 'example.com',
      'Content-Type': 'text/plain',
      'content-length': '1',
      'Content-Encoding': 'br',
      Connection: 'close',
      'Transfer-Encoding': 'chunked',
      'X-Broken': 'a\r\nb: c',
      'X Broken': 'a',
    };
    await expect(deliver(type, [outgoing()], { headers })).resolves.toEqual({ outcome: 'delivered' });
    expect(receiver.last.headers).toMatchObject({ 'x-team': 'search' });
    expect(receiver.last.headers['content-type']).not.toBe('text/plain');
    expect(receiver.last.headers['content-encoding']).not.toBe('br');
    expect(receiver.last.headers.host).toBe(new URL(receiver.urls[0]!).host);
    expect(receiver.last.headers).not.toHaveProperty('x-broken');
    expect(receiver.last.raw.length).toBeGreaterThan(1);
  });

  it.each(TYPES)('of type %s whose receiver repeats its credentials has them masked', async (type) => {
    const { config } = DESTINATION_SAMPLES[type];
    receiver.answer = ({ headers, path }) => ({
      status: 401,
      body: JSON.stringify({ path, headers, values: Object.values(config) }),
    });
    const verdict = await deliver(type, [outgoing()], { headers: { 'x-token': `token-${SECRET_MARK}` } });
    expect(verdict).toMatchObject({ outcome: 'misconfigured', status: 401 });
    expect(JSON.stringify(verdict)).not.toContain(SECRET_MARK);
    expect(JSON.stringify(verdict)).not.toContain(Buffer.from(SECRET_MARK).toString('base64').slice(0, 6));
  });

  it.each(TYPES)('of type %s is told apart by its answer', async (type) => {
    const outcomes: string[] = [];
    for (const status of [202, 400, 413, 404, 429, 500, 503, 410, 415]) {
      receiver.answer = () => ({ status, body: '' });
      outcomes.push((await deliver(type, [outgoing()])).outcome);
    }
    // Snowflake's 202 means that it is still at work.
    expect(outcomes).toEqual([
      type === 'snowflake' ? 'unavailable' : 'delivered',
      'refused',
      'refused',
      'misconfigured',
      'throttled',
      'failed',
      'unavailable',
      'gone',
      'unsupported_encoding',
    ]);
  });

  it.each(TYPES)('of type %s may have names that are no text of a header', async (type) => {
    const names = ['project', 'projectName', 'projectId', 'workspace', 'username', 'apiKey', 'instanceId', 'token'];
    const { config } = DESTINATION_SAMPLES[type];
    const changes = Object.fromEntries(names.filter((name) => name in config).map((name) => [name, 'Łódź\r\n🙂']));
    await expect(deliver(type, [outgoing()], changes)).resolves.toEqual({ outcome: 'delivered' });
  });

  it.each(TYPES)('of type %s says what a generation takes, more or less', async (type) => {
    const content = { ...generationEvent().content!, input: { prompt: 'x'.repeat(20_000) } };
    const generation = outgoing({ content });
    await deliver(type, [generation]);
    const actual = receiver.last.body.length;
    const estimated = adapterOf(type).bytesOf(generation);
    // Values that are cut make it smaller.
    if (type !== 'grafana' && type !== 'newrelic') expect(estimated).toBeLessThan(actual * 2.5);
    expect(estimated).toBeGreaterThan(actual * 0.7);
  });
});
