import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { BrokenAnswers, type BrokenAnswerWaits } from './broken-answers.js';

const NEVER = 2 ** 31 - 1;

/** More than the buffers of both ends of a connection hold. */
const MUCH = 'x'.repeat(16 * 1024 * 1024);

const HEAD = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

describe('an answer that cannot be completed', () => {
  const server = http.createServer();
  const clients: Socket[] = [];

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    jest.useRealTimers();
    for (const client of clients.splice(0)) client.destroy();
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** A client whose answer has begun. It reads nothing before it is told to. */
  async function begun(request = HEAD): Promise<{ client: Socket; response: ServerResponse }> {
    const { port } = server.address() as AddressInfo;
    const client = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true }).pause();
    clients.push(client);
    client.write(request);
    const [, response] = (await once(server, 'request')) as [object, ServerResponse];
    response.writeHead(200).write('begun');
    return { client, response };
  }

  const ended = (response: ServerResponse, waits: Partial<BrokenAnswerWaits> = {}): void =>
    new BrokenAnswers({ end: NEVER, close: NEVER, ...waits }).end(response);

  /** Reads until something is there, or the connection has ended. */
  async function read(client: Socket, text?: string): Promise<string> {
    let received = '';
    client.setEncoding('latin1').on('data', (piece: string) => {
      received += piece;
      if (text !== undefined && received.includes(text)) client.emit('found');
    });
    client.resume();
    await once(client, text === undefined ? 'end' : 'found');
    return received;
  }

  it('ends its connection after all of it, without the last chunk', async () => {
    const { client, response } = await begun();
    ended(response, { end: 0 });
    const received = await read(client);

    expect(received.endsWith('\r\n\r\n5\r\nbegun\r\n')).toBe(true);
    client.end();
    await once(response, 'close');
    expect(response.writableFinished).toBe(false);
  });

  it('ends its connection two seconds after it, where its client does not', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
    const { client, response } = await begun();
    const { socket } = response;
    const end = jest.spyOn(socket!, 'end');
    new BrokenAnswers().end(response);
    await read(client, 'begun\r\n');
    while (jest.getTimerCount() === 0) await new Promise(setImmediate);
    jest.advanceTimersByTime(1_999);
    expect(end).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(end).toHaveBeenCalledTimes(1);
    await once(client, 'end');
  });

  it('ends its connection at once where its client does', async () => {
    const { client, response } = await begun();
    ended(response);
    await read(client, 'begun\r\n');
    client.end();
    await once(client, 'close');
    expect(client.errored).toBeNull();
  });

  it('is not reset, and reaches a client that pauses, and that has sent more than was read, as a whole', async () => {
    const { client, response } = await begun(
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${MUCH.length}\r\n\r\n${MUCH.slice(0, 1_000_000)}`,
    );
    response.write(MUCH);
    const finished = jest.fn();
    response.socket!.once('finish', finished);
    ended(response, { end: 0, close: 0 });
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    expect(finished).not.toHaveBeenCalled();
    const received = await read(client);

    expect(received.length).toBeGreaterThan(MUCH.length);
    expect([received.endsWith('x\r\n'), client.errored]).toEqual([true, null]);
  });

  it('does not wait for long for a client that leaves its side of the connection open', async () => {
    const { client, response } = await begun();
    ended(response, { end: 0, close: 0 });
    await read(client);
    await once(response, 'close');
    expect([client.writable, client.errored]).toEqual([true, null]);
  });

  it('to HTTP/1.0 ends in the same way', async () => {
    const { client, response } = await begun('GET / HTTP/1.0\r\n\r\n');
    ended(response, { end: 0 });
    expect((await read(client)).endsWith('\r\n\r\nbegun')).toBe(true);
  });

  it('whose client has left is left alone', async () => {
    const { client, response } = await begun();
    client.resetAndDestroy();
    await once(response, 'close');
    expect(() => ended(response)).not.toThrow();
  });
});
