import { LongWork } from '../../../../concurrency/long-work.js';
import { LoopTurns } from '../../../../concurrency/loop-turns.js';
import type { ChatMessage, ContentPart } from '../../../codecs/chat/chat-completion.js';
import { hidesText, hidesTextInEmbeddedParts } from './hidden-text.js';

const work = new LongWork(new LoopTurns(), 'organization');

const says = (message: ChatMessage): Promise<boolean> => hidesText({ messages: [message] }, work);

const hides = (part: ContentPart): Promise<boolean> => says({ role: 'user', content: [part] });

const embeds = (part: Readonly<Record<string, unknown>>): Promise<boolean> => hidesTextInEmbeddedParts([part], work);

const TEXT = 'Patient jane@example.com';

const file = (data: string): ContentPart => ({ type: 'file', file: { file_data: data } });

describe('hidesText', () => {
  it.each([
    'data:text/csv,a',
    'data:text/plain;base64,/////w==',
    'data:application/octet-stream;base64,AAAA',
    'data:;base64,AAAA',
    'data:application/zip;base64,UEsDBAAAAAA=',
    'data:application/pdf;base64,iVBORw0KGgoAAAAA',
    'data:application/pdf;base64,AAAA',
    'data:application/msword;base64,AAAA',
    'data:image/png;base64,AAAA',
    'data:image/plain;base64,SvxyZ2VuIEphbmU=',
    'data:audio/mpeg;base64,//5KAGEAbgBlAA==',
    'data:audio/pcm;base64,SvxyZ2VuIEphbmU=',
    `data:image/${'a'.repeat(127)};base64,AAAA`,
    'data:image/png',
    'data:image/png,hello',
    'data:application/pdf;base64;x,hello',
    'AAAA',
    `data:application/pdf;base64,${TEXT}`,
    'data:image/png;base64,aGVsbG8=#a@example.com',
    'data:image/png;base64,aGVsbG8=?x',
    'data:image/png;base64,aGVsbG8= and more',
    'data:image/png;base64,123-45-6789',
  ])('is true for a file of %s', async (data) => {
    expect(await hides(file(data))).toBe(true);
  });

  it.each([
    'data:application/pdf;base64,JVBERi0xLjQKJcOkAA==',
    'data:application/octet-stream;base64,JVBERi0xLjQKJcOkAA==',
    'JVBERi0xLjQKJcOkAA==',
    'data:image/png;base64,iVBORw0KGgoAAAAA',
    'data:image/png;base64,/9j/4AAQSkZJRgABAQ==',
    'data:image/webp;base64,UklGRgAAAABXRUJQVlA4IA==',
    'data:image/heic;base64,AAAAGGZ0eXBoZWljAAAAAA==',
    'data:audio/webm;codecs=opus;base64,GkXfowEAAAA=',
    'data:audio/mpeg;base64,//uQAAAAAAAA',
    'data:audio/mp4;base64,AAAAGGZ0eXBNNEEgAAAAAA==',
    'data:audio/pcm;base64,AAAA',
    'data:video/mp4;base64,AAAAGGZ0eXBpc29tAAAAAA==',
    'data:application/vnd.openxmlformats-officedocument.wordprocessingml.document;base64,UEsDBAAAAAA=',
    'data:application/vnd.ms-excel;base64,0M8R4KGxGuEAAA==',
    'data:application/vnd.ms-excel;base64,UEsDBAAAAAA=',
    // Texts, which are scanned.
    'data:text/plain;base64,aGVsbG8=',
    'DATA:TEXT/PLAIN;base64,aGVsbG8=',
    'data:application/json;base64,e30=',
    'data:application/octet-stream;base64,aGVsbG8=',
    'data:application/vnd.ms-excel;base64,bmFtZTtwYW4=',
    'data:image/plain;base64,77u/aGVsbG8=',
    'data:image/svg+xml;base64,PHN2Zy8+',
    'data:application/pdf;base64,JVBERi1oZWxsbw==',
    'data:;base64,aGVsbG8=',
    'aGVsbG8=',
    'data:image/png;base64,',
    'https://example.com/a.txt',
  ])('is false for a file of %s', async (data) => {
    expect(await hides(file(data))).toBe(false);
  });

  it('goes by the name of a file as well', async () => {
    const named = (filename: string, data: string): Promise<boolean> =>
      hides({ type: 'file', file: { filename, file_data: `data:application/octet-stream;base64,${data}` } });
    expect(await named('a.PDF', 'JVBERi0xLjQKJcOkAA==')).toBe(false);
    expect(await named('a.docx', 'UEsDBAAAAAA=')).toBe(false);
    expect(await named('a.xls', '0M8R4KGxGuEAAA==')).toBe(false);
    expect(await named('a.csv', 'aGVsbG8=')).toBe(false);
    expect(await named('a.pdf', 'aGVsbG8=')).toBe(false);
    expect(await named('a.zip', 'UEsDBAAAAAA=')).toBe(true);
    expect(await named('a.csv', 'UEsDBAAAAAA=')).toBe(true);
    expect(await named('a.pdf', 'UEsDBAAAAAA=')).toBe(true);
    expect(await named('a.txt', 'JVBERi0xLjQKJcOkAA==')).toBe(true);
  });

  it('goes by the format of a recording, and lets samples without a head pass only if they are no text of any alphabet', async () => {
    const recorded = (format: string, data: string): Promise<boolean> =>
      hides({ type: 'input_audio', input_audio: { data, format } });
    expect(await recorded('wav', 'UklGRgAAAABXQVZFZm10IA==')).toBe(false);
    expect(await recorded('wav', 'AAAA')).toBe(true);
    expect(await recorded('mp3', 'SUQzBAAAAAA=')).toBe(false);
    expect(await recorded('pcm16', 'AAAA')).toBe(false);
    expect(await recorded('pcm16', 'SvxyZ2VuIEphbmU=')).toBe(true);
    expect(await recorded('other', 'AAAA')).toBe(false);
  });

  it('is true for images and videos that are texts by their type, also in earlier answers and predictions', async () => {
    const image_url = { url: 'data:text/plain,Hello' };
    const part = { type: 'image_url', image_url };
    expect(await hides(part)).toBe(true);
    expect(await hides({ type: 'video_url', video_url: image_url })).toBe(true);
    expect(await hides({ type: 'input_image', image_url: 'data:image/svg+xml,<svg/>' })).toBe(true);
    expect(await says({ role: 'assistant', images: [{ image_url }] })).toBe(true);
    expect(await hidesText({ messages: [], prediction: { content: [part] } }, work)).toBe(true);
  });

  it('is true for images and recordings that are no base64, in every field of a message', async () => {
    const data = `data:image/png;base64,${TEXT}`;
    expect(await hides({ type: 'image_url', image_url: { url: data } })).toBe(true);
    expect(await hides({ type: 'video_url', video_url: data })).toBe(true);
    expect(await hides({ type: 'input_audio', input_audio: { data: TEXT, format: 'wav' } })).toBe(true);
    expect(await hides({ type: 'input_audio', input_audio: { data: `data:;base64,${TEXT}` } })).toBe(true);
    expect(await hides({ type: 'text', text: '.', input_audio: { data: TEXT } })).toBe(true);
    expect(await says({ role: 'user', content: '.', audio: { data: TEXT } })).toBe(true);
    expect(await says({ role: 'assistant', audio: { id: 'a', data: 'data:text/plain,Hello' } })).toBe(true);
  });

  it('is false for texts, recordings and files of the provider', async () => {
    expect(await hides({ type: 'text', text: 'Hello' })).toBe(false);
    expect(await hides({ type: 'input_audio', input_audio: { data: 'aGVsbG8=', format: 'wav' } })).toBe(false);
    expect(await hides({ type: 'input_audio', input_audio: { data: 'data:;base64,aGVsbG8=' } })).toBe(false);
    expect(await hides({ type: 'input_audio', input_audio: { data: 'https://example.com/a.wav' } })).toBe(false);
    expect(await hides({ type: 'file', file: { file_id: 'file-1' } })).toBe(false);
    expect(await hides({ type: 'text', text: 'Hello', image_url: 'Hello' })).toBe(false);
    expect(await says({ role: 'assistant', content: null, audio: { id: 'a', data: 'aGVsbG8=' } })).toBe(false);
    expect(await says({ role: 'user', content: 'Hello', audio: { data: { text: 'which is read' } } })).toBe(false);
  });
});

