import type { ImageRequest } from '../chat/images.js';
import { imagesOf, imagesRequest } from './images.js';

const REQUEST: ImageRequest = { model: 'm', prompt: 'A bicycle', n: 1, references: [], further: {} };

describe('A request for images in the form of OpenAI', () => {
  it.each([
    [{}, undefined],
    [{ size: '640x480', resolution: '2K' }, '640x480'],
    [{ aspect_ratio: 'auto' }, 'auto'],
    [{ aspect_ratio: '3:2' }, '1536x1024'],
    [{ resolution: '2K' }, '2048x2048'],
    [{ resolution: '1K', aspect_ratio: '4:1' }, '2048x512'],
    [{ aspect_ratio: '16:9' }, '1360x768'],
  ])('has for %j the size %s', (fields, size) => {
    expect(imagesRequest({ ...REQUEST, ...fields }, false).body).toEqual({
      model: 'm',
      prompt: 'A bicycle',
      ...(size !== undefined && { size }),
    });
  });

  it('has what is handed on behind nothing that it says itself', () => {
    const { body } = imagesRequest(
      { ...REQUEST, n: 2, partial_images: 1, further: { style: 'x', prompt: 'no' } },
      true,
    );
    expect(body).toEqual({ style: 'x', model: 'm', prompt: 'A bicycle', n: 2, stream: true, partial_images: 1 });
  });
});

describe('Images of an answer in the form of OpenAI', () => {
  it('are read from data, data URLs and addresses', () => {
    const data = [{ b64_json: 'aGk=' }, { b64_json: 'data:image/png;base64,aGk=' }, { url: 'https://a.example/b' }];
    expect(imagesOf({ data })).toEqual({
      upstreamId: null,
      images: [{ data: 'aGk=' }, { data: 'aGk=' }, { url: 'https://a.example/b' }],
      usage: null,
    });
  });

  it.each([
    ['nothing', {}],
    ['an empty list', { data: [] }],
    ['an image without data', { data: [{ revised_prompt: 'a' }] }],
    ['a text', 'data'],
  ])('are invalid with %s', (_, document) => {
    expect(() => imagesOf(document)).toThrow(/^The provider’s answer has /);
  });
});
