import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'express';
import { UNCOUNTED_MEMORY } from '../../../../api/input/inference-memory.js';
import { LongWork } from '../../../../concurrency/long-work.js';
import { LoopTurns } from '../../../../concurrency/loop-turns.js';
import { ClientGoneError } from '../../../../api/client-signal.js';
import { EventStream } from './event-stream.js';
import { type StreamEvent } from '../../../codecs/client-codec.js';

const HELLO: StreamEvent = { data: 'Hello' };

describe('EventStream', () => {
  const server = http.createServer();

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

  describe('sends an event of 256 KiB and more', () => {
    const LONG = { event: 'long', data: { text: '"ä😀'.repeat(200_000), more: [1, 'a'] } };
    const work = (): LongWork => new LongWork(new LoopTurns(), 'organization');

    /** Sends events, and gives what was written at once each time. */
    async function written(send: (stream: EventStream) => Promise<void> | undefined): Promise<string[]> {
      const response = await asked();
      const write = jest.spyOn(EventStream.prototype as unknown as { write: (text: string) => boolean }, 'write');
      await send(new EventStream(response, 'specification', undefined, UNCOUNTED_MEMORY, work()));
      const texts = write.mock.calls.map(([text]) => text);
      write.mockRestore();
      response.end();
      return texts;
    }

    it.each([
      ['with others', (stream: EventStream) => stream.send([HELLO, LONG, HELLO])],
      ['at the end', (stream: EventStream) => stream.end([HELLO, LONG, HELLO])],
    ])('a part at a time, %s', async (_, send) => {
      const texts = await written(send);

      const hello = 'data: Hello\n\n';
      expect(texts.join('')).toBe(`${hello}event: long\ndata: ${JSON.stringify(LONG.data)}\n\n${hello}`);
      expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(100_000);
    });

    it('without a comment within it, however long its turn does not come', async () => {
      const response = await asked();
      const turns = new LoopTurns();
      const texts: string[] = [];
      const write = jest
        .spyOn(EventStream.prototype as unknown as { write: (text: string) => boolean }, 'write')
        .mockImplementation((text) => texts.push(text) > 0);
      jest.useFakeTimers();
      const next = jest.spyOn(turns, 'next').mockImplementation(async () => {
        if (texts.length > 0) jest.advanceTimersByTime(60_000);
        return Promise.resolve();
      });
      const stream = new EventStream(
        response,
        'specification',
        undefined,
        UNCOUNTED_MEMORY,
        new LongWork(turns, 'organization'),
      );
      const mustRest = jest.spyOn(LongWork.prototype, 'mustRest', 'get').mockReturnValue(true);
      await stream.send([LONG]);
      jest.useRealTimers();
      for (const spy of [write, next, mustRest]) spy.mockRestore();
      stream.abandon();
      response.end();

      expect(texts.join('')).toBe(`event: long\ndata: ${JSON.stringify(LONG.data)}\n\n`);
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
