import Anthropic, { APIError } from '@anthropic-ai/sdk';
import { Ajv } from 'ajv';
import { declaredSchemas } from '../../../support/contract/declared-schemas.js';
import { filledBefore } from '../../../support/application/filled-before.js';
import { SPARE, WRITER, written } from './messages-requests.js';
import { completion } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';
import { sharedOrganization } from '../../../support/application/shared-organization.js';
import { SAMPLE_ANSWERS, SAMPLE_STREAMS } from '../chat/typed-answer-samples.js';

const REQUEST = { max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hi' }] };

const USAGE = { input_tokens: 4, output_tokens: 5 };

/** All that a provider of the form may count. */
const FULL_USAGE = {
  ...USAGE,
  cache_creation: { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 2 },
  cache_creation_input_tokens: 3,
  cache_read_input_tokens: 6,
  inference_geo: 'eu',
  output_tokens_details: { thinking_tokens: 2 },
  server_tool_use: { web_fetch_requests: 0, web_search_requests: 1 },
  service_tier: 'priority',
  speed: 'fast',
};

const THOUGHT = { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' };
const HIDDEN = { type: 'redacted_thinking', data: 'ZW5j' };
const TEXT = { type: 'text', text: 'Hi' };
const CALL = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { at: 'here' } };
const CITATION = {
  type: 'char_location',
  cited_text: 'Hi',
  document_index: 0,
  document_title: null,
  start_char_index: 0,
  end_char_index: 2,
  file_id: null,
};
const SEARCH = [
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'Hi' } },
  { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
];

/** What providers of the Messages form answer: the blocks, and other fields of the message. */
const MESSAGES: [what: string, content: readonly object[], fields?: object][] = [
  ['a text', [TEXT]],
  ['thoughts, hidden ones, a text and a call', [THOUGHT, HIDDEN, TEXT, CALL], { stop_reason: 'tool_use' }],
  ['thoughts between texts', [THOUGHT, TEXT, HIDDEN, TEXT]],
  ['a text with a source', [{ ...TEXT, citations: [CITATION] }]],
  ['a search of its own', [...SEARCH, TEXT]],
  ['a stop sequence', [TEXT], { stop_reason: 'stop_sequence', stop_sequence: 'END' }],
  ['a cut text', [TEXT], { stop_reason: 'max_tokens' }],
  ['a full context', [TEXT], { stop_reason: 'model_context_window_exceeded' }],
  ['a pause', [TEXT], { stop_reason: 'pause_turn' }],
  ['a refusal', [], { stop_reason: 'refusal' }],
  [
    'a refusal with its reason',
    [TEXT],
    { stop_reason: 'refusal', stop_details: { type: 'refusal', category: 'cyber', explanation: 'No.' } },
  ],
  [
    'a refusal of an unknown kind',
    [TEXT],
    { stop_reason: 'refusal', stop_details: { type: 'refusal', category: 'new', explanation: 3 } },
  ],
  ['all that it counts', [TEXT], { usage: FULL_USAGE }],
  ['an unknown tier and speed', [TEXT], { usage: { ...USAGE, service_tier: 'flex', speed: 'new' } }],
  ['no usage', [TEXT], { usage: undefined }],
];

function messageOf(content: readonly object[], fields: object = {}): object {
  return {
    id: 'msg_upstream',
    type: 'message',
    role: 'assistant',
    model: 'upstream-model',
    content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: USAGE,
    ...fields,
  };
}

/** A message as a stream: each block begins with all of it but what comes in pieces. */
function eventsOf(content: readonly object[], fields: object = {}): string {
  const { usage, ...message } = messageOf([], fields) as Record<string, unknown>;
  const delta = { stop_reason: null, stop_sequence: null, ...fields };
  const { stop_reason = 'end_turn' } = fields as { stop_reason?: string };
  return written([
    { type: 'message_start', message: { ...message, stop_reason: null, usage } },
    ...content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: { ...block, ...beginningOf(block) } },
      ...deltasOf(block).map((part) => ({ type: 'content_block_delta', index, delta: part })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { ...delta, stop_reason, usage: undefined }, usage: usage ?? {} },
    { type: 'message_stop' },
  ]);
}

type Block = Readonly<Record<string, unknown>>;

function beginningOf(block: object): object {
  const { type } = block as Block;
  if (type === 'text') return { text: '' };
  if (type === 'thinking') return { thinking: '', signature: '' };
  return type === 'tool_use' ? { input: {} } : {};
}

function deltasOf(block: object): readonly object[] {
  const { type, text, thinking, signature, input, citations = [] } = block as Block;
  if (type === 'text') {
    const sources = citations as readonly object[];
    return [{ type: 'text_delta', text }, ...sources.map((citation) => ({ type: 'citations_delta', citation }))];
  }
  if (type === 'thinking') {
    return [
      { type: 'thinking_delta', thinking },
      { type: 'signature_delta', signature },
    ];
  }
  return type === 'tool_use' ? [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }] : [];
}

const engine = new Ajv({ allErrors: true, strict: false });
const declared = declaredSchemas(
  { folder: '@anthropic-ai/sdk/resources', files: ['messages/messages.d.ts', 'shared.d.ts'] },
  ['Message', 'RawMessageStreamEvent', 'MessageTokensCount'],
);
const failures = declaredSchemas(
  { folder: '@anthropic-ai/sdk/resources', files: ['shared.d.ts', 'messages/messages.d.ts'] },
  ['ErrorResponse'],
);
const TYPES = {
  message: engine.compile(declared.Message),
  event: engine.compile(declared.RawMessageStreamEvent),
  count: engine.compile(declared.MessageTokensCount),
  failure: engine.compile(failures.ErrorResponse),
};

