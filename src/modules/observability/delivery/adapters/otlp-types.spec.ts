import {
  CANARY,
  FAILED_GENERATION,
  attributesOf,
  generationEvent,
  outgoing,
} from '../../../../../test/support/delivery/generation-events.js';
import { decodedJson, decodedProtobuf, spansIn } from '../../../../../test/support/delivery/trace-requests.js';
import { sharedReceiver, targetOf } from '../../../../../test/support/delivery/receiver.js';
import { adapterOf } from './destination-adapters.js';
import { otlpBodyOf } from './otlp-body.js';
import { OTLP_TYPES, type OtlpDestinationType } from './otlp-types.js';

const TRACE = {
  trace_name: 'Support',
  tags: ['blue', 'green'],
  feature: 'search',
  environment: 'staging',
  release: 'v1',
};

/** What a type's request says of one generation. */
async function written(type: OtlpDestinationType, changes: Parameters<typeof outgoing>[0] = {}, config = {}) {
  const body = (await otlpBodyOf(OTLP_TYPES[type], [outgoing({ trace: TRACE, ...changes })], config, 'json'))!;
  const request = decodedJson(body);
  return { resource: attributesOf(request.resourceSpans[0]!.resource), values: attributesOf(spansIn(request)[0]!) };
}

function json(value: unknown): unknown {
  return JSON.parse(value as string);
}

describe('the attributes for', () => {
  it('Langfuse say usage and costs apart', async () => {
    const { resource, values } = await written('langfuse');
    expect(values).toMatchObject({
      'langfuse.trace.name': 'Support',
      'langfuse.trace.tags': ['blue', 'green'],
      'langfuse.trace.metadata.feature': 'search',
      'langfuse.observation.type': 'generation',
      'langfuse.observation.level': 'DEFAULT',
      'langfuse.observation.model.name': 'openai/gpt-5.5-2026-08-01',
      'langfuse.observation.completion_start_time': '2026-11-26T14:24:33.010Z',
      'langfuse.environment': 'staging',
      'langfuse.release': 'v1',
    });
    expect(json(values['langfuse.observation.usage_details'])).toEqual({
      input: 20,
      output: 18,
      total: 150,
      input_cached_tokens: 100,
      output_reasoning_tokens: 12,
    });
    expect(json(values['langfuse.observation.cost_details'])).toEqual({ input: 0.0003, output: 0.0009, total: 0.0012 });
    expect(Object.keys(values).filter((key) => /^gen_ai\.usage\..*cost/.test(key))).toEqual([]);
    expect(resource).toMatchObject({ 'langfuse.environment': 'staging', 'langfuse.release': 'v1' });
    expect((await written('langfuse', FAILED_GENERATION)).values).toMatchObject({
      'langfuse.observation.level': 'ERROR',
      'langfuse.observation.status_message': `The provider said: ${CANARY}`,
      'langfuse.observation.usage_details': '{}',
    });
  });

  it('LangSmith name the thread', async () => {
    const { values } = await written('langsmith');
    expect(values).toMatchObject({
      'langsmith.span.kind': 'llm',
      'langsmith.trace.name': 'Support',
      'langsmith.span.tags': 'blue,green',
      'langsmith.metadata.session_id': 'session-1',
      'langsmith.metadata.feature': 'search',
    });
    expect(values).not.toHaveProperty(['langsmith.trace.session_id']);
  });

  it('Braintrust have content and metrics as JSON', async () => {
    const { values } = await written('braintrust');
    expect(json(values['braintrust.metrics'])).toEqual({
      prompt_tokens: 120,
      completion_tokens: 30,
      tokens: 150,
      prompt_cached_tokens: 100,
      prompt_cache_creation_tokens: 8,
      completion_reasoning_tokens: 12,
      time_to_first_token: 0.8125,
      estimated_cost: 0.0012,
    });
    expect(json(values['braintrust.input_json'])).toHaveLength(4);
    expect(json(values['braintrust.output_json'])).toMatchObject({ role: 'assistant', content: `Rain. ${CANARY}` });
    expect(json(values['braintrust.metadata'])).toMatchObject({
      feature: 'search',
      temperature: 0.2,
      tools: generationEvent().content!.tools,
    });
    expect(values).toMatchObject({
      'braintrust.span_attributes': '{"type":"llm"}',
      'braintrust.tags': ['blue', 'green'],
    });
    expect(values).not.toHaveProperty(['gen_ai.prompt']);
  });

  it('Arize are those of OpenInference', async () => {
    const { resource, values } = await written('arize', {}, { modelId: 'gateway' });
    expect(resource).toMatchObject({ 'openinference.project.name': 'gateway', model_id: 'gateway' });
    expect(values).toMatchObject({
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'openai/gpt-5.5-2026-08-01',
      'llm.system': 'openai',
      'llm.provider': 'azure',
      'llm.token_count.prompt': 120,
      'llm.token_count.prompt_details.cache_read': 100,
      'llm.token_count.completion_details.reasoning': 12,
      'llm.cost.total': 0.0012,
      'llm.input_messages.0.message.role': 'system',
      'llm.input_messages.2.message.tool_calls.0.tool_call.function.name': 'place',
      'llm.input_messages.3.message.tool_call_id': 'call-0',
      'llm.output_messages.0.message.content': `Rain. ${CANARY}`,
      'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'call-1',
      'input.mime_type': 'application/json',
      'tag.tags': ['blue', 'green'],
    });
    expect(values['llm.tools.0.tool.json_schema']).toContain('weather');
    expect((await written('arize', { operation: 'embeddings' })).values).toMatchObject({
      'openinference.span.kind': 'EMBEDDING',
      'embedding.model_name': 'openai/gpt-5.5-2026-08-01',
    });
  });

  it('Opik, Weave and Sentry have their own names', async () => {
    expect((await written('opik')).values).toMatchObject({ thread_id: 'session-1' });
    const weave = await written('weave', {}, { entity: 'team', project: 'gateway' });
    expect(weave.resource).toMatchObject({ 'wandb.entity': 'team', 'wandb.project': 'gateway' });
    expect(weave.values).toMatchObject({
      'wandb.thread_id': 'session-1',
      'wandb.is_turn': true,
      'openinference.span.kind': 'LLM',
    });
    const sentry = (await written('sentry')).values;
    expect(sentry).toMatchObject({
      'gen_ai.cost.input_tokens': 0.0003,
      'gen_ai.cost.output_tokens': 0.0009,
      'gen_ai.cost.total_tokens': 0.0012,
    });
    expect(json(sentry['gen_ai.input.messages'])).toHaveLength(4);
    expect(sentry).not.toHaveProperty(['gen_ai.prompt']);
  });

  it.each(['grafana', 'newrelic', 'ramp'] as const)('%s are those of all', async (type) => {
    const { values } = await written(type);
    const prefixes = Object.keys(values).map((key) => key.split('.')[0]);
    expect(new Set(prefixes)).toEqual(new Set(['trace', 'session', 'user', 'span', 'gen_ai']));
    expect(values['gen_ai.usage.total_cost']).toBe(0.0012);
  });
});

