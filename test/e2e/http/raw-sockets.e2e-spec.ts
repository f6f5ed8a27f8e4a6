import type { Server } from 'node:http';
import net from 'node:net';
import { expectEnvelope } from '../../support/expectations/error-envelope.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import { expectNoSideEffects } from '../../support/expectations/no-side-effects.js';
import { rawExchanges } from './raw-exchanges.js';

/** How many requests of an organization are worked on at once. */
const SHARE = 10;

describe('a raw connection', () => {
  const { app, authorization, exchange, expectCutOff, get, statuses } = rawExchanges();

  describe('that the client closes halfway', () => {
    it.each([
      ['the request line', 'GET /api/v1/guardr'],
      ['the headers', 'GET /api/v1/guardrails HTTP/1.1\r\nHost: x\r\nAuthori'],
      [
        'the body',
        'POST /api/v1/guardrails HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"name"',
      ],
      [
        'a chunk',
        'POST /api/v1/guardrails HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{"na',
      ],
    ])('through %s is answered 400', async (_name, bytes) => {
      await expectCutOff(bytes.replace('Host', `${authorization()}Host`), 400, 'unreadable_request', true);
    });

    it('with a pipelined request behind a waiting one uses up no share of the organization: the next request is answered 200', async () => {
      for (let count = 0; count < SHARE; count += 1) {
        const unlock = await lockRows(app, 'LOCK TABLE guardrails IN ACCESS EXCLUSIVE MODE', []);
        const { hostname, port } = new URL(app.origin);
        const socket = net.connect(Number(port), hostname);
        socket.write(get('/api/v1/guardrails').repeat(2));
        await untilWaitingForLock(app, 1);
        const before = app.logLines.length;
        socket.resetAndDestroy();
        await unlock();
        // Its log line is written once the service has noticed.
        while (!app.logLines.slice(before).some((line) => line.includes('"method":"GET"'))) await tick();
      }

      const { answers } = await exchange(get('/api/v1/guardrails'), 1);
      expect(statuses(answers)).toEqual([200]);
    });

    it('through a body, with a reset, has no side effects', async () => {
      await expectNoSideEffects(app, async () => {
        const { hostname, port } = new URL(app.origin);
        const socket = net.connect(Number(port), hostname);
        socket.write(
          `POST /api/v1/guardrails HTTP/1.1\r\nHost: x\r\n${authorization()}Content-Type: application/json\r\n` +
            'Content-Length: 50\r\n\r\n{"name":"half"',
        );
        await exchange(get('/health/live'), 1);
        const before = app.logLines.length;
        socket.resetAndDestroy();
        // Its log line is written once the service has noticed.
        while (!app.logLines.slice(before).some((line) => line.includes('"method":"POST"'))) await tick();
      });
    });
  });

  it.each([
    ['bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['words', 'hello there\r\n\r\n'],
    ['nothing but line feeds and a colon', '\r\n\r\n:\r\n\r\n'],
    ['HTTP/2 with prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a version to come', 'GET /health/live HTTP/3.7\r\nHost: x\r\n\r\n'],
    ['a target without a slash', 'GET health/live HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a space in the target', 'GET /health live HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['bytes beyond ASCII in the target', 'GET /health/l\xc3\xa9ve HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a control character in a header', 'GET /health/live HTTP/1.1\r\nHost: x\r\nX-A: a\x00b\r\n\r\n'],
    ['a space before the colon of a header', 'GET /health/live HTTP/1.1\r\nHost : x\r\n\r\n'],
    ['a header without a name', 'GET /health/live HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n'],
    ['line feeds alone', 'GET /health/live HTTP/1.1\nHost: x\n\n'],
  ])('that sends %s is answered 400 and closed', async (_name, bytes) => {
    await expectCutOff(bytes, 400, 'unreadable_request');
  });

  it.each([
    ['one large header', `X-Large: ${'a'.repeat(17_000)}\r\n`],
    ['many headers', 'X-Many: aaaaaaaa\r\n'.repeat(1_500)],
    ['a large credential', `Authorization: Bearer ${'a'.repeat(100_000)}\r\n`],
  ])('that sends %s is answered 431 and closed', async (_name, headers) => {
    await expectCutOff(get('/api/v1/guardrails', headers), 431, 'unreadable_request');
  });

  it('that sends a path larger than headers may be is answered 431 and closed', async () => {
    await expectCutOff(get(`/api/v1/guardrails?limit=${'1'.repeat(20_000)}`), 431, 'unreadable_request');
  });

  it('that sends garbage is not held open after the 400 by a client that does not close it', async () => {
    const server = app.application.getHttpServer() as Server;
    const { hostname, port } = new URL(app.origin);
    server.closeIdleConnections();
    const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.write('garbage\r\n\r\n');
    socket.resume();
    // Reset, where the client goes on sending.
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('end', resolve));

    while ((await connectionsOf(server)) > 0) await tick();
    socket.destroy();
  });

  it('that sends CONNECT and is reset has no side effects', async () => {
    await expectNoSideEffects(app, async () => {
      const { hostname, port } = new URL(app.origin);
      const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true });
      socket.write('CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n');
      await new Promise((resolve) => socket.once('data', resolve));
      socket.resetAndDestroy();

      const server = app.application.getHttpServer() as Server;
      while ((await connectionsOf(server)) > 0) {
        server.closeIdleConnections();
        await tick();
      }
    });
  });

  it.each([
    ['different', 'Host: gateway.example\r\nHost: elsewhere.example\r\n'],
    ['equal', 'Host: gateway.example\r\nhost: gateway.example\r\n'],
  ])('that sends two %s Host headers is answered 400 (RFC 9112, section 3.2) and closed', async (_name, hosts) => {
    const { answers, isClosed } = await exchange(`GET /health/live HTTP/1.1\r\n${hosts}\r\n`, 'closed');

    expect(answers).toHaveLength(1);
    expect(expectEnvelope(answers[0]!, 400).error.metadata).toEqual({
      reason: 'unreadable_request',
      issues: [{ path: 'Host', message: 'must be given only once' }],
    });
    expect(isClosed).toBe(true);
  });

  it('that sends HTTP/1.0 is answered 200 and closed', async () => {
    const { answers, isClosed } = await exchange(`GET /api/v1/guardrails HTTP/1.0\r\n${authorization()}\r\n`, 'closed');

    expect(statuses(answers)).toEqual([200]);
    expect(isClosed).toBe(true);
  });

  it('that sends HTTP/1.1 without a Host is answered 400 in the error envelope', async () => {
    const { answers } = await exchange(`GET /health/live HTTP/1.1\r\n${authorization()}\r\n`, 1);

    expect(expectEnvelope(answers[0]!, 400).error.metadata).toEqual({
      reason: 'unreadable_request',
      issues: [{ path: 'Host', message: 'is required' }],
    });
  });

  it.each(['tea', '200-ok'])('that sends the expectation %s is answered 200', async (expectation) => {
    const { answers } = await exchange(get('/api/v1/guardrails', `Expect: ${expectation}\r\n`), 1);

    expect(statuses(answers)).toEqual([200]);
  });

  it('that sends Expect: 100-continue is answered 100 and then 201', async () => {
    const { answers } = await exchange(
      `POST /api/v1/guardrails HTTP/1.1\r\nHost: x\r\n${authorization()}Content-Type: application/json\r\n` +
        'Expect: 100-continue\r\nContent-Length: 19\r\n\r\n{"name":"expected"}',
      2,
    );

    expect(statuses(answers)).toEqual([100, 201]);
  });

  it('that asks for an upgrade stays with HTTP/1.1 and is answered 200', async () => {
    const upgrade =
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c, websocket\r\nHTTP2-Settings: AAMAAABkAAQA\r\n';

    const { answers } = await exchange(get('/api/v1/guardrails', upgrade), 1);

    expect(statuses(answers)).toEqual([200]);
  });

  describe('that sends a URL in absolute form', () => {
    it.each([
      'http://elsewhere.example/api/v1/guardrails?limit=1',
      'https://user:password@elsewhere.example:8443/api/v1/guardrails',
      'HTTP://[::1]/api/v1/guardrails',
      'http://[bad/api/v1/guardrails',
      'http://a:99999999/api/v1/guardrails',
      'http:///api/v1/guardrails',
    ])('is answered 200 by its path: %s', async (target) => {
      const { answers } = await exchange(get(target), 1);

      expect(statuses(answers)).toEqual([200]);
      expect(answers[0]!.body).toMatchObject({ data: expect.any(Array) });
    });

    it.each(['http://elsewhere.example', 'http://', 'http://?limit=1', 'http://['])(
      'is answered 302 to the documentation without a path: %s',
      async (target) => {
        const { answers } = await exchange(get(target), 1);

        expect(statuses(answers)).toEqual([302]);
      },
    );

    it.each(['https://elsewhere.example/docs/nowhere', 'https://elsewhere.example/API/v1/guardrails'])(
      'is answered 404 for %s',
      async (target) => {
        const { answers } = await exchange(get(target), 1);

        expect(expectEnvelope(answers[0]!, 404).error.metadata.reason).toBe('route_not_found');
      },
    );
  });
});

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
