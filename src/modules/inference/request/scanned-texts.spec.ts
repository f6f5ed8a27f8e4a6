import { MESSAGES_FIELDS, messagesFieldsOf } from '../../providers/messages-fields.js';
import type { ChatCompletionRequest } from '../dto/chat-completion-request.dto.js';
import { textsOf, withTexts } from './scanned-texts.js';

const request = (fields: object): ChatCompletionRequest => ({
  messages: [{ role: 'user', content: 'Hello' }],
  ...fields,
});

const texts = (fields: object): string[] => textsOf(request(fields)).map(({ text }) => text);

/** The request with every x in its texts replaced. */
const replaced = (fields: object): ChatCompletionRequest =>
  withTexts(
    request(fields),
    texts(fields).map((text) => text.replaceAll('x', '[X]')),
  );

describe('textsOf', () => {
  it('has the fields that a provider gets and the gateway does not know, as one JSON', () => {
    expect(texts({ guided: ['x'], 'a name': 7, stop: 'x' })).toEqual([
      'Hello',
      '{"guided":["x"],"a name":7,"stop":"x"}',
    ]);
  });

  it('has nothing of what no provider gets, nor numbers and switches that the gateway knows', () => {
    const fields = {
      model: 'x',
      metadata: { a: 'x' },
      trace: { a: 'x' },
      user: 'x',
      seed: 4,
      logprobs: true,
      top_k: null,
    };
    expect(texts(fields)).toEqual(['Hello']);
  });

  it('has the names of files, and neither images nor ids', () => {
    const content = [
      { type: 'file', file: { filename: 'x.pdf', file_data: 'data:x' } },
      { type: 'image_url', image_url: { url: 'https://x' } },
    ];
    const messages = [
      { role: 'user', content },
      { role: 'tool', tool_call_id: 'x', content: 'Done' },
    ];
    expect(texts({ messages })).toEqual(['x.pdf', 'Done']);
  });
});

describe('withTexts', () => {
  it('replaces names as well, and keeps everything else', () => {
    const fields = { x: { y: 'x' }, seed: 4, tools: [], [MESSAGES_FIELDS]: { betas: 'b' } };
    const { messages, ...rest } = replaced(fields);
    expect(messages).toEqual([{ role: 'user', content: 'Hello' }]);
    expect(rest).toEqual({ '[X]': { y: '[X]' }, seed: 4, tools: [], [MESSAGES_FIELDS]: { betas: 'b' } });
  });

  it('replaces the texts of fields of the Messages form in tools, but for their names', () => {
    const bash = { type: 'bash_x', name: 'x', note: 'x' };
    const tools = [
      { type: 'function', function: { name: 'x', description: 'x' }, [MESSAGES_FIELDS]: { samples: ['x'] } },
      { type: 'bash_x', [MESSAGES_FIELDS]: bash },
    ];
    const [own, ofForm] = replaced({ tools }).tools!;
    expect(own).toMatchObject({ function: { name: 'x', description: '[X]' } });
    expect(messagesFieldsOf(own)).toEqual({ samples: ['[X]'] });
    expect(messagesFieldsOf(ofForm)).toEqual({ ...bash, note: '[X]' });
  });
});
