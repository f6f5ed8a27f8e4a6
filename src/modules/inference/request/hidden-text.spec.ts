import type { ContentPart } from '../../providers/chat-completion.js';
import { hidesText, hidesTextInEmbeddedPart } from './hidden-text.js';

const hides = (part: ContentPart): boolean => hidesText({ messages: [{ role: 'user', content: [part] }] });

const file = (data: string): ContentPart => ({ type: 'file', file: { file_data: data } });

describe('hidesText', () => {
  it.each([
    'data:text/plain;base64,aGVsbG8=',
    'data:text/csv,a',
    'data:application/json;base64,e30=',
    'data:application/octet-stream;base64,aGVsbG8=',
    'data:;base64,aGVsbG8=',
    `data:image/${'a'.repeat(127)};base64,aGVsbG8=`,
    'data:image/png',
    'data:image/png,hello',
    'data:application/pdf;base64;x,hello',
    'DATA:TEXT/PLAIN;base64,aGVsbG8=',
    'aGVsbG8=',
  ])('is true for a file of %s', (data) => {
    expect(hides(file(data))).toBe(true);
  });

  it.each([
    'data:application/pdf;base64,aGVsbG8=',
    'data:image/png;base64,aGVsbG8=',
    'data:audio/webm;codecs=opus;base64,aGVsbG8=',
    'data:application/vnd.openxmlformats-officedocument.wordprocessingml.document;base64,aGVsbG8=',
    'https://example.com/a.txt',
  ])('is false for a file of %s', (data) => {
    expect(hides(file(data))).toBe(false);
  });

  it('is true for images and videos that are texts by their type, also in earlier answers', () => {
    const image_url = { url: 'data:text/plain,Hello' };
    expect(hides({ type: 'image_url', image_url })).toBe(true);
    expect(hides({ type: 'video_url', video_url: image_url })).toBe(true);
    expect(hides({ type: 'input_image', image_url: 'data:image/svg+xml,<svg/>' })).toBe(true);
    expect(hidesText({ messages: [{ role: 'assistant', images: [{ image_url }] }] })).toBe(true);
  });

  it('is false for texts, recordings and files of the provider', () => {
    expect(hides({ type: 'text', text: 'Hello' })).toBe(false);
    expect(hides({ type: 'input_audio', input_audio: { data: 'aGVsbG8=', format: 'wav' } })).toBe(false);
    expect(hides({ type: 'file', file: { file_id: 'file-1' } })).toBe(false);
    expect(hides({ type: 'text', text: 'Hello', image_url: 'Hello' })).toBe(false);
  });
});

describe('hidesTextInEmbeddedPart', () => {
  const text = 'data:text/plain;base64,aGVsbG8=';

  it.each([
    { type: 'image_url', image_url: { url: text } },
    { type: 'input_file', input_file: { data: text, format: 'pdf' } },
    { type: 'input_file', input_file: { data: 'aGVsbG8=' } },
    { type: 'input_file', input_file: { data: 'aGVsbG8=', format: 'txt' } },
    { type: 'input_audio', input_audio: { data: text, format: 'wav' } },
    { type: 'input_video', input_video: { data: text } },
    { type: 'text', text: 'Hello', input_file: { data: 'aGVsbG8=' } },
  ])('is true for %j', (part) => {
    expect(hidesTextInEmbeddedPart(part)).toBe(true);
  });

  it.each([
    { type: 'text', text: 'Hello' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,aGVsbG8=' } },
    { type: 'input_file', input_file: { data: 'aGVsbG8=', format: 'PDF' } },
    { type: 'input_file', input_file: { data: 'data:application/pdf;base64,aGVsbG8=' } },
    { type: 'input_file', input_file: { data: 'https://example.com/a.txt' } },
    { type: 'input_audio', input_audio: { data: 'aGVsbG8=', format: 'wav' } },
    { type: 'input_video', input_video: { data: 'aGVsbG8=' } },
    { type: 'input_file', input_file: 'a text, which is read' },
  ])('is false for %j', (part) => {
    expect(hidesTextInEmbeddedPart(part)).toBe(false);
  });
});