/** Checks that an answer is of a type that Anthropic's library declares. */
function expectDeclared(kind: keyof typeof TYPES, answer: unknown): void {
  const validate = TYPES[kind];
  const issues = validate(answer) ? [] : validate.errors!.map(({ instancePath, message }) => [instancePath, message]);
  expect({ answer, issues }).toEqual({ answer, issues: [] });
}

describe('createMessages answers in the types of Anthropic’s library', () => {
  const gateway = sharedGateway({ variables: { PROVIDER_BETA_PROTOCOL: 'anthropic' } });
  const organization = sharedOrganization(gateway);
  const key = filledBefore(beforeAll, () => gateway.app.factory.key(organization));

  const client = (): Anthropic =>
    new Anthropic({ authToken: key.plaintext, apiKey: null, baseURL: `${gateway.app.origin}/api`, maxRetries: 0 });

  /** The routing of Alpha, because Beta has one of the models, too. */
  const ofAlpha = { ...REQUEST, model: WRITER, provider: { only: ['alpha'] } };
  const ofBeta = { ...REQUEST, model: SPARE };

  const streamed = async (request: typeof ofBeta): Promise<Anthropic.Message> => {
    const stream = client().messages.stream(request);
    const events: unknown[] = [];
    stream.on('streamEvent', (event) => events.push(structuredClone(event)));
    const message = await stream.finalMessage();
    for (const event of events) expectDeclared('event', event);
    expectDeclared('message', message);
    return message;
  };

  const failureOf = async (answer: Promise<unknown>): Promise<{ status: number | undefined; error: unknown }> => {
    const error = await answer.then(String, (thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(APIError);
    return error as APIError;
  };

  describe.each(SAMPLE_ANSWERS)('of a provider of another form that answers %s', (_, choices, fields = {}) => {
    it('whole, with 200', async () => {
      gateway.alpha.answerJson(completion('', { choices, ...fields }));

      expectDeclared('message', await client().messages.create(ofAlpha));
    });
  });

  describe.each(SAMPLE_STREAMS)('of a provider of another form that streams %s', (what, pieces) => {
    it('in events, with 200', async () => {
      gateway.alpha.answerStream(pieces.join(''));

      if (!what.startsWith('an error')) await streamed(ofAlpha);
      else expectDeclared('failure', (await failureOf(streamed(ofAlpha))).error);
    });
  });

  describe.each(MESSAGES)('of a provider of the form that answers %s', (_, content, fields) => {
    it('whole, with 200', async () => {
      gateway.beta.answerJson(messageOf(content, fields));

      expectDeclared('message', await client().messages.create(ofBeta));
    });

    it('in events that become the same message, with 200', async () => {
      gateway.beta.answerJson(messageOf(content, fields));
      const whole = await client().messages.create(ofBeta);
      gateway.beta.answerStream(eventsOf(content, fields));
      const message = await streamed(ofBeta);

      expect(message.stop_reason).toBe(whole.stop_reason);
      expect(message.stop_details).toEqual(whole.stop_details);
      expect(message.usage).toMatchObject({ output_tokens: whole.usage.output_tokens });
    });
  });

  it('with the reason of a refusal and the speed and place of an answer, as the provider says them, with 200', async () => {
    const stop_details = { type: 'refusal', category: 'cyber', explanation: 'No.' };
    const fields = { stop_reason: 'refusal', stop_details, usage: FULL_USAGE };
    gateway.beta.answerJson(messageOf([TEXT], fields));
    const whole = await client().messages.create(ofBeta);
    gateway.beta.answerStream(eventsOf([TEXT], fields));

    expect(whole).toMatchObject({
      stop_details,
      usage: { speed: 'fast', inference_geo: 'eu', service_tier: 'priority' },
    });
    expect(await streamed(ofBeta)).toMatchObject({ stop_details, usage: { speed: 'fast', inference_geo: 'eu' } });
  });

  it.each([
    [400, { ...ofAlpha, model: 'acme/nothing' }],
    [400, { ...ofAlpha, messages: [] }],
    [404, { ...ofAlpha, model: 'acme/unconnected', provider: {} }],
  ])('for failures with %i', async (status, request) => {
    const failure = await failureOf(client().messages.create(request));

    expect(failure.status).toBe(status);
    expectDeclared('failure', failure.error);
  });

  it.each([400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504, 529])(
    'for what a provider refuses with %i',
    async (status) => {
      gateway.beta.answerJson({ type: 'error', error: { type: 'api_error', message: 'No.' } }, status);
      const failure = await failureOf(client().messages.create(ofBeta));

      expect(failure.status).toBeGreaterThanOrEqual(400);
      expectDeclared('failure', failure.error);
    },
  );

  it('for an unknown key, with 401', async () => {
    const failure = await failureOf(client().withOptions({ authToken: 'sk-none' }).messages.create(ofAlpha));

    expect(failure.status).toBe(401);
    expectDeclared('failure', failure.error);
  });

  it('for a count of tokens, with 200', async () => {
    expectDeclared('count', await client().messages.countTokens(ofAlpha));
  });
});
