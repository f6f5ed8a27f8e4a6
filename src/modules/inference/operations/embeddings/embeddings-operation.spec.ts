import type { EmbeddingsRequest } from './dto/embeddings-request.dto.js';
import { EMBEDDINGS } from './operation.js';

const request = (fields: object): EmbeddingsRequest => ({ model: 'x', input: 'Hello', ...fields });

const texts = (fields: object): string[] => EMBEDDINGS.texts.scannedIn(request(fields)).map(({ text }) => text);

const partsWith = (part: object): object => ({ input: [{ content: [part] }] });

describe('The texts of a request for embeddings', () => {
  it.each([
    ['a text', 'x', ['x']],
    ['texts', ['x', 'y'], ['x', 'y']],
    ['the tokens of a text', [1, 2], []],
    ['the tokens of texts', [[1], [2]], []],
  ])('are those of %s', (_, input, expected) => {
    expect(texts({ input })).toEqual(expected);
  });

  it('are in, beside and outside of parts, with the names of fields that the gateway does not know, as of the input', () => {
    const input = [
      {
        content: [
          { type: 'image_url', image_url: { url: 'https://x', alt: 'a' }, caption: 'b' },
          { type: 'text', text: 'c', input_file: 'd' },
          { type: 'input_audio', input_audio: { data: 'x', format: 'a b', type: 'e' } },
        ],
        title: 'f',
      },
    ];
    const fields = { input, input_type: 'g', prompt: ['h'] };
    expect(texts(fields)).toEqual([
      ...[
        'https://x',
        '{"alt":"a"}',
        '{"caption":"b"}',
        'c',
        '{"input_file":"d"}',
        '{"format":"a b","type":"e"}',
        '{"title":"f"}',
      ],
      ...['g', '{"prompt":["h"]}'],
    ]);
    expect(new Set(EMBEDDINGS.texts.scannedIn(request(fields)).map(({ role }) => role))).toEqual(new Set(['input']));
  });

  it.each([
    partsWith({ type: 'image_url', image_url: { url: 'data:image/png;base64,x', detail: 'low' } }),
    partsWith({ type: 'input_file', input_file: { data: 'x', format: 'pdf' } }),
    { input: [1], user: 'x', provider: { order: ['x'] }, dimensions: 4, encoding_format: 'float', store: true },
  ])('are none of %j, which the gateway knows to be no text', (fields) => {
    expect(texts(fields)).toEqual([]);
  });

  it('are replaced where they stand, and the rest stays as it is', () => {
    const input = [{ content: [{ type: 'image_url', image_url: { url: 'https://x', alt: 'a' }, caption: { b: 1 } }] }];
    const replaced = EMBEDDINGS.texts.replacedIn(request({ input, dimensions: 4 }), [
      'https://y',
      '{"alt":"A"}',
      '{"caption":{"B":1}}',
    ]);

    expect(replaced).toEqual({
      model: 'x',
      input: [{ content: [{ type: 'image_url', image_url: { url: 'https://y', alt: 'A' }, caption: { B: 1 } }] }],
      dimensions: 4,
    });
  });

  it('are addresses too, which no model reads as part of its prompt', () => {
    const image = { type: 'image_url', image_url: { url: 'https://example.com/a@example.com' } };
    const file = { type: 'input_file', input_file: { data: 'https://example.com/b.pdf', format: 'pdf' } };
    const body = request({ input: [{ content: [image, file, { type: 'text', text: 'four' }] }] });

    expect(EMBEDDINGS.texts.scannedIn(body).map(({ text }) => text)).toEqual([
      'https://example.com/a@example.com',
      'https://example.com/b.pdf',
      'four',
    ]);
    expect(EMBEDDINGS.sizeOf(body).bytes).toBe(4);
    expect(EMBEDDINGS.promptBytesOf(body)).toBe(4);
    expect(EMBEDDINGS.loggedInputOf(body)).toEqual({ prompt: 'four' });
  });
});
