import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/** A scenario of the suite for clients, whose server has been started. */
export interface StartedScenario {
  readonly scenario: string;
  /** Of its server. */
  readonly url: string;
  /** What a client has to know besides. */
  readonly context: Readonly<Record<string, unknown>>;
}

/** Is told of scenarios by the clients that the suite starts. */
export interface ScenarioDriver {
  /** What the suite is to start as a client. */
  readonly command: string;
  stop(): Promise<void>;
}

/** @param drive does what a scenario asks of a client; what it throws is the failure of that client */
export async function startScenarioDriver(drive: (started: StartedScenario) => Promise<void>): Promise<ScenarioDriver> {
  const server = http.createServer((request, response) => {
    void text(request)
      .then((body) => drive(JSON.parse(body) as StartedScenario))
      .then(
        () => response.end('done'),
        (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    command: `${process.execPath} ${path.resolve(__dirname, 'forward-scenario.mjs')} http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
