import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { AMAZON_EVENTS, errorMessage, eventMessage } from '../../../../test/support/network/amazon-messages.js';
import { provideFor } from '../../../../test/support/network/provider-of-tests.js';
import { newAuthorization, newViaHeader } from '../../../../test/support/network/upstream-client-of-tests.js';
import type { ProviderServer } from '../../../../test/support/network/provider-server.js';
import { withRawServer } from '../../../../test/support/network/raw-server.js';
import { until } from '../../../../test/support/time/until.js';
import { readEnvironment } from '../../../config/environment.js';
import { LoopTurns } from '../../../concurrency/loop-turns.js';
import type { ServerSentEvent, StreamDecoder, Upstream } from '../../codecs/upstream-codec.js';
import type { UpstreamCall } from './upstream-call.js';
import { UpstreamClient } from './upstream-client.js';

const EVENT = 'data: a\n\n';

/** Takes events as they are, up to the end of the connection. */
const EVERY_EVENT: StreamDecoder<ServerSentEvent> = {
  read: (event) => event,
  hasAnswerPart: () => true,
  isLast: () => false,
  hasFinished: () => false,
  ended: () => undefined,
};

function callOf(upstream: Upstream, signal = new AbortController().signal): UpstreamCall {
  return {
    upstream,
    path: '/chat',
    headers: {},
    keyHeader: 'authorization',
    body: {},
    organizationId: 'organization',
    signal,
  };
}

