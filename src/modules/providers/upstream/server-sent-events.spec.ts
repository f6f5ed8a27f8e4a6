import fc from 'fast-check';
import { ProviderError } from '../../codecs/errors/provider-error.js';
import { ServerSentEvents } from './server-sent-events.js';
import type { ServerSentEvent } from '../../codecs/upstream-codec.js';

function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = start + (sizes[pieces.length % sizes.length] ?? bytes.length);
    pieces.push(bytes.subarray(start, end));
    start = end;
  }
  return pieces;
}

/** All events of a text that comes in pieces of some sizes, one after the other. */
function eventsOf(text: string, sizes: readonly number[] = []): ServerSentEvent[] {
  const events = new ServerSentEvents();
  const taken: ServerSentEvent[] = [];
  const takeAll = (): void => {
    for (let event = events.take(); event !== undefined; event = events.take()) taken.push(event);
  };
  for (const piece of cut(new TextEncoder().encode(text), sizes)) {
    events.add(piece);
    takeAll();
  }
  if (events.end()) takeAll();
  return taken;
}

describe('The reader of server-sent events', () => {
  it('reads events with and without names, of one line and of several', () => {
    expect(eventsOf('data: a\n\nevent: ping\ndata:b\ndata: c\n\n')).toEqual([
      { event: undefined, data: 'a' },
      { event: 'ping', data: 'b\nc' },
    ]);
  });

  it('leaves out comments, ids, retry times, unknown fields and a byte order mark', () => {
    expect(eventsOf('\uFEFF: hello\n\nid: 1\nretry: 5\nother: x\ndata: a\n\n')).toEqual([
      { event: undefined, data: 'a' },
    ]);
  });

  it('takes a field named error, which the standard does not know, as an event of that name', () => {
    expect(eventsOf('data: a\n\nerror: {"code":500}\n\ndata: [DONE]\n\n')).toEqual([
      { event: undefined, data: 'a' },
      { event: 'error', data: '{"code":500}' },
      { event: undefined, data: '[DONE]' },
    ]);
  });

  it('leaves out an event that the end of the stream cuts', () => {
    for (const end of ['data: b', 'data: b\n', 'data: b\r', 'da']) {
      expect(eventsOf(`data: a\n\n${end}`)).toEqual([{ event: undefined, data: 'a' }]);
    }
  });

  it.each(['', '\n', '\r', '\r\n'])('takes a last event whose data are whole, and that ends with %j alone', (end) => {
    expect(eventsOf(`data: a\n\nevent: stop\ndata: {"a":1}${end}`, [3])).toEqual([
      { event: undefined, data: 'a' },
      { event: 'stop', data: '{"a":1}' },
    ]);
    expect(eventsOf(`data: [DONE]${end}`)).toEqual([{ event: undefined, data: '[DONE]' }]);
    expect(eventsOf(`data: {"a":${end}`)).toEqual([]);
  });

  it('reads the same whatever ends the lines and wherever the bytes are cut', () => {
    const line = fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replace(/[\r\n\uFEFF]/g, '€😀'));
    fc.assert(
      fc.property(
        fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom('\n', '\r', '\r\n'),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        (events, end, sizes) => {
          const text = events.map((lines) => `${lines.map((data) => `data: ${data}${end}`).join('')}${end}`).join('');
          const expected = events.map((lines) => ({ event: undefined, data: lines.join('\n').toWellFormed() }));
          expect(eventsOf(text, sizes)).toEqual(expected);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('refuses an event of more than 8 MiB, in one line or in many', () => {
    for (const line of [`data: ${'x'.repeat(9 * 1024 * 1024)}`, `data: ${'x'.repeat(1_000)}\n`.repeat(10_000)]) {
      expect(() => eventsOf(line, [65_536])).toThrow(ProviderError);
    }
  });

  it('reads an event of up to the length that is named, and refuses a longer one by that length', () => {
    const events = (length: number): ServerSentEvent | undefined => {
      const reader = new ServerSentEvents(10 * 1024 * 1024);
      reader.add(new TextEncoder().encode(`data: ${'x'.repeat(length)}\n\n`));
      return reader.take();
    };
    expect(events(9 * 1024 * 1024)!.data).toHaveLength(9 * 1024 * 1024);
    expect(() => events(11 * 1024 * 1024)).toThrow('more than 10 MiB without an event');
  });

  it.each([
    ['comments', `: ${'x'.repeat(1_000)}\n`],
    ['names', `event: ${'x'.repeat(1_000)}\n`],
    ['empty data', 'data:\n'],
  ])('refuses more than 8 MiB of %s without an event', (_, line) => {
    const lines = (mebibytes: number): string => line.repeat((mebibytes * 1024 * 1024) / line.length);
    expect(() => eventsOf(lines(9), [65_536])).toThrow('more than 8 MiB without an event');
    // More than that in all, but with events between them.
    expect(eventsOf(`${lines(5)}\ndata: a\n\n${lines(5)}\n\ndata: b\n\n`, [65_536]).at(-1)!.data).toBe('b');
  });

  it.each(['other', 'other: x', 'retry: x'])('refuses more than 10,000 lines %j without an event', (line) => {
    const lines = (count: number): string => `${line}\n`.repeat(count);
    expect(() => eventsOf(lines(20_000), [65_536])).toThrow('something else than a stream of events');
    expect(eventsOf(`${lines(6_000)}data: a\n\n${lines(6_000)}data: b\n\n`, [65_536]).at(-1)!.data).toBe('b');
  });

  it('has no event before bytes come, and none behind the last one', () => {
    const events = new ServerSentEvents();
    expect(events.take()).toBeUndefined();
    events.add(new TextEncoder().encode('data: a\n\ndata: b\n\n'));
    expect([events.take()?.data, events.take()?.data, events.take()]).toEqual(['a', 'b', undefined]);
    expect([events.end(), events.take()]).toEqual([false, undefined]);
  });
});
