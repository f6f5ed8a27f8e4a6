import net from 'node:net';

/** Runs work with a server that says exactly these bytes on each connection, and then closes it or leaves it open. */
export async function withRawServer(
  bytes: string,
  open: boolean,
  work: (baseUrl: string) => Promise<void>,
): Promise<void> {
  const sockets: net.Socket[] = [];
  const server = net.createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.once('data', () => (open ? socket.write(bytes) : socket.end(bytes)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as net.AddressInfo;
    await work(`http://127.0.0.1:${port}`);
  } finally {
    sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => server.close(resolve));
  }
}
