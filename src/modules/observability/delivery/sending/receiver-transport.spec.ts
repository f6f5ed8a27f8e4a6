import net from 'node:net';
import http from 'node:http';
import { readEnvironment } from '../../../../config/environment.js';
import { ReceiverNotAllowed, ReceiverUnreachable } from '../verdicts.js';
import type { ReceiverRequest } from '../destination-adapter.js';
import { HttpReceiverTransport } from './receiver-transport.js';

const never = new AbortController().signal;

describe('the transport to receivers', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  function transport(allowed = 'true'): ReturnType<HttpReceiverTransport['endingWith']> {
    const http = new HttpReceiverTransport(readEnvironment({ ALLOW_PRIVATE_DESTINATIONS: allowed }));
    closing.push(() => http.onApplicationShutdown());
    return http.endingWith(never);
  }

  /** The address of a server that answers as the test wants. */
  async function server(answer: http.RequestListener | net.Server): Promise<string> {
    const listening = answer instanceof net.Server ? answer : http.createServer(answer);
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => listening.close(resolve)));
    return `http://127.0.0.1:${(listening.address() as net.AddressInfo).port}/`;
  }

  const request = (url: string, timeoutMs = 15_000): ReceiverRequest => ({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: '{}',
    timeoutMs,
  });

  it('returns status, headers and the beginning of the body', async () => {
    const url = await server((_, response) => void response.writeHead(418, { 'x-one': '1' }).end('x'.repeat(200_000)));
    const { status, headers, body } = await transport().send(request(url));
    expect({ status, one: headers['x-one'], length: body.length }).toEqual({ status: 418, one: '1', length: 65_536 });
  });

  it('does not follow a redirect', async () => {
    let asked = 0;
    const url = await server((_, response) => {
      asked += 1;
      response.writeHead(307, { location: '/other' }).end();
    });
    expect((await transport().send(request(url))).status).toBe(307);
    expect(asked).toBe(1);
  });

  it('gives up a receiver that trickles when its time is over', async () => {
    const timers: NodeJS.Timeout[] = [];
    const url = await server((_, response) => {
      response.writeHead(200);
      timers.push(setInterval(() => response.write('x'), 20));
    });
    const begun = performance.now();
    await expect(transport().send(request(url, 300))).rejects.toThrow(
      new ReceiverUnreachable('The receiver did not answer in time.'),
    );
    expect(performance.now() - begun).toBeLessThan(5_000);
    for (const timer of timers) clearInterval(timer);
  });

  it('gives up a receiver that never answers, one that is not there, and one that speaks no HTTP', async () => {
    const silent = await server(() => undefined);
    await expect(transport().send(request(silent, 200))).rejects.toThrow(ReceiverUnreachable);
    await expect(transport().send(request('http://127.0.0.1:9/'))).rejects.toThrow(ReceiverUnreachable);
    const other = await server(net.createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n', () => socket.destroy())));
    await expect(transport().send(request(other))).rejects.toThrow(ReceiverUnreachable);
  });

  it.each([
    'http://127.0.0.1:9/',
    'http://[::1]:9/',
    'http://169.254.169.254/',
    'http://10.0.0.1/',
    'http://localhost:9/',
  ])('makes no connection to %s unless private networks are allowed', async (url) => {
    await expect(transport('false').send(request(url))).rejects.toThrow(ReceiverNotAllowed);
  });

  it.each([
    ['true', 'http://169.254.169.254/'],
    ['true', 'http://[fd00:ec2::254]/'],
    ['10.0.0.0/8,169.254.0.0/16', 'http://169.254.169.254/'],
    ['10.0.0.0/8', 'http://127.0.0.1:9/'],
    ['10.0.0.0/8', 'http://localhost:9/'],
  ])('makes no connection where %s is allowed to %s', async (allowed, url) => {
    await expect(transport(allowed).send(request(url))).rejects.toThrow(ReceiverNotAllowed);
  });

  it('calls an address of a network that is allowed, by number and by name', async () => {
    const url = await server((_, response) => void response.writeHead(204).end());
    const allowed = transport('127.0.0.0/8,::1');
    expect((await allowed.send(request(url))).status).toBe(204);
    expect((await allowed.send(request(url.replace('127.0.0.1', 'localhost')))).status).toBe(204);
  });

  it('says that a header cannot be sent', async () => {
    const url = await server((_, response) => void response.end());
    const broken = { ...request(url), headers: { 'x-broken': 'a\r\nb: c' } };
    await expect(transport().send(broken)).rejects.toThrow(ReceiverNotAllowed);
  });
});
