import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'express';
import { UNCOUNTED_MEMORY } from '../../../../http/input/request-memory.js';
import { LongWork } from '../../../../concurrency/long-work.js';
import { LoopTurns } from '../../../../concurrency/loop-turns.js';
import { ClientGoneError } from '../../../../http/client-signal.js';
import { EventStream } from './event-stream.js';
import { type StreamEvent } from '../../../codecs/client-codec.js';

const HELLO: StreamEvent = { data: 'Hello' };

describe('EventStream', () => {
  const server = http.createServer();
  const turns = new LoopTurns();
  const work = (): LongWork => new LongWork(turns, 'organization');

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** A response whose client waits for it. */
  async function asked(): Promise<Response> {
    http.get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).on('error', () => undefined);
    const [request, response] = (await once(server, 'request')) as [object, ServerResponse];
    Object.assign(request, { requestId: 'req-1' });
    return response as Response;
  }

  /** The gateway was told that the client has left, or finds the connection ended before it is told. */
  const LEFT: [string, (response: Response) => Promise<void>][] = [
    [
      'is closed',
      async (response) => {
        response.socket!.destroy();
        await once(response, 'close');
      },
    ],
    [
      'is about to be closed',
      (response) => {
        response.socket!.destroy();
        return Promise.resolve();
      },
    ],
  ];

  it.each(LEFT)('sends nothing, and waits for nothing, when the response %s', async (_, leave) => {
    for (const before of [[], [HELLO]]) {
      const response = await asked();
      const stream = new EventStream(response, 'specification');
      void stream.send(before);
      const write = jest.spyOn(response, 'write');
      const end = jest.spyOn(response, 'end');
      await leave(response);

      expect(() => stream.send([HELLO])).toThrow(ClientGoneError);
      await expect(stream.end([HELLO])).rejects.toThrow(ClientGoneError);
      expect([write.mock.calls, end.mock.calls]).toEqual([[], []]);
    }
  });

  it.each(LEFT)('sends no comment when the response %s', async (_, leave) => {
    const response = await asked();
    const write = jest.spyOn(response, 'write');
    await leave(response);
    jest.useFakeTimers();
    const stream = new EventStream(response, 'specification');
    jest.advanceTimersByTime(60_000);
    stream.abandon();
    jest.useRealTimers();

    expect(write).not.toHaveBeenCalled();
  });

  it('sends a comment after ten seconds without an event', async () => {
    const response = await asked();
    const write = jest.spyOn(response, 'write');
    jest.useFakeTimers();
    const stream = new EventStream(response, 'specification');
    jest.advanceTimersByTime(10_000);
    stream.abandon();
    jest.useRealTimers();

    expect(write.mock.calls).toEqual([[': PROCESSING\n\n']]);
  });

  it('sends a comment ten seconds after each event and each comment, whenever they were', async () => {
    const response = await asked();
    const write = jest.spyOn(EventStream.prototype as unknown as { write: (text: string) => boolean }, 'write');
    jest.useFakeTimers();
    const stream = new EventStream(response, 'specification');
    const comments = (): number => write.mock.calls.filter(([text]) => text.includes(': PROCESSING')).length;
    jest.advanceTimersByTime(3_001);
    void stream.send([{ data: 'first' }]);
    const seen = [9_999, 1, 9_999, 1].map((milliseconds) => {
      jest.advanceTimersByTime(milliseconds);
      return comments();
    });
    stream.abandon();
    jest.advanceTimersByTime(60_000);
    jest.useRealTimers();
    const all = [...seen, comments()];
    write.mockRestore();

    expect(all).toEqual([0, 1, 1, 2, 2]);
  });

  describe('sends events that come together', () => {
    const TEXTS = ['one', 'two', 'drei ä'];

    async function begun(): Promise<{ response: Response; stream: EventStream; written: string[] }> {
      const response = await asked();
      const stream = new EventStream(response, 'specification');
      void stream.send([HELLO]);
      const written: string[] = [];
      jest.spyOn(response.socket!, 'write').mockImplementation((text) => written.push(String(text)) > 0);
      return { response, stream, written };
    }

    it('in one write', async () => {
      jest.spyOn(performance, 'now').mockReturnValue(1_000);
      const { response, stream, written } = await begun();
      const waits = TEXTS.map((data) => stream.send([{ data }]));
      const atOnce = [...written];
      await new Promise((resolve) => setImmediate(resolve));
      jest.restoreAllMocks();
      response.end();

      expect([atOnce, waits]).toEqual([[], [undefined, undefined, undefined]]);
      const body = TEXTS.map((data) => `data: ${data}\n\n`).join('');
      expect(written).toEqual([`${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`]);
    });

    it('before the last one, in their order', async () => {
      jest.spyOn(performance, 'now').mockReturnValue(1_000);
      const { response, stream, written } = await begun();
      for (const data of TEXTS) void stream.send([{ data }]);
      await stream.end([{ data: '[DONE]' }]);
      jest.restoreAllMocks();
      response.end();

      expect(written.join('')).toContain('data: one\n\ndata: two\n\ndata: drei ä\n\ndata: [DONE]\n\n');
    });

    it('at once where time has gone by since the last', async () => {
      const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
      const { response, stream, written } = await begun();
      now.mockReturnValue(1_001);
      void stream.send([{ data: 'one' }]);
      const atOnce = written.length;
      jest.restoreAllMocks();
      response.end();

      expect(atOnce).toBe(1);
    });
  });

  it.each([
    ['with a chunk', (stream: EventStream, events: StreamEvent[]) => stream.send(events)],
    ['at the end', (stream: EventStream, events: StreamEvent[]) => stream.end(events)],
  ])('sends very many events in several turns of its organization, %s', async (_, send) => {
    const response = await asked();
    const write = jest.spyOn(EventStream.prototype as unknown as { write: (text: string) => boolean }, 'write');
    const next = jest.spyOn(turns, 'next');
    const events = Array.from({ length: 2_000 }, (_one, at) => ({ data: String(at) }));
    await send(new EventStream(response, 'specification', undefined, UNCOUNTED_MEMORY, work()), events);
    const [texts, taken] = [write.mock.calls.map(([text]) => text), next.mock.calls.length];
    write.mockRestore();
    next.mockRestore();
    response.end();

    expect(texts.join('')).toBe(events.map(({ data }) => `data: ${data}\n\n`).join(''));
    expect(taken).toBe(3);
  });

  describe('sends an event of 256 KiB and more', () => {
    const LONG = { event: 'long', data: { text: '"ä😀'.repeat(200_000), more: [1, 'a'] } };

    it.each([
      ['with others', (stream: EventStream) => stream.send([HELLO, LONG, HELLO])],
      ['at the end', (stream: EventStream) => stream.end([HELLO, LONG, HELLO])],
    ])('in a turn of its organization, %s', async (_, send) => {
      const response = await asked();
      const write = jest.spyOn(EventStream.prototype as unknown as { write: (text: string) => boolean }, 'write');
      const next = jest.spyOn(turns, 'next');
      await send(new EventStream(response, 'specification', undefined, UNCOUNTED_MEMORY, work()));
      const [texts, taken] = [write.mock.calls.map(([text]) => text), next.mock.calls];
      write.mockRestore();
      next.mockRestore();
      response.end();

      const hello = 'data: Hello\n\n';
      expect(texts.join('')).toBe(`${hello}event: long\ndata: ${JSON.stringify(LONG.data)}\n\n${hello}`);
      expect(taken).toEqual([['organization']]);
    });

    it('not to its end where the client leaves', async () => {
      const response = await asked();
      const stream = new EventStream(response, 'specification', undefined, UNCOUNTED_MEMORY, work());
      const sending = stream.send([LONG]);
      response.socket!.destroy();

      await expect(sending).rejects.toThrow(ClientGoneError);
    });
  });
});
