import type {
  GenerationEvent,
  OutgoingGeneration,
} from '../../../src/modules/observability/delivery/generation-event.js';

/** What only content has in it, so that it can be searched in what must have none. */
export const CANARY = 'CANARY-8c1f';

/** 2026-11-26T14:24:32.198Z. */
export const STARTED_AT = 1_795_703_072_198;

/** A chat that two providers were asked for, streamed, with reasoning, a tool call and a cost. */
export function generationEvent(changes: Partial<GenerationEvent> = {}): GenerationEvent {
  return {
    id: 'gen-1795703072-Ab3dE5gH7jK9mN1pQ3sT',
    organizationId: '01a1fc88-79e8-7a5c-9d3e-1f0c5b7a9e21',
    workspaceId: '01a1fc88-79e8-7a5c-9d3e-1f0c5b7a9e22',
    requestId: '23bab73f-9d1e-4c0e-8f59-0f8d4a1c2b3d',
    operation: 'chat',
    apiPath: '/chat/completions',
    startedAt: STARTED_AT,
    endedAt: STARTED_AT + 2_345.25,
    firstTokenMs: 812.5,
    model: {
      requested: 'openai/gpt-5.5',
      id: 'openai/gpt-5.5',
      canonicalSlug: 'openai/gpt-5.5-2026-08-01',
      author: 'openai',
    },
    provider: { name: 'Azure', slug: 'azure' },
    attempts: [
      {
        providerName: 'OpenAI',
        providerSlug: 'openai',
        model: 'openai/gpt-5.5-2026-08-01',
        endpoint: 'openai',
        status: 503,
        isByok: false,
        startedAt: STARTED_AT + 4,
        latencyMs: 120.5,
      },
      {
        providerName: 'Azure',
        providerSlug: 'azure',
        model: 'openai/gpt-5.5-2026-08-01',
        endpoint: 'azure/eu',
        status: 200,
        isByok: true,
        startedAt: STARTED_AT + 130,
        latencyMs: 682.5,
      },
    ],
    status: 200,
    error: null,
    isCancelled: false,
    isStreamed: true,
    isByok: true,
    finishReason: 'tool_calls',
    nativeFinishReason: 'tool_use',
    usage: {
      promptTokens: 120,
      completionTokens: 30,
      cachedTokens: 100,
      cacheWriteTokens: 8,
      reasoningTokens: 12,
      imagesInPrompt: 1,
      recordingsInPrompt: 0,
      imagesInAnswer: 0,
    },
    cost: {
      total: '0.0012',
      input: '0.0003',
      output: '0.0009',
      upstream: '0.0011',
      cacheDiscount: '-0.0001',
      inputUnitPrice: '0.0000025',
      outputUnitPrice: '0.00003',
    },
    key: { id: '01a1fc88-79e8-7a5c-9d3e-1f0c5b7a9e23', hash: 'f'.repeat(64), name: 'production' },
    creatorUserId: 'user-creator',
    externalUser: 'customer-1',
    sessionId: 'session-1',
    trace: { trace_name: 'Support', feature: 'search', rank: 3, isBeta: true, tags: ['blue', 'green'] },
    metadata: { team: 'search' },
    parameters: { temperature: 0.2, max_tokens: 64, stop: ['END'], n: 1 },
    app: { title: 'Example', referer: 'https://app.example.com' },
    userAgent: 'curl/8.5.0',
    presetId: null,
    serviceTier: 'default',
    dataRegion: 'global',
    content: {
      input: {
        messages: [
          { role: 'system', content: `Be brief. ${CANARY}` },
          {
            role: 'user',
            content: [
              { type: 'text', text: `Weather in Łódź 🌧️? ${CANARY}` },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
            ],
          },
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'call-0', type: 'function', function: { name: 'place', arguments: `{"a":"${CANARY}"}` } },
            ],
          },
          { role: 'tool', tool_call_id: 'call-0', content: `51.77 ${CANARY}` },
        ],
      },
      output: {
        completion: `Rain. ${CANARY}`,
        reasoning: `Asked for ${CANARY}`,
        toolCalls: [{ id: 'call-1', name: 'weather', arguments: `{"city":"${CANARY}"}` }],
      },
      tools: [{ type: 'function', function: { name: 'weather', description: CANARY } }],
    },
    ...changes,
  };
}

/** A generation on its way to a destination without any additional fields. */
export function outgoing(
  changes: Partial<GenerationEvent> = {},
  additional: Partial<OutgoingGeneration['additional']> = {},
): OutgoingGeneration {
  return {
    event: generationEvent(changes),
    additional: { cost: false, identity: false, requestContext: false, ...additional },
  };
}

/** A generation for whose whole answer a provider has failed. */
export const FAILED_GENERATION: Partial<GenerationEvent> = {
  status: 502,
  attempts: [
    {
      providerName: 'Azure',
      providerSlug: 'azure',
      model: 'openai/gpt-5.5-2026-08-01',
      endpoint: 'azure/eu',
      status: null,
      isByok: false,
      startedAt: STARTED_AT + 3,
      latencyMs: 40,
    },
  ],
  error: { status: 502, type: 'provider_error', message: `The provider said: ${CANARY}` },
  finishReason: null,
  nativeFinishReason: null,
  firstTokenMs: null,
  usage: {
    promptTokens: null,
    completionTokens: null,
    cachedTokens: null,
    cacheWriteTokens: null,
    reasoningTokens: null,
    imagesInPrompt: null,
    recordingsInPrompt: null,
    imagesInAnswer: null,
  },
  cost: {
    total: '0',
    input: null,
    output: null,
    upstream: null,
    cacheDiscount: null,
    inputUnitPrice: null,
    outputUnitPrice: null,
  },
};

/** A generation for a destination that gets no content, and whose parameters quote it. */
export function withoutContent(generation: OutgoingGeneration): OutgoingGeneration {
  const { event } = generation;
  return {
    ...generation,
    event: {
      ...event,
      parameters: {
        ...event.parameters,
        stop: [CANARY],
        prediction: { type: 'content', content: CANARY },
        response_format: { type: 'json_schema', json_schema: { description: CANARY } },
        reasoning_effort: CANARY,
      },
      content: null,
    },
  };
}

/** Fields of a request that are not expected, some of which not even JSON has. */
export function oddFields(): Record<string, unknown> {
  let nested: unknown = 'x';
  for (let level = 0; level < 20_000; level += 1) nested = { nested };
  const circle: Record<string, unknown> = {};
  circle['circle'] = circle;
  return {
    ...(JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":"x"}') as object),
    nested,
    circle,
    'half\ud800': 'half\udfff',
    number: Number.NaN,
    infinite: Infinity,
    big: 1n,
    nothing: null,
    absent: undefined,
    trace_id: 5,
    tags: ['a\ud800', 5, {}, null],
  };
}

/** The attributes of a span by their keys, from OTLP as JSON or as protobufjs has decoded it. */
export function attributesOf(span: { readonly attributes: readonly OtlpAttribute[] }): Record<string, unknown> {
  return Object.fromEntries(span.attributes.map(({ key, value }) => [key, valueOf(value)]));
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

interface OtlpValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values: readonly OtlpValue[] };
}

function valueOf(value: OtlpValue): unknown {
  if (value.intValue !== undefined) return Number(value.intValue);
  return value.stringValue ?? value.doubleValue ?? value.boolValue ?? value.arrayValue?.values.map(valueOf);
}
