import { chatSizeOf } from './chat-size.js';

const LONG = 'x'.repeat(1_000);

const sizeOf = (fields: object): ReturnType<typeof chatSizeOf> =>
  chatSizeOf({ messages: [{ role: 'user', content: 'Hello' }], ...fields });

const sizeOfMessage = (fields: object): ReturnType<typeof chatSizeOf> =>
  sizeOf({ messages: [{ role: 'assistant', content: null, ...fields }] });

const call = (fields: object): object => ({
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' }, ...fields }],
});

describe('chatSizeOf', () => {
  it.each<[string, object]>([
    ['the name of a function that is called', call({ function: { name: LONG, arguments: '{}' } })],
    ['the id of a call', call({ id: LONG })],
    ['a field beside those of a call', call({ extra: LONG })],
    ['a field beside those of a called function', call({ function: { name: 'f', arguments: '{}', extra: LONG } })],
    ['the id of a result', { role: 'tool', tool_call_id: LONG, content: '' }],
    [
      'what only a provider can read of reasoning',
      { reasoning_details: [{ type: 'reasoning.encrypted', data: LONG }] },
    ],
    ['a field of a detail of reasoning', { reasoning_details: [{ type: 'reasoning.text', text: '', content: LONG }] }],
    [
      'a mark for the cache',
      { content: [{ type: 'text', text: '', cache_control: { type: 'ephemeral', note: LONG } }] },
    ],
    ['the type of a part', { content: [{ type: LONG }] }],
    [
      'what stands beside the address of an image',
      { images: [{ type: 'image_url', image_url: { url: 'https://x', note: LONG } }] },
    ],
    ['the words of a recording', { audio: { id: 'audio_1', transcript: LONG } }],
  ])('counts the bytes of %s', (_, fields) => {
    expect(sizeOfMessage(fields).bytes).toBeGreaterThanOrEqual(1_000);
  });

  it.each<[string, object]>([
    ['the choice of a tool', { tool_choice: { type: 'allowed_tools', allowed_tools: [LONG] } }],
    ['the name of a tool', { tools: [{ type: 'function', function: { name: LONG } }] }],
    ['a field beside those of a prediction', { prediction: { type: 'content', content: '', note: LONG } }],
  ])('counts the bytes of %s', (_, fields) => {
    expect(sizeOf(fields).bytes).toBeGreaterThanOrEqual(1_000);
  });

  it('counts a call like a message, and images and recordings of earlier answers like those of users', () => {
    const images = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${LONG}` } }];
    expect(sizeOfMessage({ ...call({}), images, audio: { id: 'audio_1' } })).toMatchObject({
      messages: 2,
      units: { input_image: 1 },
      mediaTokens: 4_096,
    });
    expect(sizeOfMessage({ images }).bytes).toBe(0);
  });

  it.each(['n', 'best_of', 'num_return_sequences', 'candidate_count', 'num_completions'])(
    'takes the answers that %s asks for',
    (field) => {
      expect(sizeOf({ [field]: 7 }).answer?.choices).toBe(7);
      expect(sizeOf({ [field]: null }).answer?.choices).toBe(1);
    },
  );
});
