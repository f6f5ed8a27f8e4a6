import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { ProviderServer } from '../../../../test/support/network/provider-server.js';
import { SELF_SIGNED_CERTIFICATE } from '../../../../test/support/network/self-signed-certificate.js';
import { until } from '../../../../test/support/time/until.js';
import type { Upstream } from '../protocols/provider-protocol.js';
import { ProviderError } from '../provider-error.js';
import type { ServerSentEvent } from './server-sent-events.js';
import { UpstreamClient } from './upstream-client.js';
import type { EventForm } from './upstream-events.js';

const EVENT = 'data: a\n\n';

/** Takes events as they are, up to the end of the connection. */
const EVERY_EVENT: EventForm<ServerSentEvent> = {
  read: (event) => event,
  isLast: () => false,
  ended: () => undefined,
};

describe('The client of providers', () => {
  const client = new UpstreamClient();
  let provider: ProviderServer;

  beforeAll(async () => {
    provider = await ProviderServer.start();
  });

  afterAll(async () => {
    await client.onApplicationShutdown();
    await provider.stop();
  });

  function document(upstream: Upstream = provider.upstream(), signal = new AbortController().signal): Promise<unknown> {
    return client.document({ upstream, path: '/chat', headers: {}, body: { model: 'small-1' }, signal });
  }

  async function events(
    upstream: Upstream = provider.upstream(),
    signal = new AbortController().signal,
  ): Promise<string[]> {
    const data: string[] = [];
    const call = { upstream, path: '/chat', headers: {}, body: { stream: true }, signal };
    for await (const event of client.events(() => call, EVERY_EVENT)) data.push(event.data);
    return data;
  }

  function limited(timeouts: Partial<Upstream['timeouts']>): Upstream {
    const upstream = provider.upstream();
    return { ...upstream, timeouts: { ...upstream.timeouts, ...timeouts } };
  }

  /** A server that says exactly these bytes on each connection, and then closes it or leaves it open. */
  async function withRawServer(bytes: string, open: boolean, work: (upstream: Upstream) => Promise<void>) {
    const sockets: net.Socket[] = [];
    const server = net.createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      socket.once('data', () => (open ? socket.write(bytes) : socket.end(bytes)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as net.AddressInfo;
      await work(provider.upstream({ baseUrl: `http://127.0.0.1:${port}` }));
    } finally {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    }
  }

  describe('asked for a document', () => {
    it('sends JSON to the path below the base URL, keeps its query, and gives back the parsed answer', async () => {
      provider.answerJson({ answer: 42 });
      expect(await document(provider.upstream({ baseUrl: `${provider.baseUrl}/openai?version=1` }))).toEqual({
        answer: 42,
      });
      expect(provider.received).toMatchObject([
        { method: 'POST', path: '/v1/openai/chat?version=1', body: { model: 'small-1' } },
      ]);
    });

    it('refuses another media type, half a document, and a document in a stream', async () => {
      for (const [type, text] of [
        ['text/html', '{}'],
        ['', '{}'],
        ['application/json', '{"choices":[{"ind'],
        ['application/json', ''],
        ['text/event-stream', EVENT],
      ] as const) {
        provider.answerWith((response) => void response.writeHead(200, type ? { 'content-type': type } : {}).end(text));
        await expect(document()).rejects.toMatchObject({ name: 'ProviderError', kind: 'invalid' });
      }
    });

    it('takes an error in an answer of status 200 for what it is', async () => {
      provider.answerJson({ error: { message: 'Quota used up', type: 'insufficient_quota' } });
      await expect(document()).rejects.toMatchObject({ kind: 'refused', message: 'Quota used up', status: 429 });
    });

    it('gives the status, the message and the time of a refusal', async () => {
      provider.answerJson({ error: { message: 'Slow down' } }, 429, { 'retry-after': '12' });
      await expect(document()).rejects.toMatchObject({
        kind: 'refused',
        message: 'Slow down',
        status: 429,
        retryAfter: 12,
      });
    });

    it('gives the status of a refusal whose body says nothing', async () => {
      for (const body of ['<html>Bad gateway</html>', '', '{"error', 'x'.repeat(300_000)]) {
        provider.answerWith((response) => void response.writeHead(502, { 'content-type': 'text/html' }).end(body));
        await expect(document()).rejects.toMatchObject({
          kind: 'refused',
          status: 502,
          message: 'The provider answered with status 502.',
        });
      }
    });

    it('follows no redirect', async () => {
      provider.answerWith((response) => void response.writeHead(307, { location: `${provider.baseUrl}/other` }).end());
      await expect(document()).rejects.toMatchObject({ kind: 'invalid', status: 307 });
      expect(provider.received).toHaveLength(1);
    });

    it('asks for no compression, and decompresses an answer that is compressed anyway', async () => {
      const text = JSON.stringify({ text: 'x'.repeat(100_000) });
      for (const [encoding, bytes] of [
        ['gzip', gzipSync(text)],
        ['deflate', deflateSync(text)],
        ['br', brotliCompressSync(text)],
      ] as const) {
        provider.answerWith((response) => {
          response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding }).end(bytes);
        });
        expect(await document()).toEqual(JSON.parse(text));
        expect(provider.received[0]!.headers['accept-encoding']).toBe('identity');
      }
    });

    it('refuses an unknown compression, and bytes that are not compressed as they claim', async () => {
      for (const encoding of ['compress', 'gzip, br', 'gzip', 'br']) {
        provider.answerWith((response) => {
          response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding }).end('{}');
        });
        await expect(document()).rejects.toMatchObject({ kind: 'invalid' });
      }
    });

    it('refuses an answer of more than 64 MiB, compressed or not, without reading on', async () => {
      const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, ' '));
      provider.answerWith((response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
      });
      await expect(document()).rejects.toMatchObject({ kind: 'invalid' });
      const closed = new Promise<void>((resolve) => {
        provider.answerWith((response) => {
          response.once('close', resolve).writeHead(200, { 'content-type': 'application/json' });
          const spaces = Buffer.alloc(1024 * 1024, ' ');
          const write = (): void => void response.write(spaces, (error) => (error ? undefined : write()));
          write();
        });
      });
      await expect(document()).rejects.toMatchObject({ kind: 'invalid' });
      await closed;
    });

    it('refuses a head that is too large, and what is not HTTP', async () => {
      for (const bytes of [`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(70_000)}\r\n\r\n`, 'SSH-2.0-server\r\n']) {
        await withRawServer(bytes, true, async (upstream) => {
          await expect(document(upstream)).rejects.toMatchObject({ kind: 'invalid' });
        });
      }
    });

    it('says that a provider is unreachable when nobody listens, or the connection breaks', async () => {
      const gone = await ProviderServer.start();
      const upstream = gone.upstream();
      await gone.stop();
      await expect(document(upstream)).rejects.toMatchObject({
        kind: 'unreachable',
        message: 'The provider could not be reached (ECONNREFUSED).',
      });
      for (const bytes of ['', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{}']) {
        await withRawServer(bytes, false, async (broken) => {
          await expect(document(broken)).rejects.toMatchObject({ kind: 'unreachable' });
        });
      }
    });

    it('sends a request once, even if the provider closes a connection that was kept for it', async () => {
      let requests = 0;
      const server = net.createServer((socket) => {
        let earlier = false;
        socket.on('error', () => undefined);
        socket.on('data', (bytes) => {
          // The body ends with it.
          if (!bytes.includes('}')) return;
          requests += 1;
          if (earlier) return void socket.destroy();
          earlier = true;
          socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as net.AddressInfo;
      const upstream = provider.upstream({ baseUrl: `http://127.0.0.1:${port}` });
      let calls = 0;
      let failure: unknown;
      // A call may be too early for the connection of the one before.
      await until(async () => {
        calls += 1;
        failure = await document(upstream).catch((error: unknown) => error);
        return failure instanceof ProviderError;
      });
      expect(failure).toMatchObject({ kind: 'unreachable' });
      expect(requests).toBe(calls);
      await new Promise((resolve) => server.close(resolve));
    });

    it('refuses a certificate that no authority has signed, before it sends anything', async () => {
      const pretender = await ProviderServer.start(SELF_SIGNED_CERTIFICATE);
      pretender.answerJson({});
      await expect(document(pretender.upstream())).rejects.toMatchObject({
        kind: 'unreachable',
        message: 'The provider could not be reached (DEPTH_ZERO_SELF_SIGNED_CERT).',
      });
      expect(pretender.received).toEqual([]);
      await pretender.stop();
    });

    it('waits for the head, and for each piece of the body, as long as the limits say', async () => {
      provider.answerWith(() => undefined);
      await expect(document(limited({ connect: 25, headers: 25 }))).rejects.toMatchObject({
        kind: 'timeout',
        message: 'The provider sent no answer within 50 ms.',
      });
      provider.answerWith(
        (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
      );
      await expect(document(limited({ gap: 50 }))).rejects.toMatchObject({ kind: 'timeout' });
    });

    it('throws the reason of the signal, and closes the connection', async () => {
      const controller = new AbortController();
      const closed = new Promise<void>((resolve) => {
        provider.answerWith((response) => {
          response.once('close', resolve);
          controller.abort(new Error('The client has left'));
        });
      });
      await expect(document(provider.upstream(), controller.signal)).rejects.toThrow('The client has left');
      await closed;
      await expect(document(provider.upstream(), controller.signal)).rejects.toThrow('The client has left');
      expect(provider.received).toHaveLength(1);
    });

    it('refuses a call when 1,024 of one provider are open, whatever became of earlier ones, while those of another go on', async () => {
      const waiting: (() => void)[] = [];
      provider.answerWith((response) => {
        waiting.push(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
      });
      const open = Array.from({ length: 1_024 }, () => document());
      await until(() => Promise.resolve(waiting.length === 1_024));
      await expect(document()).rejects.toMatchObject({
        kind: 'unreachable',
        message: 'All connections to the provider are in use.',
      });
      const other = document(provider.upstream({ provider: 'other' }));
      await until(() => Promise.resolve(waiting.length === 1_025));
      waiting.forEach((answer) => answer());
      await Promise.all([...open, other]);
      provider.answerJson({});
      expect(await document()).toEqual({});
    });
  });

  describe('asked for a stream', () => {
    it('gives the events one after another, compressed or not', async () => {
      provider.answerStream(EVENT.repeat(3));
      expect(await events()).toEqual(['a', 'a', 'a']);
      provider.answerWith((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
        response.end(gzipSync(EVENT.repeat(3)));
      });
      expect(await events()).toEqual(['a', 'a', 'a']);
    });

    it('refuses a document, and throws the error that is in one', async () => {
      provider.answerJson({ choices: [] });
      await expect(events()).rejects.toMatchObject({ kind: 'invalid' });
      provider.answerJson({ error: { message: 'No streams' } });
      await expect(events()).rejects.toMatchObject({ kind: 'refused', message: 'No streams' });
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
      await withRawServer(`${head}9\r\n${EVENT}\r\n`, false, async (upstream) => {
        const call = { upstream, path: '/chat', headers: {}, body: {}, signal: new AbortController().signal };
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
        await expect(events(limited(limits))).rejects.toMatchObject({ kind: 'timeout' });
      }
    });

    it('does not count the time in which nobody reads', async () => {
      let end: (() => void) | undefined;
      provider.answerWith((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(EVENT);
        end = () => response.end(EVENT);
      });
      const call = {
        upstream: limited({ firstEvent: 50, gap: 50 }),
        path: '/chat',
        headers: {},
        body: {},
        signal: new AbortController().signal,
      };
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

    it('keeps the provider waiting while nobody reads', async () => {
      let written = 0;
      provider.answerWith(async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const event = `data: ${'x'.repeat(65_536)}\n\n`;
        for (; !response.closed; written += event.length) {
          if (!response.write(event)) await new Promise((resolve) => response.once('drain', resolve));
        }
      });
      const call = {
        upstream: provider.upstream(),
        path: '',
        headers: {},
        body: {},
        signal: new AbortController().signal,
      };
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
        const call = { upstream, path: '/chat', headers: {}, body: {}, signal: new AbortController().signal };
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
      const call = { upstream: provider.upstream(), path: '/chat', headers: {}, body: {}, signal: controller.signal };
      const stream = client.events(() => call, EVERY_EVENT);
      await stream.next();
      const next = stream.next();
      controller.abort(new Error('The client has left'));
      await expect(next).rejects.toThrow('The client has left');
    });
  });
});
