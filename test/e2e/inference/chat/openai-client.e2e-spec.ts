import OpenAI, { APIError, APIUserAbortError, AuthenticationError, BadRequestError, NotFoundError } from 'openai';
import { chunk, completion, STREAM_END, STREAM_HEAD } from '../provider-answers.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

const REQUEST = { model: 'acme/spare', messages: [{ role: 'user' as const, content: 'What is new?' }] };

const TOOL = { type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } };

describe('sendChatCompletionRequest through the unmodified openai client', () => {
  const gateway = sharedGateway();
  const key = keyPerTest(gateway, organizationPerTest(gateway));
  let client: OpenAI;

  beforeEach(() => {
    client = clientWith(key.plaintext);
  });

  const clientWith = (apiKey: string): OpenAI =>
    new OpenAI({ apiKey, baseURL: `${gateway.app.origin}/api/v1`, maxRetries: 0 });

  const thrown = async (answer: Promise<unknown>): Promise<unknown> => answer.then(String, (error: unknown) => error);

  it('gives it a whole answer', async () => {
    const answer = await client.chat.completions.create(REQUEST);

    expect(answer.choices[0]!.message.content).toBe('All is well.');
    expect(answer.usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 5 });
    expect(answer.model).toBe('acme/spare');
  });

  it('gives it a stream with its usage', async () => {
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const one of await client.chat.completions.create({ ...REQUEST, stream: true })) chunks.push(one);

    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('All is well.');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 15 } });
  });

  it('gives its helper for streams the calls of tools', async () => {
    const parts = ['', '{"city":', '"Ulm"}'];
    gateway.beta.answerStream(
      [
        chunk({
          role: 'assistant',
          tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'weather' } }],
        }),
        ...parts.map((part) => chunk({ tool_calls: [{ index: 0, function: { arguments: part } }] })),
        STREAM_END.replace('"stop"', '"tool_calls"'),
      ].join(''),
    );
    const stream = client.chat.completions.stream({ ...REQUEST, tools: [TOOL] });

    expect((await stream.finalMessage()).tool_calls).toMatchObject([
      { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Ulm"}' } },
    ]);
  });

  it('gives it the calls of tools in a whole answer', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } };
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    gateway.beta.answerJson(completion('', { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));
    const answer = await client.chat.completions.create({ ...REQUEST, tools: [TOOL] });

    expect(answer.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { tool_calls: [call] } });
  });

  it('makes it throw its own errors for 400, 401 and 404, with the message of the answer', async () => {
    const unknown = await thrown(client.chat.completions.create({ ...REQUEST, model: 'acme/nothing' }));
    const malformed = await thrown(client.chat.completions.create({ ...REQUEST, temperature: 7 }));
    const unauthenticated = await thrown(clientWith('sk-gate-wrong').chat.completions.create(REQUEST));
    const unconnected = await thrown(client.chat.completions.create({ ...REQUEST, model: 'acme/unconnected' }));

    expect(unknown).toBeInstanceOf(BadRequestError);
    expect(unknown).toMatchObject({ status: 400, message: '400 acme/nothing is not a valid model ID' });
    expect((malformed as Error).message).toBe('400 Invalid request parameters: temperature must be <= 2');
    expect(unauthenticated).toBeInstanceOf(AuthenticationError);
    expect(unauthenticated).toMatchObject({ status: 401 });
    expect(unconnected).toBeInstanceOf(NotFoundError);
    expect(unconnected).toMatchObject({ status: 404 });
  });

  it('makes it repeat a 429 after the time that it is told', async () => {
    let asked = 0;
    gateway.beta.answerWith((response) => {
      asked += 1;
      const [status, body] = asked === 1 ? [429, { error: {} }] : [200, completion('At last.')];
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' }).end(JSON.stringify(body));
    });
    const answer = await client.chat.completions.create(REQUEST, { maxRetries: 1 });

    expect(answer.choices[0]!.message.content).toBe('At last.');
    expect(asked).toBe(2);
  });

  it('makes it throw where a stream breaks off', async () => {
    gateway.beta.answerStream(chunk({ role: 'assistant', content: 'Half an ans' }));
    let text = '';
    const read = async (): Promise<void> => {
      for await (const one of await client.chat.completions.create({ ...REQUEST, stream: true })) {
        text += one.choices[0]?.delta.content ?? '';
      }
    };
    const error = await thrown(read());

    expect(error).toBeInstanceOf(APIError);
    expect((error as APIError).message).toContain('Provider returned error');
    expect(text).toBe('Half an ans');
  });

  it('lets it end a stream, which ends the request to the provider', async () => {
    const closed = new Promise<void>((resolve) => {
      gateway.beta.answerWith((response) => {
        response
          .once('close', resolve)
          .writeHead(200, STREAM_HEAD)
          .write(chunk({ content: 'First.' }));
      });
    });
    const stream = await client.chat.completions.create({ ...REQUEST, stream: true });
    const read = async (): Promise<void> => {
      for await (const one of stream) {
        expect(one.choices[0]!.delta.content).toBe('First.');
        stream.controller.abort();
      }
    };
    const end = await thrown(read());

    expect(end === 'undefined' || end instanceof APIUserAbortError).toBe(true);
    await closed;
  });
});
