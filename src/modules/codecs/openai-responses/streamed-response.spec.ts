import fc from 'fast-check';
import type { ChatDelta } from '../chat/chat-completion.js';
import type { ResponsesRequest } from './client-request.js';
import { chatRequestOfResponses } from './request-decoder.js';
import { responsesEncoder } from './stream-encoder.js';
import { originOf, streamed, whole, called, type Fields } from './streamed-response.fixture.js';

const thought = (fields: object): Readonly<Fields> => ({
  type: 'reasoning.text',
  format: 'anthropic-claude-v1',
  index: 0,
  ...fields,
});

/** More than half of what an answer may have. */
const LARGE_TEXT = 'x'.repeat(9 * 1024 * 1024);

const manyCalls = (first: number, count: number): ChatDelta['tool_calls'] =>
  Array.from({ length: count }, (_, index) => ({ index: first + index }));

describe('responsesEncoder', () => {
  it('streams a text in the order of the interface, with numbers that have no gap', () => {
    const events = streamed([{ role: 'assistant', content: '' }, { content: 'All ' }, { content: 'well' }], 'stop');
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
    expect(events[0]!.response).toMatchObject({ id: 'gen-1-abc', status: 'in_progress', output: [] });
    expect(events[0]!.response).toHaveProperty('usage', null);
    expect(events.at(-1)!.response).toMatchObject({
      status: 'completed',
      output: [{ type: 'message', status: 'completed', content: [{ type: 'output_text', text: 'All well' }] }],
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 2 },
        total_tokens: 15,
        cost: 0.5,
        is_byok: false,
        cost_details: {
          upstream_inference_cost: null,
          upstream_inference_input_cost: 0.2,
          upstream_inference_output_cost: 0.3,
        },
      },
    });
  });

  it('streams reasoning before the text, and a summary apart', () => {
    const summary = { type: 'reasoning.summary', summary: 'Short.', index: 0 };
    const deltas = [{ reasoning: 'Hm', reasoning_details: [summary] }, { reasoning: 'So' }, { content: 'Yes' }];
    const events = streamed(deltas, 'stop');
    expect(events.map(({ type }) => type).slice(2, -1)).toEqual([
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.content_part.added',
      'response.reasoning_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.reasoning_text.done',
      'response.content_part.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_item.done',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
    ]);
    expect(events.at(-1)!.response!.output).toMatchObject([
      { type: 'reasoning', summary: [{ text: 'Short.' }], content: [{ text: 'So' }] },
      { type: 'message' },
    ]);
  });

  it('makes an item of each signed block of reasoning, and repeats it in one text if that is asked for', () => {
    const details = [
      thought({ text: 'Hm' }),
      thought({ text: ', so.' }),
      thought({ signature: 's' }),
      thought({ index: 1, text: 'And', signature: 't' }),
    ];
    const deltas = details.map((detail) => ({ reasoning_details: [detail] }));
    const [plain, carried] = [{}, { include: ['reasoning.encrypted_content'] }].map(
      (request) => streamed(deltas, 'stop', request).at(-1)!.response!.output,
    );
    expect(plain).toMatchObject([
      { content: [{ text: 'Hm, so.' }], signature: 's', format: 'anthropic-claude-v1' },
      { content: [{ text: 'And' }], signature: 't', format: 'anthropic-claude-v1' },
    ]);
    expect(plain![0]).not.toHaveProperty('encrypted_content');
    const input = carried!.map(({ id, encrypted_content: encrypted }) => ({
      type: 'reasoning',
      id,
      summary: [],
      encrypted_content: encrypted,
    }));
    const [message] = chatRequestOfResponses({ input } as unknown as ResponsesRequest).messages;
    expect(message).toMatchObject({
      reasoning: 'Hm, so.And',
      reasoning_details: [
        thought({ text: 'Hm, so.', signature: 's' }),
        thought({ index: 1, text: 'And', signature: 't' }),
      ],
    });
  });

  it('has encrypted reasoning in any case', () => {
    const details = [{ type: 'reasoning.encrypted', format: 'anthropic-claude-v1', index: 0, data: 'opaque' }];
    const { output } = whole({ reasoning_details: details }, 'stop');
    const [message] = chatRequestOfResponses({ input: output } as unknown as ResponsesRequest).messages;
    expect(message!.reasoning_details).toEqual(details);
  });

  it.each([
    ['length', 'incomplete', { incomplete_details: { reason: 'max_output_tokens' } }],
    ['content_filter', 'incomplete', { incomplete_details: { reason: 'content_filter' } }],
    ['error', 'failed', { error: { code: 'server_error', message: 'Provider returned error' } }],
  ] as const)('ends an answer with the reason %s as %s', (reason, status, fields) => {
    const last = streamed([{ content: 'All' }], reason).at(-1)!;
    expect(last).toMatchObject({ type: `response.${status}`, response: { status, completed_at: null, ...fields } });
    expect(last.response!.output).toMatchObject([{ status: 'incomplete', content: [{ text: 'All' }] }]);
    expect(whole({ content: 'All' }, reason)).toMatchObject({ ...last.response, usage: expect.anything() });
  });

  it('closes what is open when an answer breaks off, and says no more than clients may know', () => {
    const events = streamed([{ content: 'All' }], 'stop', {}, new Error('secret'));
    expect(events.slice(-4).map(({ type }) => type)).toEqual([
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.failed',
    ]);
    expect(events.at(-1)!.response).toMatchObject({
      status: 'failed',
      error: { code: 'server_error', message: 'Bad Gateway' },
      error_type: 'provider_unavailable',
    });
  });

  it('announces items as done in their order, and no thought of an answer that breaks off', () => {
    const deltas = [
      { reasoning_details: [thought({ text: 'Hm', signature: 's' })] },
      called(0, { id: 'a', function: { name: 'go', arguments: '{}' } }),
      { reasoning_details: [thought({ index: 1, text: 'So', signature: 't' })] },
      called(1, { id: 'b', function: { name: 'go', arguments: '{}' } }),
    ];
    const doneOf = (failure?: Error): unknown[] =>
      streamed(deltas, 'tool_calls', {}, failure)
        .filter(({ type }) => type === 'response.output_item.done')
        .map(({ output_index: index }) => index);

    expect(doneOf()).toEqual([0, 1, 2, 3]);
    expect(doneOf(new Error('broken'))).toEqual([]);
  });

  it('begins a stream of which only the failure is known', () => {
    const types = streamed([], 'stop', {}, new Error('secret')).map(({ type }) => type);
    expect(types).toEqual(['response.created', 'response.in_progress', 'response.failed']);
  });

  it('refuses an answer of more than 16 MiB', () => {
    const piece = { content: 'x'.repeat(8 * 1024 * 1024 + 1) };
    expect(() => streamed([piece, piece], 'stop')).toThrow('The provider sent an answer of more than 16 MiB.');
  });

  it.each([
    ['annotations', (): ChatDelta => ({ annotations: [{ type: 'url_citation', url_citation: { url: LARGE_TEXT } }] })],
    ['images', (): ChatDelta => ({ images: [{ image_url: { url: LARGE_TEXT } }] })],
    [
      'details of reasoning',
      (): ChatDelta => ({ reasoning_details: [{ type: 'reasoning.encrypted', data: LARGE_TEXT }] }),
    ],
    ['calls without arguments', (part: number): ChatDelta => ({ tool_calls: manyCalls(part * 20_000, 20_000) })],
  ])('refuses an answer of more than 16 MiB of %s', (_, piece) => {
    expect(() => streamed([piece(0)], 'stop')).not.toThrow();
    expect(() => streamed([piece(0), piece(1)], 'stop')).toThrow('The provider sent an answer of more than 16 MiB.');
  });

  it('streams the probabilities of very many tokens that come at once', () => {
    const content = Array.from({ length: 200_000 }, () => 0);
    const body = { input: 'Hello' } as ResponsesRequest;
    const form = responsesEncoder(body).stream(originOf(body));
    const choice = { index: 0, delta: { content: 'x' }, finish_reason: null, native_finish_reason: null };
    const events = form.chunk({ choices: [{ ...choice, logprobs: { content } }] });

    expect(events.at(-1)).toMatchObject({ event: 'response.output_text.delta' });
  });

  it('has the same output whole and in pieces of any length, each piece of which is in one event', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 });
    fc.assert(
      fc.property(text, text, text, fc.integer({ min: 1, max: 9 }), (reasoning, content, argument, length) => {
        const pieces = (value: string): string[] => {
          const characters = Array.from(value);
          return Array.from({ length: Math.ceil(characters.length / length) }, (_, index) =>
            characters.slice(index * length, (index + 1) * length).join(''),
          );
        };
        const call = { id: 'a', type: 'function' as const, function: { name: 'go', arguments: argument } };
        const events = streamed(
          [
            ...pieces(reasoning).map((piece) => ({ reasoning: piece })),
            ...pieces(content).map((piece) => ({ content: piece })),
            called(0, { ...call, function: { name: 'go', arguments: '' } }),
            ...pieces(argument).map((piece) => called(0, { function: { arguments: piece } })),
          ],
          'tool_calls',
        );
        const { output } = events.at(-1)!.response!;
        expect(output).toEqual(whole({ reasoning, content, tool_calls: [call] }, 'tool_calls').output);
        const deltas = (index: number): string =>
          events
            .filter(({ type, output_index: at }) => type.endsWith('.delta') && at === index)
            .map(({ delta }) => delta)
            .join('');
        expect([0, 1, 2].map(deltas)).toEqual([reasoning, content, argument]);
      }),
    );
  });
});
