import OpenAI, { APIError, BadRequestError } from 'openai';
import { chunk } from '../provider-answers.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

const REQUEST = { model: 'acme/spare', prompt: 'What is new?' };

/** An answer of the Messages API. */
const MESSAGE = {
  id: 'msg_upstream',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'All is well.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 10, output_tokens: 5 },
};

/** {@link MESSAGE} as a stream. */
const MESSAGE_STREAM = [
  { type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'All is ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'well.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
]
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('');

describe.each(['openai', 'anthropic'])(
  'createCompletions through the unmodified openai client, from a provider of the protocol %s',
  (protocol) => {
    const gateway = sharedGateway({ variables: { PROVIDER_BETA_PROTOCOL: protocol } });
    const key = keyPerTest(gateway, organizationPerTest(gateway));
    let client: OpenAI;

    beforeEach(() => {
      if (protocol === 'anthropic') {
        gateway.beta.answerWith((response, { body }) => {
          const isStream = (body as { stream?: boolean }).stream === true;
          response
            .writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
            .end(isStream ? MESSAGE_STREAM : JSON.stringify(MESSAGE));
        });
      }
      client = new OpenAI({ apiKey: key.plaintext, baseURL: `${gateway.app.origin}/api/v1`, maxRetries: 0 });
    });

    const thrown = async (answer: Promise<unknown>): Promise<unknown> => answer.then(String, (error: unknown) => error);

    it('gives it a whole answer: 200', async () => {
      const { data, response } = await client.completions.create(REQUEST).withResponse();

      expect(response.status).toBe(200);
      expect(data).toMatchObject({
        object: 'text_completion',
        model: 'acme/spare',
        choices: [{ text: 'All is well.', index: 0, logprobs: null, finish_reason: 'stop' }],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      });
    });

    it('gives it a stream with its usage: 200', async () => {
      const chunks: OpenAI.Completion[] = [];
      for await (const one of await client.completions.create({ ...REQUEST, stream: true })) chunks.push(one);

      expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe('All is well.');
      expect(chunks.flatMap(({ choices }) => choices).at(-1)!.finish_reason).toBe('stop');
      expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 15 } });
    });

    it('makes it throw its own error for what is refused, with the issue: 400', async () => {
      const error = await thrown(client.completions.create({ ...REQUEST, prompt: [1, 2, 3] }));

      expect(error).toBeInstanceOf(BadRequestError);
      expect((error as APIError).message).toContain('prompt must be a text: tokens are not accepted');
    });

    it('makes it throw behind the first token, with the answer so far: 502', async () => {
      gateway.beta.answerStream(
        protocol === 'openai'
          ? chunk({ content: 'Half an ans' })
          : MESSAGE_STREAM.split('event: content_block_stop')[0]!,
      );
      const texts: string[] = [];
      const error = await thrown(
        (async () => {
          for await (const { choices } of await client.completions.create({ ...REQUEST, stream: true })) {
            texts.push(choices[0]!.text);
          }
        })(),
      );

      expect(error).toBeInstanceOf(APIError);
      expect((error as APIError).error).toMatchObject({ code: 502, message: 'Provider returned error' });
      expect(texts.join('')).toBe(protocol === 'openai' ? 'Half an ans' : 'All is well.');
    });
  },
);
