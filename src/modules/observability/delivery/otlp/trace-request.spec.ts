import { createHash } from 'node:crypto';
import { adapterOf } from '../adapters/destination-adapters.js';
import { OTLP_TYPES } from '../adapters/otlp-types.js';
import { otlpBodyOf } from '../adapters/otlp-body.js';
import {
  attributesOf,
  CANARY,
  FAILED_GENERATION,
  generationEvent,
  oddFields,
  outgoing,
  withoutContent,
} from '../../../../../test/support/delivery/generation-events.js';
import type { GenerationEvent, OutgoingGeneration } from '../generation-event.js';
import {
  type DecodedSpan,
  decodedJson,
  decodedProtobuf,
  spansIn,
} from '../../../../../test/support/delivery/trace-requests.js';

/** The attributes by which receivers know the kind of a span. */
const KINDS = [
  'langfuse.observation.type',
  'langsmith.span.kind',
  'braintrust.span_attributes',
  'openinference.span.kind',
];

const COLLECTOR = OTLP_TYPES['otel-collector'];

async function written(generation: OutgoingGeneration, otlp = COLLECTOR): Promise<DecodedSpan[]> {
  return spansIn(decodedJson((await otlpBodyOf(otlp, [generation], {}, 'json'))!));
}

async function spanOf(
  changes: Partial<GenerationEvent> = {},
  additional: Partial<OutgoingGeneration['additional']> = {},
) {
  const [span] = await written(outgoing(changes, additional));
  return { ...span!, values: attributesOf(span!) };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

describe('the spans of a generation', () => {
  it('are its own first, then one of each attempt, and one of the answer, with ids that follow from its id', async () => {
    const { id } = generationEvent();
    const spans = await written(outgoing());
    const traceId = sha256(id).slice(0, 32);
    const own = sha256(id).slice(0, 16);
    expect(spans.map(({ name, parentSpanId, spanId }) => [name, parentSpanId, spanId])).toEqual([
      ['chat openai/gpt-5.5', undefined, own],
      ['provider attempt 1: OpenAI', own, sha256(`${id}:attempt-0`).slice(0, 16)],
      ['provider attempt 2: Azure', own, sha256(`${id}:attempt-1`).slice(0, 16)],
      ['generation', own, sha256(`${id}:generation`).slice(0, 16)],
    ]);
    expect(spans.every((span) => span.traceId === traceId && span.kind === 3)).toBe(true);
    expect(spans.map(({ status }) => status.code)).toEqual([1, 2, 1, 1]);
  });

  it.each([...Object.values(OTLP_TYPES)])(
    'are for $type one generation, and nothing of the others counts as one',
    async (otlp) => {
      const [own, ...others] = await written(outgoing({ trace: { span_name: 'Search' } }), otlp);
      expect(attributesOf(own!)).toMatchObject({
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'openai/gpt-5.5',
        'gen_ai.provider.name': 'azure.ai.openai',
        'span.type': 'generation',
      });
      expect(others).toHaveLength(4);
      for (const span of others) {
        const values = attributesOf(span);
        // What receivers take for a call of a model: any of the conventions' attributes, a model, or a kind of their own.
        const names = Object.keys(values).filter((name) => /^(?:gen_ai|llm)\.|^model$|model\.name$/.test(name));
        expect(names).toEqual([]);
        expect(values['span.type']).toBe('span');
        expect(KINDS.flatMap((kind) => values[kind] ?? [])).not.toContainEqual(
          expect.stringMatching(/generation|llm/i),
        );
      }
    },
  );

  it.each([
    ['langfuse', 'langfuse.observation.type', 'span'],
    ['langsmith', 'langsmith.span.kind', 'chain'],
    ['braintrust', 'braintrust.span_attributes', '{"type":"task"}'],
    ['arize', 'openinference.span.kind', 'CHAIN'],
    ['weave', 'openinference.span.kind', 'CHAIN'],
    ['otel-collector', 'openinference.span.kind', 'CHAIN'],
  ] as const)('but the first say to %s what they are by %s: %s', async (type, name, kind) => {
    const [, ...others] = await written(outgoing(), OTLP_TYPES[type]);
    expect(others.map((span) => attributesOf(span)[name])).toEqual([kind, kind, kind]);
  });

  it('have the exact times', async () => {
    expect((await written(outgoing())).map((span) => [span.startTimeUnixNano, span.endTimeUnixNano])).toEqual([
      ['1795703072198000000', '1795703074543250000'],
      ['1795703072202000000', '1795703072322500000'],
      ['1795703072328000000', '1795703073010500000'],
      ['1795703073010500000', '1795703074543250000'],
    ]);
  });

  it('end when they start at the earliest, and have a time even where it is none', async () => {
    const [late] = await written(outgoing({ endedAt: 1 }));
    expect(late!.endTimeUnixNano).toBe(late!.startTimeUnixNano);
    expect((await written(outgoing({ startedAt: Number.NaN, endedAt: Infinity })))[0]!.startTimeUnixNano).toBe('0');
  });

  it('are within the trace and below the span that a request names', async () => {
    const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736';
    const trace = { trace_id, parent_span_id: '00f067aa0ba902b7', span_name: 'Search', generation_name: 'Answer' };
    const spans = await written(outgoing({ trace }));
    expect(spans.slice(0, 2).map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
      ['Answer', spans[1]!.spanId],
      ['Search', '00f067aa0ba902b7'],
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([trace_id]));
    expect(attributesOf(spans[0]!)).not.toHaveProperty(['trace.metadata.trace_id']);
  });

  it.each(['order-1', '0'.repeat(32), '4bf92f3577b34da6'])(
    'share a trace by any other text, such as %s',
    async (trace_id) => {
      const { organizationId } = generationEvent();
      const { traceId, parentSpanId, values } = await spanOf({ trace: { trace_id, parent_span_id: 'step' } });
      expect(traceId).toBe(sha256(`${organizationId}:${trace_id}`).slice(0, 32));
      expect(parentSpanId).toBe(sha256(`${organizationId}:step`).slice(0, 16));
      expect(values).toMatchObject({ 'trace.metadata.trace_id': trace_id, 'trace.metadata.parent_span_id': 'step' });
    },
  );

  it('have no parent without a trace that it would be in', async () => {
    const { parentSpanId, values } = await spanOf({ trace: { parent_span_id: '00f067aa0ba902b7' } });
    expect(parentSpanId).toBeUndefined();
    expect(values['trace.metadata.parent_span_id']).toBe('00f067aa0ba902b7');
  });

  it.each(['json', 'protobuf'] as const)('are the same bytes each time as %s', async (encoding) => {
    const bytes = async () => (await otlpBodyOf(COLLECTOR, [outgoing(), outgoing(FAILED_GENERATION)], {}, encoding))!;
    expect((await bytes()).equals(await bytes())).toBe(true);
  });

  it.each(Object.values(OTLP_TYPES))('of $type say the same in both encodings', async (otlp) => {
    const generations = [
      outgoing({}, { cost: true, identity: true, requestContext: true }),
      outgoing(FAILED_GENERATION),
    ];
    const plain = (spans: DecodedSpan[]) =>
      spans.map((span) => ({
        ...[span.traceId, span.spanId, span.parentSpanId ?? '', span.name, span.kind],
        times: [span.startTimeUnixNano, span.endTimeUnixNano],
        status: [span.status.code, span.status.message ?? ''],
        attributes: attributesOf(span),
        events: span.events.map((event) => [event.name, event.timeUnixNano, attributesOf(event)]),
      }));
    const json = spansIn(decodedJson((await otlpBodyOf(otlp, generations, {}, 'json'))!));
    const binary = spansIn(decodedProtobuf((await otlpBodyOf(otlp, generations, {}, 'protobuf'))!));
    expect(json.length).toBe(6);
    expect(plain(binary)).toEqual(plain(json));
  });
});

describe('the attributes of a generation', () => {
  it('are those of the conventions, with types', async () => {
    const { values, attributes } = await spanOf();
    expect(values).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'azure.ai.openai',
      'gen_ai.system': 'openai',
      'gen_ai.request.model': 'openai/gpt-5.5',
      'gen_ai.response.model': 'openai/gpt-5.5-2026-08-01',
      'gen_ai.response.id': generationEvent().id,
      'gen_ai.response.finish_reasons': ['tool_calls'],
      'gen_ai.response.finish_reason': 'tool_calls',
      'gen_ai.response.time_to_first_chunk': 0.8125,
      'gen_ai.usage.input_tokens': 120,
      'gen_ai.usage.output_tokens': 30,
      'gen_ai.usage.total_tokens': 150,
      'gen_ai.usage.cache_read.input_tokens': 100,
      'gen_ai.usage.cache_write.input_tokens': 8,
      'gen_ai.usage.cache_creation.input_tokens': 8,
      'gen_ai.usage.reasoning.output_tokens': 12,
      'gen_ai.usage.input_cost': 0.0003,
      'gen_ai.usage.output_cost': 0.0009,
      'gen_ai.usage.total_cost': 0.0012,
      'gen_ai.request.temperature': 0.2,
      'gen_ai.request.max_tokens': 64,
      'gen_ai.request.choice.count': 1,
      'gen_ai.request.stop_sequences': ['END'],
      'gen_ai.request.stream': true,
      'gen_ai.conversation.id': 'session-1',
      'session.id': 'session-1',
      'user.id': 'customer-1',
      'span.level': 'DEFAULT',
      'trace.name': 'Support',
      'trace.metadata.feature': 'search',
      'trace.metadata.rank': 3,
      'trace.metadata.isBeta': true,
      'trace.metadata.tags': '["blue","green"]',
      'trace.metadata.team': 'search',
      'trace.metadata.gatehouse.provider_name': 'Azure',
      'trace.metadata.gatehouse.api_key_name': 'production',
      'trace.metadata.gatehouse.finish_reason': 'tool_use',
    });
    const typeOf = (key: string) => Object.keys(attributes.find((attribute) => attribute.key === key)!.value);
    expect(typeOf('gen_ai.usage.input_tokens')).toEqual(['intValue']);
    expect(typeOf('gen_ai.usage.total_cost')).toEqual(['doubleValue']);
    expect(typeOf('gen_ai.request.stream')).toEqual(['boolValue']);
  });

  it('have a cost of exactly one dollar as that number', async () => {
    const cost = { ...generationEvent().cost, total: '1.000000' };
    expect((await spanOf({ cost })).values['gen_ai.usage.total_cost']).toBe(1);
  });

  it('leave out what is not known', async () => {
    const { values, status, events } = await spanOf({ ...FAILED_GENERATION, externalUser: null, sessionId: null });
    const unknown = [
      'user.id',
      'session.id',
      'gen_ai.conversation.id',
      'gen_ai.usage.input_tokens',
      'gen_ai.usage.input_cost',
    ];
    for (const key of [...unknown, 'gen_ai.usage.total_tokens', 'gen_ai.response.finish_reasons']) {
      expect(values).not.toHaveProperty([key]);
    }
    expect(status).toEqual({ code: 2, message: `The provider said: ${CANARY}` });
    expect(values).toMatchObject({ 'error.type': 'provider_error', 'span.level': 'ERROR' });
    expect(events).toMatchObject([{ name: 'exception' }]);
    expect(attributesOf(events[0]!)).toEqual({
      'exception.type': 'provider_error',
      'exception.message': `The provider said: ${CANARY}`,
    });
  });

  it('say that the client has left', async () => {
    const span = await spanOf({ isCancelled: true });
    expect(span).toMatchObject({ status: { code: 2, message: 'The client has disconnected' }, events: [] });
    expect(span.values).toMatchObject({ 'error.type': 'client_disconnected', 'span.level': 'ERROR' });
  });

  it.each([
    ['amazon-bedrock', 'aws.bedrock'],
    ['google-vertex', 'gcp.vertex_ai'],
    ['anthropic', 'anthropic'],
    ['own-servers', 'own-servers'],
  ])('name the provider %s as the conventions do, whichever company has made the model: %s', async (slug, name) => {
    const model = { ...generationEvent().model, author: 'anthropic' };
    const { values } = await spanOf({ model, provider: { name: 'A provider', slug } });
    expect(values).toMatchObject({ 'gen_ai.provider.name': name, 'gen_ai.system': 'anthropic' });
  });

  it('have the finish reasons of all choices', async () => {
    const { values } = await spanOf({ finishReason: 'stop', finishReasons: ['stop', 'length'] });
    expect(values).toMatchObject({
      'gen_ai.response.finish_reasons': ['stop', 'length'],
      'gen_ai.response.finish_reason': 'stop',
    });
  });

  it.each([
    [{ parameters: { response_format: { type: 'json_object' } } }, 'json'],
    [{ parameters: { response_format: { type: 'json_schema' } }, content: null }, 'json'],
    [{ parameters: { response_format: { type: 'text' } } }, 'text'],
    [{ operation: 'image' as const }, 'image'],
    [{ operation: 'speech' as const }, 'speech'],
    [{}, undefined],
    [{ parameters: { response_format: { type: 'grammar' } } }, undefined],
  ])('of %j say that the output was asked for as %s', async (changes, type) => {
    expect((await spanOf(changes)).values['gen_ai.output.type']).toBe(type);
  });

  it('have a message of an answer that has ended without a word', async () => {
    const content = {
      input: { messages: [{ role: 'user', content: 'Do it.' }] },
      output: { completion: null, reasoning: null, toolCalls: [] },
    };
    const output = async (changes: Partial<GenerationEvent>) =>
      JSON.parse((await spanOf({ content, ...changes })).values['gen_ai.output.messages'] as string) as unknown;
    expect(await output({ finishReason: 'content_filter' })).toEqual([
      { role: 'assistant', parts: [], finish_reason: 'content_filter' },
    ]);
    expect(await output(FAILED_GENERATION)).toEqual([]);
  });

  it('are those of embeddings for embeddings', async () => {
    const content = { input: { prompt: 'a text' }, output: { completion: null, reasoning: null, toolCalls: [] } };
    const { name, values } = await spanOf({ operation: 'embeddings', isStreamed: false, content });
    expect(name).toBe('embeddings openai/gpt-5.5');
    expect(values).toMatchObject({
      'gen_ai.operation.name': 'embeddings',
      'openinference.span.kind': 'EMBEDDING',
      'gen_ai.prompt': '{"prompt":"a text"}',
      'gen_ai.output.messages': '[]',
    });
  });

  it('have the content in both forms at a collector, without the data of media', async () => {
    const { values } = await spanOf();
    const prompt = JSON.parse(values['gen_ai.prompt'] as string) as { messages: unknown[] };
    expect(prompt.messages[1]).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: `Weather in Łódź 🌧️? ${CANARY}` },
        { type: 'image_url', image_url: { url: 'data:image/png,omitted' } },
      ],
    });
    expect(JSON.parse(values['gen_ai.completion'] as string)).toEqual({
      completion: `Rain. ${CANARY}`,
      reasoning: `Asked for ${CANARY}`,
      toolCalls: [{ id: 'call-1', name: 'weather', arguments: `{"city":"${CANARY}"}` }],
    });
    expect(JSON.parse(values['gen_ai.input.messages'] as string)).toEqual([
      { role: 'system', parts: [{ type: 'text', content: `Be brief. ${CANARY}` }] },
      { role: 'user', parts: [{ type: 'text', content: `Weather in Łódź 🌧️? ${CANARY}\n[image_url]` }] },
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'call-0', name: 'place', arguments: `{"a":"${CANARY}"}` }],
      },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call-0', response: `51.77 ${CANARY}` }] },
    ]);
    expect(JSON.parse(values['gen_ai.output.messages'] as string)).toEqual([
      {
        role: 'assistant',
        finish_reason: 'tool_calls',
        parts: [
          { type: 'reasoning', content: `Asked for ${CANARY}` },
          { type: 'text', content: `Rain. ${CANARY}` },
          { type: 'tool_call', id: 'call-1', name: 'weather', arguments: `{"city":"${CANARY}"}` },
        ],
      },
    ]);
  });

  it.each([
    [{ cost: true }, ['total_cost', 'cache_discount', 'tokens_prompt'], ['api_key_hash', 'streamed']],
    [{ identity: true }, ['api_key_hash', 'organization_id', 'app_title'], ['total_cost', 'streamed']],
    [{ requestContext: true }, ['streamed', 'api_path', 'parameters'], ['total_cost', 'api_key_hash']],
    [{}, [], ['total_cost', 'api_key_hash', 'streamed']],
  ])('have the additional fields of %j', async (additional, present, absent) => {
    const keys = Object.keys((await spanOf({}, additional)).values);
    const own = (name: string) => `trace.metadata.gatehouse.${name}`;
    expect(keys).toEqual(expect.arrayContaining(present.map(own)));
    for (const name of absent) expect(keys).not.toContain(own(name));
  });

  it('say what content filters did, and nothing of them where they did nothing', async () => {
    const own = (name: string) => `trace.metadata.gatehouse.${name}`;
    const action = { filter: 'email', action: 'redact', guardrail_ids: ['g1'], count: 2, place: 'response' } as const;
    const filtering = { held_characters: 386, milliseconds: 3.2 };
    const filters = { guardrail_actions: [action], answer_filtering: filtering };
    const { values } = await spanOf({ filters }, { requestContext: true });
    expect(JSON.parse(values[own('guardrail_actions')] as string)).toEqual([action]);
    expect(JSON.parse(values[own('answer_filtering')] as string)).toEqual(filtering);

    for (const nothing of [{}, { filters: { guardrail_actions: [] } }]) {
      const without = await spanOf(nothing, { requestContext: true });
      expect(without.values).not.toHaveProperty([own('guardrail_actions')]);
      expect(without.values).not.toHaveProperty([own('answer_filtering')]);
    }
    expect((await spanOf({ filters })).values).not.toHaveProperty([own('guardrail_actions')]);
  });

  it('mark the generation of a test', async () => {
    expect((await spanOf({ isTest: true })).values['trace.metadata.gatehouse.is_test']).toBe(true);
    expect((await spanOf()).values).not.toHaveProperty(['trace.metadata.gatehouse.is_test']);
  });

  it('cannot be replaced by fields of a request', async () => {
    const { values } = await spanOf({ trace: { 'gatehouse.provider_name': 'another', provider_responses: 'none' } });
    expect(values['trace.metadata.gatehouse.provider_name']).toBe('Azure');
    expect(values['trace.metadata.provider_responses']).toContain('endpoint_id');
  });

  it.each(Object.values(OTLP_TYPES))('of $type survive every odd object', async (otlp) => {
    const odd = {
      ...oddFields(),
      ...Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key-${index}`, 'v'.repeat(100)])),
    };
    const content = {
      input: {
        messages: [null, 5, 'x', [], { role: 5, content: 7, tool_calls: 'x' }, { content: [null, 5, odd] }, odd],
      },
      output: { completion: '\ud800', reasoning: null, toolCalls: [] },
      tools: [odd, 1n],
    };
    const generations = [outgoing({ trace: odd, metadata: odd, parameters: odd, content })];
    for (const encoding of ['json', 'protobuf'] as const) {
      const body = (await otlpBodyOf(otlp, generations, {}, encoding))!;
      expect(body.toString()).not.toMatch(/\\ud[89a-f]/i);
      const [span] = spansIn(encoding === 'json' ? decodedJson(body) : decodedProtobuf(body));
      expect(span!.attributes.length).toBeLessThan(400);
    }
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('values that are too long for a type', () => {
  const prompt = '🙂'.repeat(5_000);
  const content = { input: { prompt }, output: { completion: 'short', reasoning: null, toolCalls: [] } };

  it.each([
    ['grafana', 2_048, (text: string) => Buffer.byteLength(text)],
    ['newrelic', 4_095, (text: string) => [...text].length],
  ] as const)('are cut for %s between characters, and named', async (type, length, measure) => {
    const values = attributesOf((await written(outgoing({ content }), OTLP_TYPES[type]))[0]!);
    const text = values['gen_ai.prompt'] as string;
    expect(text.isWellFormed()).toBe(true);
    expect(measure(text)).toBeLessThanOrEqual(length);
    expect(measure(text)).toBeGreaterThan(length - 4);
    expect(values['gen_ai.prompt.truncated']).toBe(true);
    expect(values).not.toHaveProperty(['gen_ai.completion.truncated']);
  });

  it('are whole for others', async () => {
    const values = attributesOf((await written(outgoing({ content }), OTLP_TYPES.langfuse))[0]!);
    expect(values['gen_ai.prompt']).toBe(JSON.stringify({ prompt }));
  });
});

describe('a generation that is larger than a request', () => {
  const { langfuse } = OTLP_TYPES;

  function large(messages: number, length: number): OutgoingGeneration {
    const message = { role: 'user', content: 'x'.repeat(length) };
    return outgoing({
      content: {
        input: { messages: Array.from({ length: messages }, () => message) },
        output: { completion: 'the answer', reasoning: null, toolCalls: [] },
      },
    });
  }

  it('has its texts cut first', async () => {
    const body = (await otlpBodyOf(langfuse, [large(1, 5_000_000)], {}, 'json'))!;
    expect(body.length).toBeLessThanOrEqual(langfuse.limits.bytes);
    const values = attributesOf(spansIn(decodedJson(body))[0]!);
    expect(values['gen_ai.completion']).toContain('the answer');
    expect(values['trace.metadata.gatehouse.content_dropped']).toBe('in part');
    expect(JSON.parse(values['gen_ai.prompt'] as string)).toMatchObject({ messages: [{ role: 'user' }] });
  });

  it('has no content then', async () => {
    const fields = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, 'y'.repeat(100_000)]));
    const generation = large(2_000, 5_000);
    const trace = { ...generation, event: { ...generation.event, trace: fields } };
    // One type for each limit: the others cut in the same way.
    const ofEachLimit = new Map(Object.values(OTLP_TYPES).map((otlp) => [otlp.limits.bytes, otlp]));
    for (const otlp of ofEachLimit.values()) {
      const body = (await otlpBodyOf(otlp, [trace], {}, 'json'))!;
      expect(body.length).toBeLessThanOrEqual(otlp.limits.bytes);
    }
    const values = attributesOf((await written(trace, langfuse))[0]!);
    expect(values).not.toHaveProperty(['gen_ai.prompt']);
    expect(values['trace.metadata.gatehouse.content_dropped']).toBe('as a whole');
  });

  it('is not shortened for the sake of others in the batch, which is refused', async () => {
    const adapter = adapterOf('langfuse');
    const target = { destinationId: 'x', config: {}, encoding: null, signingSecrets: [] };
    const transport = { send: () => Promise.reject(new Error('nothing may be sent')) };
    await expect(adapter.deliver([large(1, 2_500_000), large(1, 2_500_000)], target, transport)).resolves.toMatchObject(
      {
        outcome: 'refused',
        status: null,
      },
    );
  });
});

describe('a destination without content', () => {
  it('gets the class and the status of an error', async () => {
    const [span] = await written(withoutContent(outgoing(FAILED_GENERATION)));
    expect(span!.status.message).toBe('provider_error (HTTP 502)');
    expect(attributesOf(span!)).toMatchObject({
      'gen_ai.request.temperature': 0.2,
      'trace.metadata.feature': 'search',
      'user.id': 'customer-1',
    });
  });
});
