import { CLAUDE, sentTo, translated, UNKNOWN } from '../capabilities/translation.fixture.js';
import type { AnswerOrigin } from '../client-codec.js';
import type { ChatCompletion } from '../chat/chat-completion.js';
import type { JsonObject } from '../chat/json-values.js';
import { completionOf } from './answer-decoder.js';
import { answerBlocks } from './answer-encoder.js';
import { chatRequestOfMessages, type MessagesRequest } from './request-decoder.js';
import { EventTranslator } from './stream-decoder.js';
import { MESSAGES_ENCODER } from './stream-encoder.js';

const SEARCH = { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' };
const TOOLS = [SEARCH, { name: 'get_weather', input_schema: { type: 'object' }, defer_loading: true }];

const CALL = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'tool_search_tool_regex', input: { query: 'weather' } };
const FOUND = {
  type: 'tool_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  content: {
    type: 'tool_search_tool_search_result',
    tool_references: [{ type: 'tool_reference', tool_name: 'get_weather' }],
  },
};
const TEXT = { type: 'text', text: 'Found.' };
const USE = { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Ulm' } };
const THOUGHT = { type: 'thinking', thinking: 'I look.', signature: 'c2lnbmVk' };

const RESULT = { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'Rain' }] };

/** A server of the form that is not known to search tools. */
const WITHOUT_SEARCH = { ...UNKNOWN, protocol: 'anthropic' as const };

function requestOf(content: readonly object[], tools: readonly object[] = TOOLS) {
  const messages = [
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    { role: 'assistant', content },
    { role: 'user', content: [RESULT] },
  ];
  return chatRequestOfMessages({ model: 'm', messages, tools } as unknown as MessagesRequest, undefined);
}

function completion(content: readonly object[]): ChatCompletion {
  return completionOf({ id: 'msg_1', content, stop_reason: 'tool_use', usage: {} });
}

describe('A search for tools that a provider of the Messages form runs', () => {
  it.each(['regex', 'regex_20251119', 'bm25', 'bm25_20251119'])('comes to Anthropic unchanged: %s', (kind) => {
    const tools = [{ ...SEARCH, type: `tool_search_tool_${kind}` }, TOOLS[1]!];
    expect(sentTo(CLAUDE, requestOf([USE], tools))['tools']).toEqual(tools);
  });

  it.each([
    ['another form', UNKNOWN],
    ['the form that has no search', WITHOUT_SEARCH],
  ])('is left out for a provider of %s, which is offered all tools', (_, served) => {
    const { body, adjustments } = translated(served, requestOf([USE]));

    expect(body['tools']).toHaveLength(1);
    expect(JSON.stringify(body['tools'])).toContain('get_weather');
    expect(JSON.stringify(body['tools'])).not.toContain('defer_loading');
    expect(adjustments).toContainEqual({ path: 'tools.0', action: 'left_out', reason: 'tool_of_provider' });
  });

  it.each([
    ['first', [CALL, FOUND, TEXT, USE]],
    ['behind a call, without thoughts', [USE, CALL, FOUND, TEXT]],
    ['between thoughts', [THOUGHT, CALL, FOUND, TEXT, THOUGHT, USE]],
  ])('comes back to Anthropic in its place: %s', (_, blocks) => {
    const { messages } = sentTo(CLAUDE, requestOf(blocks)) as { messages: { content: unknown }[] };
    expect(messages[1]!.content).toEqual(blocks);
  });

  it.each([
    ['of another form', UNKNOWN, TOOLS],
    ['of the form that has no search', WITHOUT_SEARCH, TOOLS],
    ['of the form that has no search, where no search is asked for any more', WITHOUT_SEARCH, [TOOLS[1]!]],
  ])('is left out of the conversation for a provider %s', (_, served, tools) => {
    const { body, adjustments } = translated(served, requestOf([CALL, FOUND, TEXT, USE], tools));

    expect(JSON.stringify(body['messages'])).not.toContain('srvtoolu_1');
    expect(JSON.stringify(body['messages'])).toContain('Found.');
    expect(adjustments).toContainEqual(
      expect.objectContaining({ path: 'messages.*.content', reason: 'block_without_counterpart' }),
    );
  });

  it('leaves thoughts, texts and calls in their order for a provider of the form that has no search', () => {
    const blocks = [TEXT, CALL, FOUND, USE];
    const { messages } = sentTo(WITHOUT_SEARCH, requestOf(blocks)) as { messages: { content: unknown }[] };
    expect(messages[1]!.content).toEqual([TEXT, USE]);
  });

  it('stands in whole answers in its place, and before the text where that was redacted', () => {
    const blocks = [THOUGHT, TEXT, CALL, FOUND, TEXT, USE];
    const [choice] = completion(blocks).choices;
    const redacted = { ...choice!, message: { ...choice!.message, content: '[X]' } };

    expect(answerBlocks(choice!)).toMatchObject(blocks);
    expect(answerBlocks(redacted)).toMatchObject([THOUGHT, CALL, FOUND, { type: 'text', text: '[X]' }, USE]);
  });

  it('is no part of an answer that other forms of clients show', () => {
    expect(completion([CALL, FOUND, TEXT]).choices[0]!.message).toEqual({ role: 'assistant', content: 'Found.' });
  });

  it('stands in streams in its place, with its input behind its beginning', () => {
    const start = (index: number, block: object): JsonObject => ({
      type: 'content_block_start',
      index,
      content_block: block,
    });
    const delta = (index: number, fields: object): JsonObject => ({
      type: 'content_block_delta',
      index,
      delta: fields,
    });
    const stop = (index: number): JsonObject => ({ type: 'content_block_stop', index });
    const input = { type: 'input_json_delta', partial_json: '{"query":"weather"}' };
    const events = [
      start(0, { ...CALL, input: {} }),
      delta(0, input),
      stop(0),
      start(1, FOUND),
      stop(1),
      start(2, { type: 'text', text: '', citations: [] }),
      delta(2, { type: 'text_delta', text: 'Found.' }),
    ];
    const translator = new EventTranslator();
    const form = MESSAGES_ENCODER.stream({ id: 'gen-1', model: 'm', provider: 'A' } as unknown as AnswerOrigin);
    const shown = events
      .flatMap((event) => translator.translate(event) ?? [])
      .flatMap((chunk) => form.chunk(chunk))
      .map(({ data }) => data);

    expect(shown.slice(1)).toEqual(events);
  });
});