describe('The client of providers', () => {
  const turns = new LoopTurns();
  const client = new UpstreamClient(turns, newAuthorization(), newViaHeader(), readEnvironment({}));
  let provider: ProviderServer;

  provideFor(client, (started) => (provider = started));

  async function events(
    upstream: Upstream = provider.upstream(),
    signal = new AbortController().signal,
  ): Promise<string[]> {
    const data: string[] = [];
    const call = { ...callOf(upstream, signal), body: { stream: true } };
    for await (const event of client.events(() => call, EVERY_EVENT)) data.push(event.data);
    return data;
  }

  describe('asked for a stream', () => {
    afterEach(() => jest.restoreAllMocks());

    it('gives the events one after another, compressed or not', async () => {
      provider.answerStream(EVENT.repeat(3));
      expect(await events()).toEqual(['a', 'a', 'a']);
      provider.answerWith((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
        response.end(gzipSync(EVENT.repeat(3)));
      });
      expect(await events()).toEqual(['a', 'a', 'a']);
    });

    it('gives the events of a server that calls them text, or nothing', async () => {
      for (const type of [{ 'content-type': 'text/plain; charset=utf-8' }, {}]) {
        provider.answerWith((response) => void response.writeHead(200, type).end(EVENT));
        expect(await events()).toEqual(['a']);
      }
    });

    it('gives the events of Amazon’s binary form, and throws for what is wrong in it or cut', async () => {
      const whole = Buffer.concat([eventMessage('messageStart', { role: 'assistant' }), errorMessage('Lost', 'Sorry')]);
      const answer = (bytes: Buffer): void =>
        provider.answerWith((response) => {
          response.writeHead(200, { 'content-type': AMAZON_EVENTS });
          for (const byte of bytes) response.write(Buffer.from([byte]));
          response.end();
        });
      answer(whole);
      expect(await events()).toEqual(['{"role":"assistant"}', '{"error":{"message":"Sorry","type":"Lost"}}']);
      answer(whole.subarray(0, -1));
      await expect(events()).rejects.toMatchObject({ kind: 'unreachable' });
      answer(Buffer.concat([whole, Buffer.alloc(12)]));
      await expect(events()).rejects.toMatchObject({ kind: 'invalid' });
    });

    it('reads a refusal in place of Amazon’s binary form in its own words', async () => {
      const type = 'ThrottlingException:http://internal.amazon.com/coral/com.amazon.bedrock/';
      provider.answerJson({ message: 'Too many tokens' }, 429, { 'x-amzn-errortype': type });
      const refusal = { kind: 'refused', status: 429, message: 'Too many tokens', code: 'ThrottlingException' };
      await expect(events()).rejects.toMatchObject(refusal);
    });

    it('calls an event invalid whose reading throws whatever error, so that another provider can be asked', async () => {
      provider.answerStream(EVENT);
      const failing = { ...EVERY_EVENT, read: (): never => (undefined as never as { length: number }).length as never };
      const reading = client.events(() => ({ ...callOf(provider.upstream()), body: {} }), failing);

      await expect(reading.next()).rejects.toMatchObject({ name: 'ProviderError', kind: 'invalid' });
    });

    it('reads an event of 256 KiB in a turn of its organization, which a shorter one does not wait for', async () => {
      const next = jest.spyOn(turns, 'next');
      const [short, long] = ['a'.repeat(262_143), 'b'.repeat(262_144)];
      provider.answerStream(`data: ${short}\n\ndata: ${long}\n\n`);
      const read = await events();
      const taken = next.mock.calls;
      next.mockRestore();

      expect(read).toEqual([short, long]);
      expect(taken).toEqual([['organization']]);
    });

    it('takes a document for one event and the end, and refuses other types', async () => {
      for (const type of ['application/json; charset=utf-8', 'text/json', 'application/problem+json']) {
        provider.answerWith((response) => void response.writeHead(200, { 'content-type': type }).end('{\r\n"a":\n1}'));
        expect(await events()).toEqual(['{  "a": 1}', '[DONE]']);
      }
      provider.answerWith((response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(EVENT));
      await expect(events()).rejects.toMatchObject({ kind: 'invalid' });
    });

    it('refuses a document of more than 8 MiB, and one that breaks off', async () => {
      provider.answerJson({ text: 'x'.repeat(8 * 1024 * 1024) });
      await expect(events()).rejects.toMatchObject({ kind: 'invalid' });
      const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n';
      await withRawServer(`${head}{"a":1}`, false, async (baseUrl) => {
        await expect(events(provider.upstream({ baseUrl }))).rejects.toMatchObject({ kind: 'unreachable' });
      });
    });

    it('reads 100,000 pieces of one byte each', async () => {
      const text = `data: ${'x'.repeat(90)}\n\n`.repeat(1_021);
      provider.answerWith(async (response) => {
        response.socket!.setNoDelay(true);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const character of text) {
          if (!response.write(character)) await new Promise((resolve) => response.once('drain', resolve));
        }
        response.end();
      });
      expect(await events()).toHaveLength(1_021);
    });

    it('refuses an event of 16 MiB, and closes the connection', async () => {
      const closed = new Promise<void>((resolve) => {
        provider.answerWith((response) => {
          response.once('close', resolve).writeHead(200, { 'content-type': 'text/event-stream' });
          response.write(`data: ${'x'.repeat(16 * 1024 * 1024)}`);
        });
      });
      await expect(events()).rejects.toMatchObject({ kind: 'invalid' });
      await closed;
    });

    it('throws when the connection breaks, after the events that came', async () => {
      const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
      await withRawServer(`${head}9\r\n${EVENT}\r\n`, false, async (baseUrl) => {
        const upstream = provider.upstream({ baseUrl });
        const call = callOf(upstream);
        const stream = client.events(() => call, EVERY_EVENT);
        expect((await stream.next()).value).toEqual({ event: undefined, data: 'a' });
        await expect(stream.next()).rejects.toMatchObject({
          kind: 'unreachable',
          message: 'The provider’s answer broke off.',
        });
      });
    });

    it('waits for the first event and for each further one as long as the limits say, whatever comments come', async () => {
      for (const [before, limits] of [
        ['', { firstEvent: 50 }],
        [EVENT, { gap: 50 }],
      ] as const) {
        provider.answerWith((response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write(before);
          const comments = setInterval(() => response.write(': waiting\n\n'), 5);
          response.once('close', () => clearInterval(comments));
        });
        await expect(events(provider.limitedUpstream(limits))).rejects.toMatchObject({ kind: 'timeout' });
      }
    });

    it('waits for what adds to the answer as long as the limit without progress says, whatever signs of life come', async () => {
      const MINUTES = 60_000;
      let passed = 0;
      const { now } = performance;
      jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + passed);
      const read: string[] = [];
      provider.answerWith(async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        // It ends by itself, so that a limit that never comes is found at once.
        for (const [index, data] of [
          'alive',
          'a',
          'alive',
          'alive',
          'a',
          ...Array<string>(6).fill('alive'),
        ].entries()) {
          passed += 11 * MINUTES;
          response.write(`data: ${data}\n\n`);
          await until(() => Promise.resolve(read.length > index || response.closed));
        }
        response.end();
      });
      const form = { ...EVERY_EVENT, hasAnswerPart: ({ data }: ServerSentEvent) => data === 'a' };
      const call = callOf(provider.upstream());

      const reading = (async () => {
        for await (const { data } of client.events(() => call, form)) read.push(data);
      })();

      await expect(reading).rejects.toMatchObject({ kind: 'timeout' });
      expect(read).toEqual(['alive', 'a', 'alive', 'alive', 'a', 'alive', 'alive']);
    }, 20_000);

    it('does not count the time in which the client does not read', async () => {
      let end: (() => void) | undefined;
      provider.answerWith((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(EVENT);
        end = () => response.end(EVENT);
      });
      const call = callOf(provider.limitedUpstream({ firstEvent: 50, gap: 50 }));
      const data: string[] = [];
      for await (const event of client.events(() => call, EVERY_EVENT)) {
        data.push(event.data);
        await new Promise((resolve) => setTimeout(resolve, 100));
        end!();
        // The second event is there before it is asked for.
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect(data).toEqual(['a', 'a']);
    });

    it('keeps the provider waiting while the client does not read', async () => {
      let written = 0;
      provider.answerWith(async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const event = `data: ${'x'.repeat(65_536)}\n\n`;
        for (; !response.closed; written += event.length) {
          if (!response.write(event)) await new Promise((resolve) => response.once('drain', resolve));
        }
      });
      const call = callOf(provider.upstream());
      const stream = client.events(() => call, EVERY_EVENT);
      await stream.next();
      let before = -1;
      // What fits into the buffers of the sockets is written, and then no more.
      await until(async () => {
        if (before === written) return true;
        before = written;
        await new Promise((resolve) => setTimeout(resolve, 100));
        return false;
      });
      expect(written).toBeLessThan(64 * 1024 * 1024);
      await stream.return();
    });

    describe('whose provider closes the connection while its answer is not read', () => {
      /** Each fills what is read ahead, so that the parser pauses behind a whole piece. */
      const PIECES = 3;
      const piece = EVENT.repeat(6_000);
      const length = EVENT.length + PIECES * piece.length;
      const closing = 'Connection: close\r\n';

      /** Reads one event, lets the provider send all others and close, and then reads them. @returns the number of events */
      async function readLate(head: string, write: (text: string) => string, end: 'end' | 'reset'): Promise<number> {
        let sendRest: () => void = () => undefined;
        const isRead = new Promise<void>((resolve) => (sendRest = resolve));
        let isClosed = false;
        const send = async (socket: net.Socket): Promise<void> => {
          socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n${head}\r\n${write(EVENT)}`);
          await isRead;
          for (let sent = 0; sent < PIECES; sent += 1) {
            socket.write(write(piece));
            await delay(20);
          }
          if (end === 'end') socket.end(write(''));
          else socket.resetAndDestroy();
        };
        const server = net.createServer((socket) => {
          socket.on('error', () => undefined).once('close', () => (isClosed = true));
          socket.once('data', () => void send(socket));
        });
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        const { port } = server.address() as net.AddressInfo;
        const upstream = provider.upstream({ baseUrl: `http://127.0.0.1:${port}` });
        const call = callOf(upstream);
        const stream = client.events(() => call, EVERY_EVENT);
        let count = 0;
        try {
          while ((await stream.next()).done !== true) {
            count += 1;
            if (count > 1) continue;
            sendRest();
            // A connection that is half closed is not closed before all of it is read.
            await Promise.race([until(() => Promise.resolve(isClosed)), delay(500)]);
          }
        } finally {
          await new Promise((resolve) => server.close(resolve));
        }
        return count;
      }

      const plain = (text: string): string => text;
      const chunked = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

      it.each([
        ['without a length', closing, plain],
        ['with a length', `${closing}Content-Length: ${length}\r\n`, plain],
        ['in chunks', `${closing}Transfer-Encoding: chunked\r\n`, chunked],
      ])('gives all of an answer %s', async (_, head, write) => {
        expect(await readLate(head, write, 'end')).toBe(1 + PIECES * 6_000);
      });

      it.each([
        ['that ends too early', `${closing}Content-Length: ${length + 1}\r\n`, 'end'],
        ['without a length that is reset', closing, 'reset'],
        ['with a length that is reset', `${closing}Content-Length: ${length + 1}\r\n`, 'reset'],
      ] as const)('throws for an answer %s', async (_, head, end) => {
        await expect(readLate(head, plain, end)).rejects.toMatchObject({ kind: 'unreachable' });
      });
    });

    it('throws the reason of the signal in the middle of a stream', async () => {
      const controller = new AbortController();
      provider.answerWith((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(EVENT);
      });
      const call = callOf(provider.upstream(), controller.signal);
      const stream = client.events(() => call, EVERY_EVENT);
      await stream.next();
      const next = stream.next();
      controller.abort(new Error('The client has left'));
      await expect(next).rejects.toThrow('The client has left');
    });
  });
});
