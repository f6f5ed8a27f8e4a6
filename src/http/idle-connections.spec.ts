import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { closeIdleConnections } from './idle-connections.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

describe('the idle connections of a server', () => {
  let server: Server;

  beforeEach(async () => {
    server = createServer((_, response) => void response.end('answered'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** A connection that has had an answer. */
  const used = async (): Promise<net.Socket> => {
    const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
    socket.write(REQUEST);
    await once(socket, 'data');
    return socket;
  };

  it('are closed, but for one on which a request has arrived that was not read before, which is answered 200', async () => {
    const [idle, inUse] = [await used(), await used()];
    const idleEnded = once(idle, 'close');
    const answered = Promise.race([once(inUse, 'data'), once(inUse, 'close').then(() => ['closed'])]);

    setTimeout(() => {
      inUse.write(REQUEST);
      closeIdleConnections(server);
    }, 0);

    expect((await answered)[0]).toMatch(/^HTTP\/1\.1 200 OK/);
    await idleEnded;
    inUse.destroy();
  });
});
