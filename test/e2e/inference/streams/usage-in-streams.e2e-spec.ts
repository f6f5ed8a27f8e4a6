import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { chunk, STREAM_HEAD } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';

const ended = chunk({}, 'stop');

const usageChunk = (usage: object): string => `data: ${JSON.stringify({ choices: [], usage })}\n\n`;

const event = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

/** A stream of the Messages API. @param last the usage at its end */
const messageEvents = (first: object, last: object): string =>
  [
    event('message_start', { message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: first } }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'ok' } }),
    event('content_block_stop', { index: 0 }),
    event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: last }),
    event('message_stop', {}),
  ].join('');

describe('sendChatCompletionRequest charges a stream whose provider', () => {
  const gateway = sharedGateway({ variables: { PROVIDER_BETA_PROTOCOL: 'anthropic' } });
  const key = keyPerTest(gateway, organizationPerTest(gateway));

  it.each([
    ['repeats zeros', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
    ['counts less', { prompt_tokens: 50, completion_tokens: 10, total_tokens: 60 }],
    ['counts the prompt as zero', { prompt_tokens: 0, completion_tokens: 20, total_tokens: 20 }],
    ['counts the same', { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }],
  ])('%s at its end (200) what it has counted before', async (_, last) => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      completion_tokens_details: { reasoning_tokens: 8 },
    };
    gateway.alpha.answerWith((response) => {
      const events = [chunk({ content: 'ok' }), ended, usageChunk(usage), usageChunk(last), 'data: [DONE]\n\n'];
      response.writeHead(200, STREAM_HEAD).end(events.join(''));
    });
    expect((await gateway.stream(key)).status).toBe(200);

    expect(await gateway.onlyRecord(key)).toMatchObject({
      tokens_prompt: 100,
      tokens_completion: 20,
      native_tokens_reasoning: 8,
      total_cost: 0.00014,
    });
  });

  it.each([
    ['repeats zeros', { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }],
    ['counts less', { input_tokens: 3, cache_read_input_tokens: 1 }],
    ['says nothing', {}],
  ])('%s of the prompt at the end of a message (200) what it has counted at its beginning', async (_, last) => {
    const first = { input_tokens: 100, output_tokens: 1, cache_read_input_tokens: 40, cache_creation_input_tokens: 10 };
    gateway.beta.answerWith((response) => {
      response.writeHead(200, STREAM_HEAD).end(messageEvents(first, { output_tokens: 20, ...last }));
    });
    expect((await gateway.stream(key, { provider: { only: ['beta'] } })).status).toBe(200);

    // 150 tokens of the prompt and 20 of the answer.
    expect(await gateway.onlyRecord(key)).toMatchObject({
      tokens_prompt: 150,
      tokens_completion: 20,
      native_tokens_cached: 40,
      total_cost: 0.00053,
    });
  });
});
