import type { ChatChunk, ChatDelta } from '../chat/chat-completion.js';
import type { AnswerOrigin } from '../client-codec.js';
import { StreamedText } from './answer-encoder.js';

const ORIGIN = {
  id: 'gen-1',
  created: 1,
  model: 'acme/writer',
  provider: 'Alpha Cloud',
  body: { model: 'acme/writer', messages: [] },
  routing: () => ({ router_metadata: { attempt: 1 } }),
} as unknown as AnswerOrigin;

function chunk(index: number, delta: ChatDelta, fields: object = {}): ChatChunk {
  return { choices: [{ index, delta, finish_reason: null, native_finish_reason: null, ...fields }] };
}

/** The texts of a stream. */
function textsOf(form: StreamedText, chunks: readonly ChatChunk[]): string[] {
  return chunks
    .flatMap((one) => form.chunk(one))
    .flatMap(({ data }) => (data as { choices: { text: string }[] }).choices.map(({ text }) => text));
}

describe('StreamedText', () => {
  it('writes the echoed prompt once, before the first choice that has text', () => {
    const chunks = [
      chunk(0, { role: 'assistant' }),
      chunk(1, { content: 'b' }),
      chunk(0, { content: 'a' }),
      chunk(1, { content: 'c' }),
    ];

    expect(textsOf(new StreamedText(ORIGIN, '> '), chunks)).toEqual(['> b', 'a', 'c']);
  });

  it('writes the echoed prompt before a choice that ends without text, too', () => {
    const chunks = [chunk(0, { reasoning: 'Hm.' }), chunk(0, {}, { finish_reason: 'stop' })];

    expect(textsOf(new StreamedText(ORIGIN, '> '), chunks)).toEqual(['> ']);
  });

  it('sends nothing for what the form has no place for', () => {
    const form = new StreamedText(ORIGIN, '');
    const deltas: ChatDelta[] = [{}, { role: 'assistant', content: '' }, { reasoning: 'Hm.' }, { tool_calls: [] }];

    expect(deltas.flatMap((delta) => form.chunk(chunk(0, delta)))).toEqual([]);
  });

  it('keeps no more choices than can be asked for, whatever a provider numbers them', () => {
    const form = new StreamedText(ORIGIN, '');
    const chunks = Array.from({ length: 200 }, (_, number) => chunk(number / 2, { content: String(number) }));

    expect(textsOf(form, chunks)).toEqual(Array.from({ length: 128 }, (_, number) => String(number)));
    expect(textsOf(form, [chunk(0, { content: 'more' })])).toEqual(['more']);
  });

  it('shows nothing of how a request was routed where the gateway itself failed', () => {
    const [event] = new StreamedText(ORIGIN, '').failure(new Error('secret'));

    expect(event!.data).toMatchObject({ object: 'text_completion', error: { code: 502 } });
    expect(event!.data).not.toHaveProperty('router_metadata');
    expect(JSON.stringify(event)).not.toContain('secret');
  });
});
