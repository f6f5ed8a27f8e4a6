import net from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { provideFor } from '../../../../test/support/network/provider-of-tests.js';
import { newAuthorization, newViaHeader } from '../../../../test/support/network/upstream-client-of-tests.js';
import { ProviderServer } from '../../../../test/support/network/provider-server.js';
import { withRawServer } from '../../../../test/support/network/raw-server.js';
import { SELF_SIGNED_CERTIFICATE } from '../../../../test/support/network/self-signed-certificate.js';
import { until } from '../../../../test/support/time/until.js';
import { readEnvironment } from '../../../config/environment.js';
import { LoopTurns } from '../../../concurrency/loop-turns.js';
import type { Upstream } from '../../codecs/upstream-codec.js';
import type { CalledUpstream } from './called-upstream.js';
import { UpstreamClient } from './upstream-client.js';

describe('The client of providers', () => {
  const turns = new LoopTurns();
  const client = new UpstreamClient(turns, newAuthorization(), newViaHeader(), readEnvironment({}));
  let provider: ProviderServer;

  provideFor(client, (started) => (provider = started));

  async function document(
    upstream: Upstream = provider.upstream(),
    signal = new AbortController().signal,
  ): Promise<unknown> {
    const call = { upstream, path: '/chat', headers: {}, keyHeader: 'authorization', body: { model: 'small-1' } };
    return await client.document({ ...call, organizationId: 'organization', signal });
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

    it('reads a large one in turns of the organization that asks, and a small one at once', async () => {
      const taken = jest.spyOn(turns, 'next');
      const large = { list: Array.from({ length: 10_000 }, (_, index) => [index, 'ä']), text: 'x'.repeat(1_000_000) };
      provider.answerJson(large);
      expect(await document()).toEqual(large);
      const organizations = taken.mock.calls.map(([organizationId]) => organizationId);
      taken.mockClear();
      provider.answerJson({ answer: 42 });
      await document();
      const ofSmall = taken.mock.calls.length;
      taken.mockRestore();

      expect(organizations.length).toBeGreaterThanOrEqual(4);
      expect(new Set(organizations)).toEqual(new Set(['organization']));
      expect(ofSmall).toBe(0);
    });

    it('refuses one of more than 32 MiB of a server of an organization, which another provider may send', async () => {
      const text = 'x'.repeat(33 * 1024 * 1024);
      provider.answerJson({ text });
      const upstream = provider.upstream();
      expect(await document(upstream)).toEqual({ text });
      const own: CalledUpstream = { ...upstream, isPrivate: true };
      await expect(document(own)).rejects.toThrow('more than 33554432 bytes');
    });

    it('refuses a large one that is no JSON, or an error', async () => {
      const filler = 'x'.repeat(400_000);
      for (const [text, kind] of [
        [`{"a":["${filler}"],}`, 'invalid'],
        [`{"a":["${filler}"]`, 'invalid'],
        [JSON.stringify({ error: { message: [filler] }, code: 'x' }), 'refused'],
      ] as const) {
        provider.answerWith(
          (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(text),
        );
        await expect(document()).rejects.toMatchObject({ name: 'ProviderError', kind });
      }
    });

    it('refuses another media type, half a document, and a document in a stream', async () => {
      for (const [type, text] of [
        ['text/html', '{}'],
        ['image/png', '{}'],
        ['', 'All is well.'],
        ['text/plain', '<html></html>'],
        ['application/json', '{"choices":[{"ind'],
        ['application/json', ''],
        ['text/event-stream', 'data: a\n\n'],
      ] as const) {
        provider.answerWith((response) => void response.writeHead(200, type ? { 'content-type': type } : {}).end(text));
        await expect(document()).rejects.toMatchObject({ name: 'ProviderError', kind: 'invalid' });
      }
    });

    it('reads JSON with the media type of text, of a kind of JSON or none, after a byte order mark', async () => {
      for (const type of ['text/plain', 'text/json; charset=utf-8', 'application/problem+json', '']) {
        for (const list of [[1], Array<number>(200_000).fill(1)]) {
          provider.answerWith((response) => {
            response.writeHead(200, type ? { 'content-type': type } : {}).end(`\u{feff}${JSON.stringify({ list })}`);
          });
          expect(await document()).toEqual({ list });
        }
      }
      provider.answerWith((response) => void response.writeHead(400).end('\u{feff}{"error":{"message":"No"}}'));
      await expect(document()).rejects.toMatchObject({ kind: 'refused', message: 'No' });
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

    it('gives the status of a refusal after five seconds, whether more of its body comes or not', async () => {
      const further = ['', ' '];
      provider.answerWith((response) => {
        const more = further.pop()!;
        response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '9' }).write('{');
        const writing = setInterval(() => response.write(more), 500);
        response.once('close', () => clearInterval(writing));
      });
      const refusal = { kind: 'refused', status: 429, retryAfter: 9 };
      await Promise.all([1, 2].map(() => expect(document()).rejects.toMatchObject(refusal)));
    }, 15_000);

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
        await withRawServer(bytes, true, async (baseUrl) => {
          await expect(document(provider.upstream({ baseUrl }))).rejects.toMatchObject({ kind: 'invalid' });
        });
      }
    });

    it('says that a provider is unreachable when no server listens, or the connection breaks', async () => {
      const gone = await ProviderServer.start();
      const upstream = gone.upstream();
      await gone.stop();
      await expect(document(upstream)).rejects.toMatchObject({
        kind: 'unreachable',
        message: 'The provider could not be reached (ECONNREFUSED).',
      });
      for (const bytes of ['', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{}']) {
        await withRawServer(bytes, false, async (baseUrl) => {
          await expect(document(provider.upstream({ baseUrl }))).rejects.toMatchObject({ kind: 'unreachable' });
        });
      }
    });

    it('sends a request once more, on a fresh connection, where the provider closes one that was kept for it', async () => {
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
      // A call may be too early for the connection of the one before.
      await until(async () => {
        calls += 1;
        expect(await document(upstream)).toEqual({});
        return requests > calls;
      });
      expect(requests).toBe(calls + 1);
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
      await expect(document(provider.limitedUpstream({ connect: 25, headers: 25 }))).rejects.toMatchObject({
        kind: 'timeout',
        message: 'The provider sent no answer within 50 ms.',
      });
      provider.answerWith(
        (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
      );
      await expect(document(provider.limitedUpstream({ gap: 50 }))).rejects.toMatchObject({ kind: 'timeout' });
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

    it('refuses a call when 1,024 of one organization at one provider are open, whatever became of earlier ones, while those of another go on', async () => {
      const waiting: (() => void)[] = [];
      provider.answerWith((response) => {
        waiting.push(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
      });
      const open = Array.from({ length: 1_024 }, () => document());
      await until(() => Promise.resolve(waiting.length === 1_024));
      await expect(document()).rejects.toMatchObject({
        kind: 'share_used',
        message: 'The organization has as many requests open at the provider as it may.',
      });
      const other = document(provider.upstream({ provider: 'other' }));
      await until(() => Promise.resolve(waiting.length === 1_025));
      waiting.forEach((answer) => answer());
      await Promise.all([...open, other]);
      provider.answerJson({});
      expect(await document()).toEqual({});
    });
  });
});
