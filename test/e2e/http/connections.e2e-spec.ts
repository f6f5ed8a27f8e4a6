import { once } from 'node:events';
import net from 'node:net';
import { exchangeBytes } from '../../support/network/raw-connection.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const MAXIMUM = 5;

describe('connections beyond MAXIMUM_CONNECTIONS', () => {
  const app = sharedApplication({ variables: { MAXIMUM_CONNECTIONS: String(MAXIMUM) } });
  const organization = sharedOrganization(app);
  const opened: net.Socket[] = [];

  afterEach(() => {
    for (const socket of opened.splice(0)) socket.destroy();
  });

  /** Opens a connection on which nothing, or the beginning of a request, is sent. */
  const open = async (bytes = ''): Promise<net.Socket> => {
    const { hostname, port } = new URL(app.origin);
    const socket = net.connect(Number(port), hostname);
    // One that the service cuts may be reset.
    socket.on('error', () => undefined);
    socket.resume();
    opened.push(socket);
    await once(socket, 'connect');
    if (bytes !== '') socket.write(bytes);
    return socket;
  };

  const expectServed = async (): Promise<void> => {
    const { answers } = await exchangeBytes(app.origin, ['GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'], 1);
    expect(answers.map(({ status }) => status)).toEqual([200]);
  };

  it.each([
    ['that say nothing', ''],
    ['that have sent half a request', 'GET /health/live HTTP/1.1\r\nHost: '],
    ['that keep a connection after an answer', 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['that still owe an unused body', 'POST /api/v1/guardrails HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n'],
  ])(
    'close the connections that were idle longest, and a new one is answered 200: clients %s',
    async (_name, bytes) => {
      const first = await open(bytes);
      const isClosed = once(first, 'close');
      for (let count = 0; count < 3 * MAXIMUM; count += 1) await open(bytes);

      await expectServed();

      await isClosed;
    },
  );

  it('close no connection that waits for an answer, which is still a 200', async () => {
    const release = await lockRows(app, 'LOCK TABLE guardrails IN ACCESS EXCLUSIVE MODE', []);
    const waiting = exchangeBytes(
      app.origin,
      [`GET /api/v1/guardrails HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${organization.managementKey}\r\n\r\n`],
      1,
    );
    await untilWaitingForLock(app, 1);
    for (let count = 0; count < 3 * MAXIMUM; count += 1) await open();
    await expectServed();

    await release();

    expect((await waiting).answers.map(({ status }) => status)).toEqual([200]);
  });
});
