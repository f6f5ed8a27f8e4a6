import http, { type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SELF_SIGNED_CERTIFICATE } from '../../../test/support/network/self-signed-certificate.js';
import { Pool } from 'undici';
import { sendThrough } from './outgoing-answer.js';
import { connectorOf } from './outgoing-connector.js';
import { wasNeverRead } from './request-watch.js';

describe.each(['http', 'https'] as const)('a request over %s that ends with its connection', (scheme) => {
  const server = scheme === 'http' ? http.createServer() : https.createServer(SELF_SIGNED_CERTIFICATE);
  let now = 0;
  let pool: Pool;
  let answer: (response: ServerResponse) => void;

  const answerWell = (response: ServerResponse): void => void response.end('well');

  beforeAll(async () => {
    server.on('request', (_, response: ServerResponse) => answer(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  beforeEach(() => {
    answer = answerWell;
    const origin = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { cert: ca } = SELF_SIGNED_CERTIFICATE;
    pool = new Pool(origin, {
      connect: connectorOf({ timeout: 60_000, ca, now: () => now }, undefined),
      connections: 1,
    });
  });

  afterEach(() => pool.destroy());

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const send = async (): Promise<string> => {
    const { body } = await sendThrough(pool, { method: 'GET', path: '/' });
    return (await buffer(body)).toString();
  };

  const failure = (): Promise<unknown> => send().catch((error: unknown) => error);

  it('was never read where the connection had been used, and closes within a second', async () => {
    expect(await send()).toBe('well');
    answer = (response) => {
      now += 999;
      response.destroy();
    };
    expect(wasNeverRead(await failure())).toBe(true);
  });

  it.each<[when: string, isUsed: boolean, close: (response: ServerResponse) => void]>([
    ['the connection is fresh', false, (response) => void response.destroy()],
    [
      'it closes after a second',
      true,
      (response) => {
        now += 1_000;
        response.destroy();
      },
    ],
    ['a byte has come', true, (response) => void response.socket!.write('H', () => response.destroy())],
    ['an informational answer has come', true, (response) => response.writeProcessing(() => response.destroy())],
  ])('may have been read where %s', async (_, isUsed, close) => {
    if (isUsed) await send();
    answer = close;
    const error = await failure();

    expect(error).toBeInstanceOf(Error);
    expect(wasNeverRead(error)).toBe(false);
  });
});
