import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { UnreadAnswers } from './unread-answers.js';

/** Longer than a test takes, so that only its own looks count. */
const LIMITS = { stream: 6_000_000, other: 1_000_000 };

/** More than the network between holds. */
const LARGE = Buffer.alloc(64 * 1024 * 1024, 'x');

describe('UnreadAnswers', () => {
  let server: http.Server;
  let unread: UnreadAnswers;
  let client: net.Socket;

  beforeEach(async () => {
    server = http.createServer();
    unread = new UnreadAnswers(server, LIMITS);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    client.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** The response to a client that does not read. */
  const asked = async (fields: object = {}): Promise<ServerResponse> => {
    client = net.connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    client.on('error', () => undefined);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [request, response] = (await once(server, 'request')) as [object, ServerResponse];
    Object.assign(request, fields);
    return response;
  };

  /** Answers with more than the client reads. @returns once the system takes no more of it */
  const answerMuch = async (response: ServerResponse): Promise<void> => {
    response.end(LARGE);
    await once(client, 'readable');
    await untilStill(() => queueOf(response));
  };

  it('ends an answer of which nothing is read for as long as it may take', async () => {
    const response = await asked();
    await answerMuch(response);
    unread.look(0);
    unread.look(LIMITS.other - 1);
    expect(response.destroyed).toBe(false);
    unread.look(LIMITS.other);

    expect(response.destroyed || response.socket!.destroyed).toBe(true);
  });

  it('lets a stream take longer', async () => {
    const response = await asked({ isStreamed: true });
    const { socket } = response;
    await answerMuch(response);
    unread.look(0);
    unread.look(LIMITS.stream - 1);
    expect(socket!.destroyed).toBe(false);
    unread.look(LIMITS.stream);

    expect(socket!.destroyed).toBe(true);
  });

  it('does not end an answer of which a part was read meanwhile, though it is one write', async () => {
    const response = await asked();
    const { socket } = response;
    await answerMuch(response);
    unread.look(0);
    const before = queueOf(response);
    while (queueOf(response) === before) {
      client.read();
      await new Promise((resolve) => setImmediate(resolve));
    }
    unread.look(LIMITS.other);
    expect(socket!.destroyed).toBe(false);
    await untilStill(() => queueOf(response));
    unread.look(LIMITS.other);
    unread.look(2 * LIMITS.other);

    expect(socket!.destroyed).toBe(true);
  });

  it('does not end an answer that is still being made', async () => {
    const response = await asked();
    unread.look(0);
    unread.look(10 * LIMITS.stream);
    response.end('done');
    await once(response, 'finish');

    expect(response.writableFinished).toBe(true);
  });
});

/** What the system has still to take of the write of a response, in bytes. */
function queueOf({ socket }: ServerResponse): number {
  return (socket as unknown as { _handle: { writeQueueSize: number } })._handle.writeQueueSize;
}

/** Waits until a number stays the same for some turns of the event loop. */
async function untilStill(read: () => number): Promise<void> {
  let [last, looks] = [read(), 0];
  while (looks < 100) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    looks = read() === last ? looks + 1 : 0;
    last = read();
  }
}