describe('a receiver of OTLP', () => {
  const receiver = sharedReceiver();

  const collector = targetOf({ endpoint: 'https://otel.example.com/custom/path?key=abc' });

  it('gets the encoding that is asked for, then the one that worked, then JSON', async () => {
    const adapter = adapterOf('otel-collector');
    await adapter.deliver([outgoing()], { ...collector, encoding: 'protobuf' }, receiver);
    await adapter.deliver([outgoing()], { ...collector, encoding: 'protobuf' }, receiver, 'json');
    await adapter.deliver([outgoing()], collector, receiver, 'protobuf');
    await adapter.deliver([outgoing()], collector, receiver);
    expect(receiver.received.map(({ headers }) => headers['content-type'])).toEqual([
      'application/x-protobuf',
      'application/json',
      'application/x-protobuf',
      'application/json',
    ]);
    expect(spansIn(decodedProtobuf(receiver.received[0]!.body))).toHaveLength(4);
    expect(receiver.last.path).toBe('/custom/path?key=abc');
  });

  it('gets several generations with one request, each under its own resource', async () => {
    const batch = ['gen-1', 'gen-2', 'gen-3'].map((id) => outgoing({ id }));
    await adapterOf('langfuse').deliver(batch, targetOf({ baseUrl: 'https://lf.example.com/base/' }), receiver);
    expect(receiver.urls).toEqual(['https://lf.example.com/base/api/public/otel/v1/traces']);
    const { resourceSpans } = decodedJson(receiver.last.body);
    expect(resourceSpans.map(({ resource }) => attributesOf(resource))).toEqual(
      ['gen-1', 'gen-2', 'gen-3'].map((id) => ({ 'service.name': 'gatehouse', 'gatehouse.generation.id': id })),
    );
    expect(resourceSpans[0]!.scopeSpans[0]!.spans[0]!.name).toBe(`chat ${generationEvent().model.id}`);
  });

  it('that takes only protobuf gets nothing else', async () => {
    await adapterOf('weave').deliver([outgoing()], targetOf({ baseUrl: 'https://trace.wandb.ai' }), receiver, 'json');
    expect(receiver.last.headers['content-type']).toBe('application/x-protobuf');
  });

  it('whose address has the path already does not get it twice', async () => {
    const target = targetOf({
      otlpEndpoint: 'https://s.example.com/otlp/v1/traces/',
      dsn: 'https://key@s.example.com/1',
    });
    await adapterOf('sentry').deliver([outgoing()], target, receiver);
    expect(receiver.urls).toEqual(['https://s.example.com/otlp/v1/traces']);
  });

  it.each([
    ['grafana', { baseUrl: 'https://otlp-gateway.grafana.net/otlp' }, '/otlp/v1/traces'],
    ['grafana', { baseUrl: 'https://otlp-gateway.grafana.net/otlp/v1/' }, '/otlp/v1/traces'],
    ['langfuse', { baseUrl: 'https://lf.example.com/api/public/otel' }, '/api/public/otel/v1/traces'],
    ['langfuse', { baseUrl: 'https://lf.example.com/base/api/public/otel/' }, '/base/api/public/otel/v1/traces'],
    ['langsmith', { endpoint: 'https://api.smith.langchain.com/otel' }, '/otel/v1/traces'],
    ['langsmith', { endpoint: 'https://ls.example.com/api/v1' }, '/api/v1/otel/v1/traces'],
    ['braintrust', { baseUrl: 'https://api.braintrust.dev/otel' }, '/otel/v1/traces'],
    ['weave', { baseUrl: 'https://trace.wandb.ai/otel' }, '/otel/v1/traces'],
    ['arize', { baseUrl: 'https://otlp.arize.com/v1' }, '/v1/traces'],
    [
      'sentry',
      { otlpEndpoint: 'https://s.example.com/otlp/v1', dsn: 'https://key@s.example.com/1' },
      '/otlp/v1/traces',
    ],
    ['datadog', { url: 'https://api.datadoghq.eu/api/intake/llm-obs' }, '/api/intake/llm-obs/v1/trace/spans'],
    // Only whole segments are the same.
    ['braintrust', { baseUrl: 'https://example.com/hotel' }, '/hotel/otel/v1/traces'],
  ] as const)('of %s at the address %j gets nothing of the path twice: %s', async (type, config, path) => {
    await expect(adapterOf(type).deliver([outgoing()], targetOf(config), receiver)).resolves.toEqual({
      outcome: 'delivered',
    });
    expect(receiver.received.map((received) => received.path)).toEqual([path]);
  });

  it('behind an address that only begins as its path does is found below it', async () => {
    receiver.answer = ({ path }) => ({ status: path === '/otlp/otlp/v1/traces' ? 200 : 404 });
    const target = targetOf({ baseUrl: 'https://proxy.example.com/otlp' });
    await expect(adapterOf('grafana').deliver([outgoing()], target, receiver)).resolves.toEqual({
      outcome: 'delivered',
    });
    expect(receiver.received.map(({ path }) => path)).toEqual(['/otlp/v1/traces', '/otlp/otlp/v1/traces']);
  });

  it('that has not kept all says so, and is not sent it again', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const partialSuccess = { rejectedSpans: '2', errorMessage: 'attribute too long' };
    receiver.answer = () => ({ status: 200, body: JSON.stringify({ partialSuccess }), headers });
    await expect(adapterOf('otel-collector').deliver([outgoing()], collector, receiver)).resolves.toEqual({
      outcome: 'delivered',
      note: 'HTTP 200: 2 spans were not kept. attribute too long',
      rejectedSpans: 2,
    });
    for (const body of ['{}', '{"partialSuccess":{}}', '{"partialSuccess":null}', 'no JSON', '[]']) {
      receiver.answer = () => ({ status: 200, body, headers });
      await expect(adapterOf('otel-collector').deliver([outgoing()], collector, receiver)).resolves.toEqual({
        outcome: 'delivered',
      });
    }
  });

  it('that says in protobuf that it has not kept all is understood as well', async () => {
    const headers = { 'content-type': 'application/x-protobuf' };
    // ExportTraceServiceResponse: partial_success = 1, in which rejected_spans = 1 (300 of them) and error_message = 2.
    const partial = Buffer.concat([Buffer.from([0x08, 0xac, 0x02, 0x12, 3]), Buffer.from('too')]);
    const bytes = Buffer.concat([Buffer.from([0x0a, partial.length]), partial]);
    receiver.answer = () => ({ status: 200, bytes, headers });
    await expect(
      adapterOf('weave').deliver([outgoing()], targetOf({ baseUrl: 'https://trace.wandb.ai' }), receiver),
    ).resolves.toEqual({
      outcome: 'delivered',
      note: 'HTTP 200: 300 spans were not kept. too',
      rejectedSpans: 300,
    });
    for (const said of [Buffer.alloc(0), Buffer.from([0xff, 0xff]), Buffer.from('{}')]) {
      receiver.answer = () => ({ status: 200, bytes: said, headers });
      await expect(
        adapterOf('weave').deliver([outgoing()], targetOf({ baseUrl: 'https://trace.wandb.ai' }), receiver),
      ).resolves.toEqual({ outcome: 'delivered' });
    }
  });

  it('of Ramp is looked for below the address where nothing is at it', async () => {
    receiver.answer = ({ path }) => ({ status: path.endsWith('/v1/traces') ? 200 : 404 });
    const target = targetOf({ apiKey: 'ramp-key', baseUrl: 'https://api.ramp.com/gateway' });
    await expect(adapterOf('ramp').deliver([outgoing()], target, receiver)).resolves.toEqual({ outcome: 'delivered' });
    expect(receiver.urls).toEqual(['https://api.ramp.com/gateway', 'https://api.ramp.com/gateway/v1/traces']);
    expect(receiver.received[1]!.raw.equals(receiver.received[0]!.raw)).toBe(true);
  });
});