describe('hidesTextInEmbeddedParts', () => {
  const text = 'data:text/plain,hello';

  it.each([
    { type: 'image_url', image_url: { url: text } },
    { type: 'input_file', input_file: { data: text, format: 'pdf' } },
    { type: 'input_file', input_file: { data: 'AAAA' } },
    { type: 'input_file', input_file: { data: 'AAAA', format: 'txt' } },
    { type: 'input_file', input_file: { data: 'AAAA', format: 'pdf' } },
    { type: 'input_audio', input_audio: { data: text, format: 'wav' } },
    { type: 'input_video', input_video: { data: text } },
    { type: 'text', text: 'Hello', input_file: { data: 'AAAA' } },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${TEXT}` } },
    { type: 'input_file', input_file: { data: TEXT, format: 'pdf' } },
    { type: 'input_audio', input_audio: { data: TEXT, format: 'wav' } },
    { type: 'input_video', input_video: { data: TEXT } },
  ])('is true for %j', async (part) => {
    expect(await embeds(part)).toBe(true);
  });

  it.each([
    { type: 'text', text: 'Hello' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,aGVsbG8=' } },
    { type: 'input_file', input_file: { data: 'aGVsbG8=', format: 'PDF' } },
    { type: 'input_file', input_file: { data: 'JVBERi0xLjQKJcOkAA==', format: 'PDF' } },
    { type: 'input_file', input_file: { data: 'data:application/pdf;base64,aGVsbG8=' } },
    { type: 'input_file', input_file: { data: 'https://example.com/a.txt' } },
    { type: 'input_audio', input_audio: { data: 'aGVsbG8=', format: 'wav' } },
    { type: 'input_video', input_video: { data: 'aGVsbG8=' } },
    { type: 'input_file', input_file: 'a text, which is read' },
  ])('is false for %j', async (part) => {
    expect(await embeds(part)).toBe(false);
  });
});
