import { MESSAGES_FIELDS, messagesFieldsOf, type WithMessagesFields } from '../../../codecs/chat/messages-fields.js';
import type { ContentPart } from '../../../codecs/chat/chat-completion.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { CHAT_TEXTS } from './chat-texts.js';

const request = (fields: object): ClientChatRequest => ({
  messages: [{ role: 'user', content: 'Hello' }],
  ...fields,
});

const texts = (fields: object): string[] => CHAT_TEXTS.scannedIn(request(fields)).map(({ text }) => text);

/** The request with every x in its texts replaced. */
const replaced = (fields: object): ClientChatRequest =>
  CHAT_TEXTS.replacedIn(
    request(fields),
    texts(fields).map((text) => text.replaceAll('x', '[X]')),
  );

describe('CHAT_TEXTS.scannedIn', () => {
  it('joins the fields that providers get and the gateway does not know into one JSON text', () => {
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

  it('has the names of files and addresses of images, and neither images nor ids', () => {
    const content = [
      { type: 'file', file: { filename: 'x.pdf', file_data: 'data:x' } },
      { type: 'image_url', image_url: { url: 'https://x' } },
    ];
    const messages = [
      { role: 'user', content },
      { role: 'tool', tool_call_id: 'x', content: 'Done' },
    ];
    expect(texts({ messages })).toEqual(['x.pdf', 'data:x', 'https://x', 'Done']);
  });

  it('has what addresses of media say, wherever they are, and what data say besides their type', () => {
    const image_url = { url: 'https://x/?a@example.com' };
    const messages = [
      {
        role: 'assistant',
        content: [
          { type: 'image_url', image_url },
          { type: 'video_url', video_url: 'data:video/mp4;name=a@example.com;base64,AA,AA' },
          { type: 'file', file: { file_data: 'HTTP://x/a@example.com' } },
          { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA' } },
        ],
        images: [{ type: 'image_url', image_url }],
      },
    ];
    const found = texts({ messages });
    expect(found).toEqual([
      image_url.url,
      'data:video/mp4;name=a@example.com;base64',
      'HTTP://x/a@example.com',
      image_url.url,
    ]);
    const redacted = CHAT_TEXTS.replacedIn(
      request({ messages }),
      found.map((text) => text.replace('a@example.com', '[EMAIL]')),
    );
    expect(JSON.stringify(redacted.messages).match(/a@example\.com/g)).toBeNull();
    expect(JSON.stringify(redacted.messages)).toContain('"data:video/mp4;name=[EMAIL];base64,AA,AA"');
    // No model reads an address as part of its prompt.
    expect(CHAT_TEXTS.promptBytesIn(request({ messages }))).toBe(0);
  });

  it('has types of media, formats of recordings and forms of reasoning that the gateway does not know', () => {
    const messages = [
      {
        role: 'assistant',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/Jane Doe;base64,AA' } },
          { type: 'image_url', image_url: { url: 'data:image/123-45-6789;base64,AA' } },
          { type: 'input_audio', input_audio: { data: 'AA', format: 'SSN-123-45-6789' } },
          { type: 'input_audio', input_audio: { data: 'https://x/a@example.com', format: 'wav' } },
        ],
        reasoning_details: [{ type: 'reasoning.text', format: 'SSN-123-45-6789' }],
      },
    ];
    expect(texts({ messages })).toEqual([
      'data:image/Jane Doe;base64',
      'data:image/123-45-6789;base64',
      '{"format":"SSN-123-45-6789"}',
      'https://x/a@example.com',
      '{"format":"SSN-123-45-6789"}',
    ]);
  });

  it('has media that are texts, whatever they are said to be, and puts them back in base64', () => {
    const csv = Buffer.from('name;x').toString('base64');
    const content = [
      { type: 'file', file: { filename: 'a.csv', file_data: `data:application/vnd.ms-excel;base64,${csv}` } },
      { type: 'image_url', image_url: { url: `data:image/plain;base64,${csv}` } },
      { type: 'input_audio', input_audio: { data: csv, format: 'wav' } },
    ];
    const fields = { messages: [{ role: 'user', content }] };
    expect(texts(fields)).toEqual(['a.csv', 'name;x', 'data:image/plain;base64', 'name;x', 'name;x']);
    const redacted = Buffer.from('name;[X]').toString('base64');
    expect(replaced(fields).messages[0]!.content).toMatchObject([
      { file: { file_data: `data:application/vnd.ms-excel;base64,${redacted}` } },
      { image_url: { url: `data:image/plain;base64,${redacted}` } },
      { input_audio: { data: redacted } },
    ]);
    // What is read of it is up to the model, as of an image.
    expect(CHAT_TEXTS.promptBytesIn(request(fields))).toBe('a.csv'.length);
  });

  it('has what stands in front of a text for the name of its author, where a provider has no field for that', () => {
    const messages = [
      { role: 'user', name: 'password', content: 'a' },
      {
        role: 'user',
        name: 'jo',
        content: [
          { type: 'text', text: 'b' },
          { type: 'text', text: 'c' },
        ],
      },
    ];
    expect(CHAT_TEXTS.scannedIn(request({ messages })).map(({ text, lead }) => [lead, text])).toEqual([
      [undefined, 'password'],
      ['password: ', 'a'],
      [undefined, 'jo'],
      ['jo: ', 'b'],
      [undefined, 'c'],
    ]);
  });

  it('has the names of betas, which are no text of the prompt', () => {
    const named = request({ [MESSAGES_FIELDS]: { betas: 'SSN-123-45-6789,b' } });
    expect(CHAT_TEXTS.scannedIn(named).at(-1)).toEqual({ role: 'system', text: 'SSN-123-45-6789,b', kind: 'address' });
    expect(CHAT_TEXTS.promptBytesIn(named)).toBe('Hello'.length);
  });

  it('has names and ids only where they are no words', () => {
    const called = (id: string, name: string): object => ({
      tool_calls: [{ id, type: 'function', function: { name, arguments: '{}' } }],
    });
    const messages = [
      { role: 'assistant', ...called('call_1|fc_x:0/a+b=', 'mcp__files.read-all') },
      { role: 'assistant', ...called('a b', '4111-1111-1111-1111') },
    ];
    const tools = [{ type: 'function', function: { name: 'look up' } }];
    expect(texts({ messages, tools })).toEqual(['{}', 'a b', '4111-1111-1111-1111', '{}', 'look up']);
  });

  it('has nothing of what the gateway knows to be no text', () => {
    const cache_control = { type: 'ephemeral', ttl: '1h' };
    const messages = [
      {
        role: 'assistant',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,x', detail: 'high' }, cache_control },
          { type: 'input_audio', input_audio: { data: 'x', format: 'wav' } },
          { type: 'input_video', video_url: { url: 'data:video/mp4;base64,x' } },
        ],
        refusal: null,
        reasoning_details: [
          { type: 'reasoning.encrypted', format: 'openai-responses-v1', data: 'x+/=', index: 0, id: null },
          { type: 'reasoning.text', format: 'anthropic-claude-v1', signature: 'x', index: 1 },
        ],
        images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,x' } }],
        audio: { id: 'audio_x', data: 'x', expires_at: 1 },
      },
    ];
    expect(texts({ messages, reasoning: { effort: 'low' }, tool_choice: 'auto', cache_control })).toEqual([]);
  });

  it('has the fields of calls that the gateway does not know, and of what they call', () => {
    const call = {
      id: 'a',
      type: 'function',
      function: { name: 'f', arguments: '{}', note: 'x' },
      extra_content: { x: ['x'] },
    };
    const messages = [{ role: 'assistant', tool_calls: [call] }];
    expect(texts({ messages })).toEqual(['{}', '{"note":"x"}', '{"extra_content":{"x":["x"]}}']);
  });

  it('has of what signs a call or a text only what is no signature', () => {
    const signed = (signature: string): object => ({ extra_content: { google: { thought_signature: signature } } });
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
    const messagesOf = (signature: string): object[] => [
      { role: 'assistant', content: '', ...signed(signature), tool_calls: [{ ...call, ...signed(signature) }] },
    ];
    expect(texts({ messages: messagesOf('gatehse10b75+/=') })).toEqual(['', '{}']);
    expect(texts({ messages: messagesOf('a b') })).toEqual(['', 'a b', '{}', 'a b']);
  });

  it('has fields with names that objects inherit, which stay fields of their own', () => {
    const fields = JSON.parse('{"__proto__":{"a":"x"},"constructor":"x","toString":null}') as object;
    const redacted = CHAT_TEXTS.replacedIn(request(fields), ['Hi', texts(fields)[1]!.replaceAll('"x"', '"y"')]);

    expect(texts(fields)[1]).toBe('{"__proto__":{"a":"x"},"constructor":"x"}');
    expect(JSON.parse(JSON.stringify(redacted))).toEqual(
      JSON.parse(
        '{"__proto__":{"a":"y"},"constructor":"y","toString":null,"messages":[{"role":"user","content":"Hi"}]}',
      ),
    );
    expect(Object.keys(redacted)).toContain('__proto__');
  });

  it('says of a field that the gateway does not know whose message it is in', () => {
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'a', x: 1 }], x: 1 },
      { role: 'assistant', x: 1 },
    ];
    expect(CHAT_TEXTS.scannedIn(request({ messages, x: 1 })).map(({ role }) => role)).toEqual([
      'user',
      'user',
      'user',
      'assistant',
      'system',
    ]);
  });
});

