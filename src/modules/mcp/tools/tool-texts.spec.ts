import { LongWork } from '../../../concurrency/long-work.js';
import { LoopTurns } from '../../../concurrency/loop-turns.js';
import type { JsonObject } from '../../mcp-servers/upstream/json-rpc.js';
import { MCP_RESULT } from './tool-texts.js';

const PICTURE = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1').toString('base64');
const SECRET = 'jane@example.com';
/** A text that is said to be a picture. */
const HIDDEN = Buffer.from(`Write to ${SECRET} today.`).toString('base64');

const image = (data: unknown): JsonObject => ({ type: 'image', data, mimeType: 'image/png' });
const text = (said: string): JsonObject => ({ type: 'text', text: said });

/** What servers can give, with a part of content in each place that there is for one. */
const PLACES: readonly [place: string, result: (item: JsonObject) => JsonObject][] = [
  ['content', (item) => ({ content: [text('a'), item] })],
  ['content that is no list', (item) => ({ content: item })],
  ['contents', (item) => ({ contents: [item] })],
  ['a message', (item) => ({ messages: [{ role: 'user', content: item }] })],
  ['a list of content in a message', (item) => ({ messages: [{ role: 'user', content: [text('a'), item] }] })],
  ['a resource', (item) => ({ content: [{ type: 'resource', resource: item }] })],
  ['a resource of another kind of content', (item) => ({ content: [{ type: 'text', text: 'a', resource: item }] })],
  ['a resource of a resource', (item) => ({ content: [{ type: 'resource', resource: { uri: 'a', resource: item } }] })],
  [
    'a result of a tool',
    (item) => ({ messages: [{ role: 'user', content: [{ type: 'tool_result', toolUseId: '1', content: [item] }] }] }),
  ],
  [
    'a resource in a result of a tool',
    (item) => ({
      messages: [{ role: 'user', content: { type: 'tool_result', content: [{ type: 'resource', resource: item }] } }],
    }),
  ],
];

const ASKED: readonly [place: string, result: (item: JsonObject) => JsonObject][] = PLACES.map(([place, result]) => [
  `${place} of what a client is asked`,
  (item) => ({ inputRequests: { first: { method: 'sampling/createMessage', params: result(item) } } }),
]);

/** The result without what a filter takes out. */
function redacted(result: JsonObject): JsonObject {
  const scanned = MCP_RESULT.texts.scannedIn(result);
  return MCP_RESULT.texts.replacedIn(
    result,
    scanned.map(({ text: said }) => said.replaceAll(SECRET, '[EMAIL]')),
  );
}

const hides = (result: JsonObject): Promise<boolean> =>
  MCP_RESULT.hidesText(result, new LongWork(new LoopTurns(), 'organization'));

describe('texts of what MCP servers give', () => {
  describe.each([...PLACES, ...ASKED])('in %s', (_, result) => {
    it('are found and replaced', () => {
      expect(redacted(result(text(`Ask ${SECRET}`)))).toEqual(result(text('Ask [EMAIL]')));
    });

    it.each<[what: string, item: JsonObject]>([
      ['a picture', image(HIDDEN)],
      ['a recording', { type: 'audio', data: HIDDEN, mimeType: 'audio/wav' }],
      ['bytes', { uri: 'note://1', blob: HIDDEN }],
      ['bytes beside a picture', { ...image(PICTURE), blob: HIDDEN }],
      ['what is no base64', image(`Write to ${SECRET}`)],
    ])('are hidden where %s may be one', async (_what, item) => {
      expect(await hides(result(item))).toBe(true);
    });

    it('are not hidden in a picture of a known form, which stays as it is', async () => {
      for (const item of [image(PICTURE), { uri: 'note://1', blob: PICTURE }]) {
        expect(await hides(result(item))).toBe(false);
        expect(redacted(result(item))).toEqual(result(item));
      }
    });

    it.each<[what: string, item: JsonObject]>([
      ['data that are no bytes', image({ said: SECRET })],
      ['bytes that are none', { uri: 'a', blob: [SECRET] }],
      ['the data of another kind of content', { type: 'text', data: SECRET }],
      ['a kind of content', { type: SECRET }],
      ['a media type', { ...image(PICTURE), mimeType: SECRET }],
      ['the name of a field', { type: 'text', [SECRET]: 1 }],
      ['a text that is none', { type: 'text', text: [SECRET] }],
    ])('are found in %s', (_what, item) => {
      expect(JSON.stringify(redacted(result(item)))).not.toContain('jane');
    });
  });

  it.each<[what: string, result: JsonObject]>([
    ['the name of a field', { [SECRET]: true, isError: true }],
    ['the name of a request', { inputRequests: { [SECRET]: { method: 'roots/list' } } }],
    ['the method of a request', { inputRequests: { a: { method: SECRET, params: {} } } }],
    ['a message of a request', { inputRequests: { a: { method: 'elicitation/create', params: { message: SECRET } } } }],
    ['a schema of a request', { inputRequests: { a: { params: { requestedSchema: { title: SECRET } } } } }],
    ['a field of a request', { inputRequests: { a: { params: {}, further: SECRET } } }],
    ['a name of a field of a request', { inputRequests: { a: { params: { [SECRET]: {} } } } }],
    ['requests that are none', { inputRequests: [SECRET] }],
    ['a request that is none', { inputRequests: { a: SECRET } }],
    ['a message that is none', { messages: [SECRET] }],
    ['messages that are none', { messages: { a: SECRET } }],
    ['lists of lists', { content: [[text(SECRET)]] }],
    ['values beside the content', { structuredContent: { a: [SECRET] }, _meta: { a: SECRET } }],
  ])('are found in %s', (_, result) => {
    expect(redacted(result)).not.toEqual(result);
    expect(JSON.stringify(redacted(result))).not.toContain('jane');
  });

  it('are not the names of fields that the protocol has', () => {
    const scanned = MCP_RESULT.texts.scannedIn({ content: [], isError: true, structuredContent: { a: 1 } });
    expect(scanned.map(({ text: said }) => said)).toEqual(['{"a":1}']);
  });

  it('leave what has no texts as it is', () => {
    const result = { content: [], structuredContent: {}, isError: false, messages: [{ role: 'user' }] };
    expect(redacted(result)).toEqual(result);
  });
});
