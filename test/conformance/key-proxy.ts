import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy on the loopback that shows an API key for clients that have none to show. All else it passes on as it is. */
export interface KeyProxy {
  /** The address that clients ask in place of the target. */
  readonly url: string;
  stop(): Promise<void>;
}

/** @param target the address that is asked, of the loopback too @param key what it is shown */
export async function startKeyProxy(target: string, key: string): Promise<KeyProxy> {
  const { hostname, port, pathname } = new URL(target);
  const server = http.createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${key}` };
    const onward = http.request({ hostname, port, path: pathname, method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