describe('CHAT_TEXTS.replacedIn', () => {
  it('replaces names as well, and keeps everything else', () => {
    const fields = { x: { y: 'x' }, seed: 4, tools: [], [MESSAGES_FIELDS]: { betas: 'b' } };
    const { messages, ...rest } = replaced(fields);
    expect(messages).toEqual([{ role: 'user', content: 'Hello' }]);
    expect(rest).toEqual({ '[X]': { y: '[X]' }, seed: 4, tools: [], [MESSAGES_FIELDS]: { betas: 'b' } });
  });

  it('replaces what the Messages form says besides, and keeps it apart', () => {
    const mark = { type: 'ephemeral' };
    const marked = { cache_control: { ...mark, note: 'x' } };
    const { messages, reasoning, ...rest } = replaced({
      messages: [
        {
          role: 'tool',
          tool_call_id: 'x',
          content: [{ type: 'text', text: 'x', [MESSAGES_FIELDS]: { cache_control: mark } }],
          [MESSAGES_FIELDS]: { is_error: true, ...marked },
        },
      ],
      reasoning: { effort: 'low', [MESSAGES_FIELDS]: { effort: 'low', thinking: { type: 'adaptive', note: 'x' } } },
      stop: 'x',
      [MESSAGES_FIELDS]: { betas: 'x', context_management: { edits: ['x'] } },
    });
    const replacedMark = { cache_control: { ...mark, note: '[X]' } };
    expect(messagesFieldsOf(messages[0])).toEqual({ is_error: true, ...replacedMark });
    expect(messagesFieldsOf((messages[0]!.content as ContentPart[])[0])).toEqual({ cache_control: mark });
    expect(messagesFieldsOf(reasoning as WithMessagesFields)).toEqual({
      effort: 'low',
      thinking: { type: 'adaptive', note: '[X]' },
    });
    expect(messagesFieldsOf(rest)).toEqual({ context_management: { edits: ['[X]'] } });
  });

  it('leaves out betas whose names are redacted, and no others', () => {
    const betasOf = (betas: string): unknown => messagesFieldsOf(replaced({ [MESSAGES_FIELDS]: { betas } }))['betas'];
    expect(betasOf('a-1, x-1,b')).toBe('a-1,b');
    expect(betasOf('x')).toBeUndefined();
    expect(betasOf('a-1, b')).toBe('a-1, b');
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
