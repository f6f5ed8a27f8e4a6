import Anthropic, {
  APIError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
} from '@anthropic-ai/sdk';
import { chunk, completion, STREAM_END } from '../provider-answers.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

/** Answered by Beta, a provider of the form of chat completions. */
const REQUEST = {
  model: 'acme/spare',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'What is the weather?' }],
};

const TOOL = {
  name: 'weather',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } } },
};

const CALL = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Ulm"}' } };

describe('createMessages through the unmodified client of the Messages form', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);
  let client: Anthropic;

  beforeEach(() => {
    client = clientWith({ apiKey: key.plaintext });
  });

  const clientWith = (credential: { readonly apiKey: string | null; readonly authToken?: string }): Anthropic =>
    new Anthropic({ authToken: null, ...credential, baseURL: `${gateway.app.origin}/api`, maxRetries: 0 });

  const thrown = async (answer: Promise<unknown>): Promise<unknown> => answer.then(String, (error: unknown) => error);

  it.each(['apiKey', 'authToken'] as const)('gives it a whole answer, with the key as its %s', async (kind) => {
    const credential = { apiKey: null, [kind]: key.plaintext };
    const message = await clientWith(credential).messages.create({ ...REQUEST, system: 'Be brief.' });

    expect(message).toMatchObject({ type: 'message', role: 'assistant', stop_reason: 'end_turn' });
    expect(message.content).toMatchObject([{ type: 'text', text: 'All is well.' }]);
    expect(message.usage).toMatchObject({ input_tokens: 10, output_tokens: 5 });
  });

  it('gives it an answer where it adds a parameter to the path, as its beta interface does', async () => {
    const message = await client.messages.create(REQUEST, { query: { beta: 'true' } });

    expect(message.content).toMatchObject([{ type: 'text', text: 'All is well.' }]);
  });

  it('gives its helper for streams the texts as they come, and the whole message', async () => {
    const stream = client.messages.stream(REQUEST);
    const texts: string[] = [];
    stream.on('text', (text) => texts.push(text));
    const message = await stream.finalMessage();

    expect(texts).toEqual(['All ', 'is well.']);
    expect(message.content).toMatchObject([{ type: 'text', text: 'All is well.' }]);
    expect(message.usage).toMatchObject({ output_tokens: 5 });
    expect(message.stop_reason).toBe('end_turn');
  });

  it('gives it the calls of tools, and takes their results', async () => {
    const said = { role: 'assistant', content: null, tool_calls: [CALL] };
    gateway.beta.answerJson(completion('', { choices: [{ index: 0, message: said, finish_reason: 'tool_calls' }] }));
    const message = await client.messages.create({ ...REQUEST, tools: [TOOL] });
    expect(message.stop_reason).toBe('tool_use');
    expect(message.content).toMatchObject([
      { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Ulm' } },
    ]);

    gateway.beta.answerJson(completion('It rains.'));
    const answer = await client.messages.create({
      ...REQUEST,
      tools: [TOOL],
      messages: [
        ...REQUEST.messages,
        { role: 'assistant', content: message.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'Rain' }] },
      ],
    });
    expect(answer.content).toMatchObject([{ type: 'text', text: 'It rains.' }]);
    const { messages } = gateway.beta.received.at(-1)!.body as { messages: object[] };
    expect(messages.slice(1)).toEqual([said, { role: 'tool', tool_call_id: 'call_1', content: 'Rain' }]);
  });

  it('gives its helper for streams the calls of tools', async () => {
    const { function: called, ...call } = CALL;
    gateway.beta.answerStream(
      [
        chunk({ role: 'assistant', tool_calls: [{ index: 0, ...call, function: { name: called.name } }] }),
        ...['{"city":', '"Ulm"}'].map((text) => chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] })),
        STREAM_END.replace('"stop"', '"tool_calls"'),
      ].join(''),
    );
    const message = await client.messages.stream({ ...REQUEST, tools: [TOOL] }).finalMessage();

    expect(message.content).toMatchObject([
      { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Ulm' } },
    ]);
    expect(message.stop_reason).toBe('tool_use');
  });

  it('throws its own errors for 400, 401, 403 and 404', async () => {
    const guarded = await gateway.guardedKey(organization, {
      content_filter_builtins: [{ slug: 'email', action: 'block' }],
    });
    const blocked = { ...REQUEST, messages: [{ role: 'user' as const, content: 'jane.doe@example.com' }] };
    const errors = [
      await thrown(client.messages.create({ ...REQUEST, model: 'acme/nothing' })),
      await thrown(clientWith({ apiKey: 'sk-none' }).messages.create(REQUEST)),
      await thrown(clientWith({ apiKey: guarded.plaintext }).messages.create(blocked)),
      await thrown(client.messages.create({ ...REQUEST, model: 'acme/unconnected' })),
    ];

    const [invalid, unknown, forbidden, missing] = errors as APIError[];
    expect(invalid).toBeInstanceOf(BadRequestError);
    expect(invalid!.message).toContain('acme/nothing is not a valid model ID');
    expect(unknown).toBeInstanceOf(AuthenticationError);
    expect(forbidden).toBeInstanceOf(PermissionDeniedError);
    expect(forbidden!.error).toMatchObject({ type: 'error', error: { type: 'permission_error' } });
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(errors.map((error) => (error as APIError).status)).toEqual([400, 401, 403, 404]);
  });

  it('tells it the request id of an answer, of a stream and of a count with 200, and of errors with 400 and 401', async () => {
    const options = { headers: { 'X-Request-Id': 'the-one' } };
    const message = await client.messages.create(REQUEST, options);
    const { request_id: ofStream } = await client.messages.create({ ...REQUEST, stream: true }, options).withResponse();
    const counted = await client.messages.countTokens(REQUEST, options).withResponse();
    const failures = [
      await thrown(client.messages.create({ ...REQUEST, model: 'acme/nothing' }, options)),
      await thrown(clientWith({ apiKey: 'sk-none' }).messages.create(REQUEST, options)),
    ];

    expect([message._request_id, ofStream, counted.request_id]).toEqual(['the-one', 'the-one', 'the-one']);
    expect(failures.map((error) => [(error as APIError).status, (error as APIError).requestID])).toEqual([
      [400, 'the-one'],
      [401, 'the-one'],
    ]);
  });

  it('throws for a stream that breaks off behind its status 200, with what went wrong', async () => {
    gateway.beta.answerStream(chunk({ content: 'All ' }));
    const error = await thrown(client.messages.stream(REQUEST).finalMessage());

    expect(error).toBeInstanceOf(APIError);
    expect((error as APIError).error).toMatchObject({ type: 'error', error: { message: 'Provider returned error' } });
  });
});
