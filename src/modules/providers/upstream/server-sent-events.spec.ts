import fc from 'fast-check';
import { type ServerSentEvent, serverSentEvents } from './server-sent-events.js';

async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (let turn = 0; start < bytes.length; turn++) {
    const end = start + (sizes[turn % sizes.length] ?? bytes.length);
    yield await Promise.resolve(bytes.subarray(start, end));
    start = end;
  }
}

async function eventsOf(text: string, sizes: readonly number[] = []): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of serverSentEvents(cut(new TextEncoder().encode(text), sizes))) events.push(event);
  return events;
}

describe('The reader of server-sent events', () => {
  it('reads events with and without names, of one line and of several', async () => {
    expect(await eventsOf('data: a\n\nevent: ping\ndata:b\ndata: c\n\n')).toEqual([
      { event: undefined, data: 'a' },
      { event: 'ping', data: 'b\nc' },
    ]);
  });

  it('leaves out comments, ids, retry times, unknown fields and a byte order mark', async () => {
    expect(await eventsOf('\uFEFF: hello\n\nid: 1\nretry: 5\nother: x\ndata: a\n\n')).toEqual([
      { event: undefined, data: 'a' },
    ]);
  });

  it('leaves out an event that the end of the stream cuts', async () => {
    for (const end of ['data: b', 'data: b\n', 'data: b\r', 'da']) {
      expect(await eventsOf(`data: a\n\n${end}`)).toEqual([{ event: undefined, data: 'a' }]);
    }
  });

  it('reads the same whatever ends the lines and wherever the bytes are cut', async () => {
    const line = fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replace(/[\r\n\uFEFF]/g, '€😀'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom('\n', '\r', '\r\n'),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        async (events, end, sizes) => {
          const text = events.map((lines) => `${lines.map((data) => `data: ${data}${end}`).join('')}${end}`).join('');
          const expected = events.map((lines) => ({ event: undefined, data: lines.join('\n').toWellFormed() }));
          expect(await eventsOf(text, sizes)).toEqual(expected);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('refuses an event of more than 8 MiB, in one line or in many', async () => {
    for (const line of [`data: ${'x'.repeat(9 * 1024 * 1024)}`, `data: ${'x'.repeat(1_000)}\n`.repeat(10_000)]) {
      await expect(eventsOf(line, [65_536])).rejects.toMatchObject({ kind: 'invalid' });
    }
  });

  it('reads no further than events are taken', async () => {
    let read = 0;
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for (;;) {
        read += 1;
        yield await Promise.resolve(new TextEncoder().encode('data: a\n\n'));
      }
    }
    const events = serverSentEvents(pieces());
    for (let taken = 1; taken <= 3; taken++) {
      await events.next();
      expect(read).toBe(taken);
    }
    await events.return();
  });
});
