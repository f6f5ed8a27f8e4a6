import net, { type AddressInfo } from 'node:net';
import { waitForDatabase } from './wait-for-database.js';

/** The answer of a server that is starting: an ErrorResponse (https://www.postgresql.org/docs/current/protocol-message-formats.html). */
const STARTING = errorResponse('57P03', 'the database system is starting up');

describe('waitForDatabase', () => {
  let server: net.Server;
  let answers: Buffer[];

  beforeEach(async () => {
    answers = [];
    server = net.createServer((socket) => socket.once('data', () => socket.end(answers.shift() ?? STARTING)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const urlAt = (port: number): string => `postgres://gatehouse:hidden@127.0.0.1:${port}/gatehouse`;

  const waiting = (port: number, longestMs: number, lines: string[] = []): Promise<void> =>
    waitForDatabase({ url: urlAt(port), migrationUrl: urlAt(port) }, longestMs, (line) => lines.push(line));

  it('says once what it waits for, and gives up when its time is over', async () => {
    const { port } = server.address() as AddressInfo;
    const lines: string[] = [];

    await expect(waiting(port, 1_500, lines)).rejects.toThrow(
      `PostgreSQL at 127.0.0.1:${port}/gatehouse cannot be reached, after 1.5 s (DATABASE_WAIT_MS): the database system is starting up`,
    );

    expect(lines).toEqual([
      `waiting up to 2 s for PostgreSQL at 127.0.0.1:${port}/gatehouse: the database system is starting up`,
    ]);
  });

  it('says so when the cause changes', async () => {
    const { port } = server.address() as AddressInfo;
    answers = [
      STARTING,
      errorResponse('53300', 'sorry, too many clients already'),
      errorResponse('3D000', 'no such database'),
    ];
    const lines: string[] = [];

    await expect(waiting(port, 60_000, lines)).rejects.toThrow(/refuses the connection: no such database$/);

    expect(lines.map((line) => line.split(': ')[1])).toEqual([
      'the database system is starting up',
      'sorry, too many clients already',
    ]);
  });

  it('does not wait for what PostgreSQL refuses', async () => {
    answers = [errorResponse('28P01', 'password authentication failed')];
    const lines: string[] = [];

    await expect(waiting((server.address() as AddressInfo).port, 3_600_000, lines)).rejects.toThrow(
      'password authentication failed',
    );

    expect(lines).toEqual([]);
  });
});

function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
